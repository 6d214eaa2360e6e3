#include "evaluate/gold.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class GoldFile : public ::testing::Test {
 protected:
  ~GoldFile() override { std::filesystem::remove(path_); }
  const std::string& write(std::string_view bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }
  std::string path_ =
      (std::filesystem::temp_directory_path() /
       (std::string("leitong-gold-") + ::testing::UnitTest::GetInstance()->current_test_info()->name()))
          .string();
  IdNumbers ids_;
};

TEST_F(GoldFile, ClustersAreReadAndUnlistedDocumentsAreAlone) {
  ids_.number("x");
  const auto gold = read_gold(write("id\tcluster\na\tred\nb\tblue\nc\tred\n"), ids_);
  ASSERT_TRUE(gold) << gold.error().message;
  EXPECT_FALSE(gold->judged);
  const std::vector<Label> labels = labels_of(gold->clusters, 6);  // x a b c and two that no row names
  EXPECT_EQ(labels[1], labels[3]);
  const std::set<Label> distinct(labels.begin(), labels.end());
  EXPECT_EQ(distinct.size(), 5u);
}

TEST_F(GoldFile, ThreeColumnsAreJudgedPairs) {
  const auto gold = read_gold(write("a\tb\t1\nb\tc\t0\n"), ids_);
  ASSERT_TRUE(gold) << gold.error().message;
  EXPECT_TRUE(gold->judged);
  ASSERT_EQ(gold->pairs.size(), 2u);
  EXPECT_THAT(gold->pairs[0].pair, Pair(0, 1));
  EXPECT_TRUE(gold->pairs[0].same);
  EXPECT_THAT(gold->pairs[1].pair, Pair(1, 2));
  EXPECT_FALSE(gold->pairs[1].same);
}

TEST_F(GoldFile, OfDocumentsCountsWhatNoneOfThemHasAndLeavesItOut) {
  const std::vector<std::string> ids = {"z", "c", "a", "a"};
  const auto of = read_gold_of(write("a\tred\nb\tblue\nc\tred\nd\tred\n"), ids);
  ASSERT_TRUE(of) << of.error().message;
  EXPECT_THAT(of->number, ElementsAre(0, 1, 2, 2)) << "an id is one document";
  EXPECT_EQ(of->numbers, 3u);
  EXPECT_EQ(of->absent, 2u) << "b and d";
  EXPECT_EQ(of->gold.same_pairs(), 1u) << "a and c";
  const auto judged = read_gold_of(write("a\tc\t1\na\tq\t1\nz\ta\t0\n"), ids);
  ASSERT_TRUE(judged) << judged.error().message;
  EXPECT_EQ(judged->gold.pairs.size(), 2u);
  EXPECT_EQ(judged->gold.same_pairs(), 1u);
  EXPECT_EQ(judged->absent, 1u);
}

TEST_F(GoldFile, OnlyListedDocumentsCount) {
  const std::string list = path_ + ".ids";
  std::ofstream(list) << "a\nc\nnobody\n";
  const std::vector<std::string> ids = {"z", "c", "a"};
  const auto of = read_gold_of(write("a\tred\nz\tred\nc\tblue\n"), ids, list);
  std::filesystem::remove(list);
  ASSERT_TRUE(of) << of.error().message;
  EXPECT_THAT(of->number, ElementsAre(kNotCounted, 0, 1));
  EXPECT_EQ(of->gold.clusters.rows.size(), 2u);
  EXPECT_EQ(of->absent, 1u) << "z doesn't count";
  EXPECT_EQ(of->listed_absent, 1u);
}

TEST_F(GoldFile, ThatNamesNoneOfTheDocumentsIsRefused) {
  const std::vector<std::string> ids = {"x", "y", "x"};  // a repeated id must not hide anything
  const auto of = read_gold_of(write("a\tb\t1\n"), ids);
  ASSERT_FALSE(of);
  EXPECT_THAT(of.error().message, HasSubstr("names none of the documents"));
}

TEST_F(GoldFile, WhatIsNoGoldIsNamedByFileAndLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"a\t1\na\t2\n", ":2: \"a\" has a cluster already"},
      {"a\t1\nb\n", ":2: 1 column where 2, id and cluster, are expected"},
      {"a\tb\t1\nb\tc\n", ":2: 2 columns where 3, two ids and a label,"},
      {"a\tb\tyes\n", ":1: label \"yes\" is neither 1"},
      {"a\ta\t1\n", ":1: \"a\" is paired with itself"},
      {"just text\n", ":1: 1 column where 2 (id, cluster) or 3 (two ids, label)"},
      {"", ": no rows"},
  };
  for (const auto& [bytes, reason] : cases) {
    IdNumbers ids;
    const auto gold = read_gold(write(bytes), ids);
    ASSERT_FALSE(gold) << bytes;
    EXPECT_EQ(gold.error().code, ErrorCode::corrupt);
    EXPECT_THAT(gold.error().message, HasSubstr(path_ + reason));
  }
}

TEST_F(GoldFile, ClaimedPairsComeFromAPairsFileOrFromTwoColumns) {
  const auto plain = read_claimed_pairs(write("a\tb\nb\tc\n"), ids_);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_THAT(*plain, ElementsAre(Pair(0, 1), Pair(1, 2)));
  const auto full = read_claimed_pairs(write("id_a\tid_b\tmeasure\tscore\nc\ta\tjaccard\t.5\n"), ids_);
  ASSERT_TRUE(full) << full.error().message;
  EXPECT_THAT(*full, ElementsAre(Pair(2, 0)));
  EXPECT_FALSE(read_claimed_pairs(write("alone\n"), ids_));
}

TEST_F(GoldFile, IdsKeepTheirNumbers) {
  ASSERT_TRUE(read_ids(write("b\na\nb\n"), ids_));
  EXPECT_EQ(ids_.size(), 2u);
  EXPECT_EQ(ids_.number("b"), 0u);
  EXPECT_EQ(ids_.number("a"), 1u);
  EXPECT_EQ(ids_.number("new"), 2u);
}

}  // namespace
}  // namespace leitong
