#include "index/hamming/join/table_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace leitong::hamming {
namespace {

const BitOrder<Fingerprint64> kNoOrder{std::span<const Fingerprint64>()};

std::vector<TablePass<Fingerprint64>> passes_of(const char* name, std::uint64_t size) {
  return table_passes(*named_plan<Fingerprint64>(name, 3), size, kNoOrder);
}

TEST(TablePass, HasEveryTableOnceAndUsesBitsOfAllItsKeys) {
  for (const std::string& name : plan_names<Fingerprint64>(3, 60))
    for (const std::uint64_t size : {0ull, 100ull, 1'000'000ull, 1'000'000'000ull}) {
      const auto plan = *named_plan<Fingerprint64>(name, 3);
      std::multiset<std::size_t> seen;
      for (const auto& pass : table_passes(plan, size, kNoOrder)) {
        ASSERT_FALSE(pass.tables.empty());
        EXPECT_TRUE(std::is_sorted(pass.tables.begin(), pass.tables.end()));
        for (const std::size_t table : pass.tables) {
          seen.insert(table);
          EXPECT_EQ(pass.first & ~plan.tables[table].key, 0u) << name;
          EXPECT_TRUE(plan.tables[table].radius == 0 || pass.tables.size() == 1) << name;
        }
        EXPECT_LE(count_ones(pass.first), 13u);
        EXPECT_EQ(pass.rest & (pass.first | ~plan.tables[pass.tables[0]].key), 0u) << name;
      }
      EXPECT_EQ(seen.size(), plan.tables.size()) << name;
      EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), plan.tables.size()) << name;
    }
}

TEST(TablePass, IsSharedByTablesThatAgreeInEnoughBits) {
  EXPECT_EQ(passes_of("blocks4", 1'000'000).size(), 4u);
  EXPECT_EQ(passes_of("cover7_5_3", 10'000'000).size(), 4u);     // of 5 tables
  EXPECT_EQ(passes_of("cover6_4_3", 100'000'000).size(), 4u);    // of 6
  EXPECT_EQ(passes_of("cover8_5_3", 1'000'000'000).size(), 4u);  // of 8
  EXPECT_EQ(passes_of("choose5_2", 100'000'000).size(), 4u);     // of 10
  // A block of 10 bits can't make partitions small enough here.
  EXPECT_EQ(passes_of("cover6_4_3", 10'000'000'000).size(), 4u);
  EXPECT_EQ(passes_of("cover7_5_3", 1'000'000'000).size(), 5u);
}

}  // namespace
}  // namespace leitong::hamming
