#include "base/array_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace leitong {
namespace {

TEST(ArrayPool, ItsCopiesStayWhereTheyAreWhateverTheirNumberAndSize) {
  ArrayPool pool;
  std::vector<std::vector<std::uint32_t>> arrays;
  std::vector<std::span<const std::uint32_t>> copies;
  for (const std::size_t size : {0U, 1U, 3U, 100'000U, 7U}) {
    for (std::uint32_t i = 0; i < 3'000 / (1 + size / 100); ++i) {
      arrays.emplace_back(size);
      std::iota(arrays.back().begin(), arrays.back().end(), i);
      copies.push_back(pool.copy(std::span<const std::uint32_t>(arrays.back())));
    }
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) ASSERT_TRUE(std::ranges::equal(arrays[i], copies[i]));
}

TEST(ArrayPool, ArraysOfAnyTypeAreAligned) {
  ArrayPool pool;
  const std::array<char, 3> letters = {'a', 'b', 'c'};
  const std::array<double, 2> numbers = {1, 2};
  (void)pool.copy(std::span<const char>(letters));
  const auto copy = pool.copy(std::span<const double>(numbers));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.data()) % alignof(double), 0U);
  EXPECT_TRUE(std::ranges::equal(copy, numbers));
}

}  // namespace
}  // namespace leitong
