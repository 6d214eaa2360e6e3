#include "cluster/pairs_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "io/tsv.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PairsFile : public ::testing::Test {
 protected:
  ~PairsFile() override { std::filesystem::remove(path_); }

  void write(std::string_view bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  std::vector<std::vector<std::string>> rows() const {
    std::vector<std::vector<std::string>> all;
    const auto result =
        read_tsv(path_, [&](std::span<const std::string> fields, std::uint64_t) -> Result<void> {
          all.emplace_back(fields.begin(), fields.end());
          return {};
        });
    EXPECT_TRUE(result) << result.error().message;
    return all;
  }

  Error refusal() const {
    const auto result = read_pairs(path_, [](const PairRow&) -> Result<void> { return {}; });
    EXPECT_FALSE(result);
    return result ? Error{} : result.error();
  }

  std::string path_ =
      (std::filesystem::temp_directory_path() /
       (std::string("leitong-pairs-") + ::testing::UnitTest::GetInstance()->current_test_info()->name()))
          .string();
};

TEST_F(PairsFile, ReadsBackWhatWasWrittenToTheLastBit) {
  std::vector<PairRow> written = {
      {"a", "b", {0, 7, 1.0f / 3, .7000001f, 1.0f / 3, Measure::jaccard}, 12, 4'000'000'000u},
      {"tab\there", "line\nfeed\r", {1, 4'294'967'294u, 0, 1, 1, Measure::identical}, 0, 1},
      {"back\\slash\\t", "", {2, 3, .1f, .2f, .95f, Measure::edit}, 5, 6},
      {"雷同", "é", {3, 4, 1e-9f, .5f, .5f, Measure::containment}, 5, 6},
      {"x", "y", {5, 6, 0, 0, .25f, Measure::estimate}, 5, 6},
  };
  std::string bytes(pairs_header(PairsVersion()));
  for (const PairRow& row : written) append_pair_row(row, PairsVersion(), bytes);
  write(bytes);

  std::vector<PairRow> read;
  const auto result = read_pairs(path_, [&](const PairRow& row) -> Result<void> {
    read.push_back(row);
    return {};
  });
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].id_a, written[i].id_a);
    EXPECT_EQ(read[i].id_b, written[i].id_b);
    EXPECT_EQ(read[i].units_a, written[i].units_a);
    EXPECT_EQ(read[i].units_b, written[i].units_b);
    const VerifiedPair &a = read[i].pair, &b = written[i].pair;
    EXPECT_EQ(std::tie(a.a, a.b, a.jaccard, a.containment, a.score, a.measure),
              std::tie(b.a, b.b, b.jaccard, b.containment, b.score, b.measure));
  }
}

TEST_F(PairsFile, TheSecondVersionHoldsWhatIsLeftWithoutTemplates) {
  VerifiedPair plain{0, 7, .5F, .75F, .5F, Measure::jaccard};
  VerifiedPair rare{1, 7, .375F, .5F, .25F, Measure::rare_text};
  rare.own = {.3F, .7F, .25F, .8F, 12};
  std::string bytes(pairs_header(PairsVersion{.own_text = true}));
  append_pair_row({"a", "b", plain, 12, 13}, PairsVersion{.own_text = true}, bytes);
  append_pair_row({"c", "b", rare, 12, 13}, PairsVersion{.own_text = true}, bytes);
  write(bytes);
  std::vector<VerifiedPair> read;
  const auto result = read_pairs(path_, [&](const PairRow& row) -> Result<void> {
    read.push_back(row.pair);
    return {};
  });
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].own.jaccard, .5F) << "that of the whole texts";
  EXPECT_EQ(read[0].own.containment, .75F);
  EXPECT_EQ(read[0].own.template_share, 0);
  EXPECT_EQ(read[1].measure, Measure::rare_text);
  EXPECT_EQ(read[1].own.jaccard, .3F);
  EXPECT_EQ(read[1].own.containment, .7F);
  EXPECT_EQ(read[1].own.template_share, .25F);
}

TEST_F(PairsFile, LossesAreReadBackWithOrWithoutTheOtherColumns) {
  const Loss a{
      .own = 300, .lost = 7, .reworded = 3, .in_stretches = 0, .longest = 5, .numbers = 2, .renamed = true};
  const Loss b{.own = 280, .lost = 90, .reworded = 0, .in_stretches = 60, .longest = 60, .numbers = 1};
  for (const bool own_text : {false, true}) {
    const PairsVersion version{.own_text = own_text, .losses = true};
    std::string bytes(pairs_header(version));
    append_pair_row({"a", "b", {0, 7, .5F, .75F, .5F, Measure::jaccard}, 300, 280, std::nullopt, {a, b}},
                    version, bytes);
    write(bytes);
    int read = 0;
    const auto result = read_pairs(path_, [&](const PairRow& row) -> Result<void> {
      ++read;
      EXPECT_EQ(row.reason.has_value(), own_text);
      EXPECT_EQ(row.losses.a, a);
      EXPECT_EQ(row.losses.b, b);
      return {};
    });
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(read, 1);
  }
}

TEST_F(PairsFile, CopiesWithOtherSignsAreReadBackAsSuch) {
  constexpr PairsVersion kVersion{.losses = true};
  const Loss apart{.other_signs = true};
  std::string bytes(pairs_header(kVersion));
  append_pair_row({"a", "b", copies_of_one(0, 7, false), 9, 9, std::nullopt, {apart, apart}}, kVersion,
                  bytes);
  write(bytes);
  int read = 0;
  EXPECT_TRUE(read_pairs(path_, [&](const PairRow& row) -> Result<void> {
    ++read;
    EXPECT_EQ(row.losses.a, apart);
    return {};
  }));
  EXPECT_EQ(read, 1);
}

TEST_F(PairsFile, EveryRowIsOneLineForAnyIds) {
  std::string bytes;
  append_pair_row({"a\nb\tc", "\r\n", {0, 1, 1, 1, 1, Measure::jaccard}, 1, 1}, PairsVersion(), bytes);
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), '\n'), 1);
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), '\t'), 9);
}

TEST_F(PairsFile, AMalformedRowIsNamedByFileAndLine) {
  const std::string good = "a\tb\tjaccard\t.5\t.5\t.5\t0\t1\t10\t10\n";
  const std::pair<std::string, std::string> cases[] = {
      {"a\tb\n", "2 columns instead of 10"},
      {"a\tb\tangle\t.5\t.5\t.5\t0\t1\t10\t10\n", "\"angle\" is no measure"},
      {"a\tb\tjaccard\thigh\t.5\t.5\t0\t1\t10\t10\n", "\"high\" is no score"},
      {"a\tb\tjaccard\t9\t.5\t.5\t0\t1\t10\t10\n", "\"9\" is no score from 0 to 1"},
      {"a\tb\tjaccard\t.5\tnan\t.5\t0\t1\t10\t10\n", "\"nan\" is no Jaccard value"},
      {"a\tb\tjaccard\t.5\t.5\t.5\t1\t1\t10\t10\n", "\"1\" is no document number above doc_a"},
      {"a\tb\tjaccard\t.5\t.5\t.5\t0\t4294967295\t10\t10\n", "document number"},
      {"a\tb\tjaccard\t.5\t.5\t.5\t0\t1\t10\t-1\n", "\"-1\" is no number of units"},
  };
  for (const auto& [row, reason] : cases) {
    write(std::string(pairs_header(PairsVersion())) + good + row);
    const Error error = refusal();
    EXPECT_EQ(error.code, ErrorCode::corrupt);
    EXPECT_THAT(error.message, HasSubstr(path_ + ":3: ")) << row;
    EXPECT_THAT(error.message, HasSubstr(reason));
  }
}

TEST_F(PairsFile, AMissingFileIsNotFound) {
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::not_found);
  EXPECT_THAT(error.message, HasSubstr(path_));
}

TEST_F(PairsFile, TsvUnderstandsByteOrderMarkCarriageReturnsBlankLinesAndAMissingLineEnd) {
  write("\xEF\xBB\xBFid\tcluster\r\n\r\n\na\t1\nb\t2");
  EXPECT_THAT(rows(),
              ElementsAre(ElementsAre("id", "cluster"), ElementsAre("a", "1"), ElementsAre("b", "2")));
}

TEST_F(PairsFile, TsvKeepsEmptyFieldsAndUnknownEscapes) {
  write("\ta\t\nC:\\dir\\new\\\n");
  EXPECT_THAT(rows(), ElementsAre(ElementsAre("", "a", ""), ElementsAre("C:\\dir\new\\")));
}

TEST_F(PairsFile, TsvLinesMayCrossTheEdgeOfWhatIsReadAtOnce) {
  std::string bytes;
  for (int i = 0; i < 40'000; ++i)
    bytes += "row " + std::to_string(i) + "\t" + std::string(i % 37, 'x') + "\n";
  bytes += "long\t" + std::string(2'000'000, 'y') + "\n";
  write(bytes);
  const auto all = rows();
  ASSERT_EQ(all.size(), 40'001u);
  for (int i = 0; i < 40'000; ++i)
    ASSERT_THAT(all[i], ElementsAre("row " + std::to_string(i), std::string(i % 37, 'x')));
  EXPECT_EQ(all.back()[1].size(), 2'000'000u);
}

}  // namespace
}  // namespace leitong
