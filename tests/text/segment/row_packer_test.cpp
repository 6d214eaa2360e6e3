#include "text/segment/row_packer.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace leitong {
namespace {

TEST(RowPacker, NoSlotAndNoBaseIsTakenTwice) {
  constexpr std::uint32_t kWidth = 300;
  std::mt19937 random(1);
  RowPacker packer(kWidth, 100'000);
  std::set<std::uint32_t> bases, slots;
  for (int row = 0; row < 500; ++row) {
    std::set<std::uint32_t> columns;
    for (std::size_t n = 1 + random() % 20; columns.size() < n;) columns.insert(random() % kWidth);
    const auto base = packer.place(std::vector(columns.begin(), columns.end()));
    ASSERT_TRUE(base.has_value());
    EXPECT_GT(*base, 0u);
    EXPECT_TRUE(bases.insert(*base).second);
    for (const std::uint32_t column : columns) {
      EXPECT_TRUE(slots.insert(*base + column).second);
      EXPECT_LT(*base + kWidth - 1, packer.size());
    }
  }
  EXPECT_LT(packer.size(), 2 * slots.size() + kWidth);  // it is dense
}

TEST(RowPacker, SaysWhenNothingIsLeft) {
  RowPacker packer(4, 10);
  int placed = 0;
  while (packer.place(std::vector<std::uint32_t>{0, 1})) ++placed;
  EXPECT_GT(placed, 2);
  EXPECT_LT(placed, 10);
}

}  // namespace
}  // namespace leitong
