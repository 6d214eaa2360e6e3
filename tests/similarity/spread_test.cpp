#include "similarity/spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/hash.hpp"

namespace leitong {
namespace {

using Hashes = std::vector<std::uint32_t>;

// `count` shingles; those of different seeds differ.
Hashes shingles(std::uint64_t seed, std::size_t count) {
  Hashes result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(static_cast<std::uint32_t>(mix64(seed << 32 | i)));
  return result;
}
Hashes sorted(Hashes hashes) {
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

TEST(SharedThroughout, AnEditedCopyIs) {
  Hashes copy = shingles(1, 1'000);
  // Half of the shingles are lost, evenly.
  for (std::size_t i = 0; i < copy.size(); i += 2)
    copy[i] = static_cast<std::uint32_t>(mix64(i + (1ull << 50)));
  EXPECT_TRUE(shared_throughout(copy, sorted(shingles(1, 1'000))));
}

TEST(SharedThroughout, TwoPagesOfOneTemplateAreNot) {
  Hashes page = shingles(1, 600), other = page;
  for (const std::uint32_t shingle : shingles(2, 400)) page.insert(page.begin() + 300, shingle);
  for (const std::uint32_t shingle : shingles(3, 400)) other.insert(other.begin() + 300, shingle);
  EXPECT_FALSE(shared_throughout(page, sorted(other)));
  EXPECT_FALSE(shared_throughout(other, sorted(page)));
}

TEST(SharedThroughout, OneStretchInTenMayBeForeign) {
  for (const std::size_t foreign : {1, 2}) {
    Hashes text = shingles(1, 10 * kStretch);
    for (std::size_t i = 0; i < foreign * kStretch; ++i)
      text[i] = static_cast<std::uint32_t>(mix64(i + (1ull << 51)));
    EXPECT_EQ(shared_throughout(text, sorted(shingles(1, 10 * kStretch))), foreign == 1);
  }
}

TEST(SharedThroughout, NothingIsSharedWithNothing) {
  EXPECT_FALSE(shared_throughout(shingles(1, 5), {}));
  EXPECT_TRUE(shared_throughout({}, {}));
}

}  // namespace
}  // namespace leitong
