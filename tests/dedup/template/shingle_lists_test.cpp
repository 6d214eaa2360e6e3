#include "dedup/template/shingle_lists.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "leitong/context.hpp"

namespace leitong {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, DocId>>;

class ShingleListsWithRoom : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ShingleListsWithRoom, HoldWhatWasAddedInItsRange) {
  const Context context;
  RunContext run(context);
  ShingleLists lists(run, GetParam());
  ShingleLists::Writer writers[] = {ShingleLists::Writer(lists), ShingleLists::Writer(lists)};
  std::mt19937 random(1);
  Pairs expected, found;
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    const DocId document = i * 4'000'000;
    Pairs shingles;
    const std::size_t size = i == 500 ? 40'000 : random() % 80;  // this document fills a block
    while (shingles.size() < size) shingles.insert({static_cast<std::uint32_t>(random()), document});
    if (i % 7 == 0) shingles.insert({{0, document}, {UINT32_MAX, document}});
    std::vector<std::uint32_t> listed;
    for (const auto& [shingle, holder] : shingles) listed.push_back(shingle);
    ASSERT_TRUE(writers[i % 2].add(document, listed));
    expected.merge(shingles);
  }
  for (ShingleLists::Writer& writer : writers) ASSERT_TRUE(writer.flush());
  PodVector<std::uint64_t> words;
  for (unsigned range = 0; range < ShingleLists::kRanges; ++range)
    ASSERT_TRUE(lists.for_each(range, words, [&](std::uint32_t shingle, DocId document) {
      EXPECT_EQ(shingle >> ShingleLists::kRestBits, range);
      EXPECT_TRUE(found.insert({shingle, document}).second) << "listed twice";
    }));
  EXPECT_EQ(found, expected);
}

// Memory for all lists, for some blocks, and for none: then the partitions have them.
INSTANTIATE_TEST_SUITE_P(Lists, ShingleListsWithRoom, testing::Values(1 << 30, 100'000, 0));

}  // namespace
}  // namespace leitong
