#include "cluster/stored_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cluster/pairs_file.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StoredPairsFile : public ::testing::Test {
 protected:
  ~StoredPairsFile() override { std::filesystem::remove(path_); }

  const std::string& write(const std::vector<PairRow>& rows) {
    std::string bytes(pairs_header(PairsVersion()));
    for (const PairRow& row : rows) append_pair_row(row, PairsVersion(), bytes);
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }

  static PairRow row(DocId a, DocId b, Measure measure, float score, float jaccard, float containment) {
    return {
        "d" + std::to_string(a), "d" + std::to_string(b), {a, b, jaccard, containment, score, measure}, a, b};
  }
  static PairRow jaccard(DocId a, DocId b, float value) {
    return row(a, b, Measure::jaccard, value, value, 1);
  }
  static PairRow copy(DocId a, DocId b) { return row(a, b, Measure::identical, 1, 1, 1); }

  std::string path_ =
      (std::filesystem::temp_directory_path() /
       (std::string("leitong-stored-") + ::testing::UnitTest::GetInstance()->current_test_info()->name()))
          .string();
};

std::vector<std::pair<DocId, DocId>> ends(const StoredPairs& stored) {
  std::vector<std::pair<DocId, DocId>> all;
  for (const VerifiedPair& pair : stored.pairs) all.emplace_back(pair.a, pair.b);
  return all;
}

TEST_F(StoredPairsFile, DocumentsAreRenumberedInTheirOldOrder) {
  const auto stored = read_stored_pairs(write({jaccard(7, 4'000'000'000, .5f), jaccard(2, 900, .5f)}), {}, 0);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_THAT(stored->ids, ElementsAre("d2", "d7", "d900", "d4000000000"));
  EXPECT_THAT(stored->numbers, ElementsAre(2, 7, 900, 4'000'000'000));
  EXPECT_THAT(stored->units, ElementsAre(2, 7, 900, 4'000'000'000));
  EXPECT_THAT(ends(*stored), ElementsAre(std::pair(1, 3), std::pair(0, 2)));
}

TEST_F(StoredPairsFile, CopiesKeepTheirForms) {
  const auto stored =
      read_stored_pairs(write({row(0, 1, Measure::copy, 1, 1, 1), copy(0, 3), copy(1, 2)}), {}, 0);
  ASSERT_TRUE(stored) << stored.error().message;
  ASSERT_EQ(stored->copies.size(), 3u);
  const CopyForms forms(stored->copies);
  EXPECT_TRUE(forms.same_text(1, 2));
  EXPECT_TRUE(forms.same_text(0, 3));
  EXPECT_FALSE(forms.same_text(0, 1));
}

TEST_F(StoredPairsFile, CopiesKeepTheirSigns) {
  constexpr PairsVersion kVersion{.losses = true};
  std::string bytes(pairs_header(kVersion));
  const auto add = [&](DocId a, DocId b, bool other_signs) {
    const Loss loss{.other_signs = other_signs};
    PairRow of = row(a, b, Measure::copy, 1, 1, 1);
    of.losses = {loss, loss};
    append_pair_row(of, kVersion, bytes);
  };
  add(0, 1, true);
  add(0, 2, false);
  add(0, 3, true);
  add(1, 3, false);
  std::ofstream(path_, std::ios::binary) << bytes;
  const auto stored = read_stored_pairs(path_, {}, 0);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_TRUE(stored->has_losses);
  const CopyForms forms(stored->copies);
  EXPECT_TRUE(forms.same_signs(0, 2));
  EXPECT_TRUE(forms.same_signs(1, 3));
  EXPECT_FALSE(forms.same_signs(0, 1));
}

TEST_F(StoredPairsFile, TheThresholdIsAboutTheChosenMeasureAndIncludesItself) {
  const std::string& path =
      write({row(0, 1, Measure::containment, .8f, .2f, .8f), row(0, 2, Measure::jaccard, .5f, .5f, .7f)});
  EXPECT_THAT(ends(read_stored_pairs(path, {}, .8).value()), ElementsAre(std::pair(0, 1)));
  EXPECT_THAT(ends(read_stored_pairs(path, {Measure::jaccard}, .5).value()), ElementsAre(std::pair(0, 2)));
  EXPECT_THAT(ends(read_stored_pairs(path, {Measure::containment}, .7).value()).size(), 2u);
  EXPECT_EQ(read_stored_pairs(path, {Measure::jaccard}, .9)->least, .2f) << "over all rows, kept or not";
}

TEST_F(StoredPairsFile, RowsOfCopiesCountEachThoughTheyAreOnePair) {
  const auto stored = read_stored_pairs(write({copy(3, 5), jaccard(1, 3, .9f), jaccard(1, 5, .9f)}), {}, .8);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_THAT(ends(*stored), ElementsAre(std::pair(0, 1), std::pair(0, 1)));
}

TEST_F(StoredPairsFile, IdenticalDocumentsAreOneForAnyThreshold) {
  // 5 and 6 are copies of 3, given as a chain; so a pair of 6 is one of 3, and (5, 6) is not stored.
  const auto stored =
      read_stored_pairs(write({copy(3, 5), copy(5, 6), jaccard(1, 6, .9f), jaccard(5, 6, .95f)}), {}, .8)
          .value();
  EXPECT_THAT(stored.ids, ElementsAre("d1", "d3", "d5", "d6"));
  ASSERT_EQ(stored.copies.size(), 2u);
  EXPECT_EQ(stored.copies[0].original, 1u);
  EXPECT_EQ(stored.copies[1].original, 1u);
  EXPECT_THAT(ends(stored), ElementsAre(std::pair(0, 1)));
  EXPECT_EQ(stored.rows, 2u) << "those of copies apart";
}

TEST_F(StoredPairsFile, AFileOfTheFirstVersionHasNoMeasureOfOwnText) {
  const std::string& path = write({jaccard(0, 1, .9f)});
  for (const Measure measure : {Measure::jaccard, Measure::containment}) {
    const auto stored = read_stored_pairs(path, {measure, true}, .5);
    ASSERT_FALSE(stored);
    EXPECT_EQ(stored.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(stored.error().message,
                HasSubstr(path_ + ":2: the columns own_jaccard and own_containment are missing"));
    EXPECT_THAT(stored.error().message, HasSubstr("make the pairs anew with templates left out"));
  }
  EXPECT_TRUE(read_stored_pairs(path, {Measure::jaccard}, .5)->reason.empty());
}

TEST_F(StoredPairsFile, ReasonsStayWithTheirPairsWhereRowsAreLeftOut) {
  PairRow of_template = jaccard(0, 3, .6f);
  of_template.pair.own = {.5f, .7f, .25f, 0, 12};
  std::string bytes(pairs_header(PairsVersion{.own_text = true}));
  for (const PairRow& row : {jaccard(0, 1, .5f), jaccard(0, 2, .9f), of_template, copy(2, 4),
                             jaccard(2, 4, 1), jaccard(3, 4, .9f)})
    append_pair_row(row, PairsVersion{.own_text = true}, bytes);
  std::ofstream(path_, std::ios::binary) << bytes;
  const StoredPairs stored = read_stored_pairs(path_, {}, .6).value();
  EXPECT_THAT(ends(stored), ElementsAre(std::pair(0, 2), std::pair(0, 3), std::pair(2, 3)));
  ASSERT_EQ(stored.reason.size(), stored.pairs.size());
  EXPECT_EQ(stored.reasons[stored.reason[0]], "similar: Jaccard 0.90");
  EXPECT_THAT(stored.reasons[stored.reason[1]], HasSubstr("10 other families"));
  EXPECT_EQ(stored.reason[2], stored.reason[0]) << "a sentence is kept once";
}

TEST_F(StoredPairsFile, RowsOfTwoRunsAreNoticed) {
  PairRow other = jaccard(0, 2, .5f);
  other.id_a = "another";
  const auto stored = read_stored_pairs(write({jaccard(0, 1, .5f), other}), {}, 0);
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().message, HasSubstr(path_ + ":3: document 0 is \"another\" here and \"d0\""));
}

}  // namespace
}  // namespace leitong
