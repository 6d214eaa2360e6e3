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

bool throughout(const Hashes& ordered, const Hashes& other) {
  const Hashes set = sorted(other);
  return is_shared(ordered, HashLookup(set), kThroughout);
}

TEST(HashLookup, FindsWhatABinarySearchFinds) {
  for (const std::size_t count : {0, 1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 1'000, 4'096, 70'000}) {
    for (const unsigned crowd : {0, 12, 24}) {  // the hashes share so many of their first bits
      Hashes set;
      for (const std::uint32_t hash : shingles(count, count)) set.push_back(hash >> crowd);
      set = sorted(set);
      set.erase(std::unique(set.begin(), set.end()), set.end());
      Hashes asked = {0, 1, UINT32_MAX, UINT32_MAX - 1};
      for (const std::uint32_t hash : set) asked.insert(asked.end(), {hash - 1, hash, hash + 1});
      const HashLookup lookup(set);
      for (const std::uint32_t hash : asked)
        ASSERT_EQ(lookup.contains(hash), std::binary_search(set.begin(), set.end(), hash))
            << hash << " of " << set.size();
    }
  }
}

TEST(SharedThroughout, AnEditedCopyIs) {
  Hashes copy = shingles(1, 1'000);
  // Half of the shingles are lost, evenly.
  for (std::size_t i = 0; i < copy.size(); i += 2)
    copy[i] = static_cast<std::uint32_t>(mix64(i + (1ull << 50)));
  EXPECT_TRUE(throughout(copy, shingles(1, 1'000)));
}

TEST(SharedThroughout, TwoPagesOfOneTemplateAreNot) {
  Hashes page = shingles(1, 600), other = page;
  for (const std::uint32_t shingle : shingles(2, 400)) page.insert(page.begin() + 300, shingle);
  for (const std::uint32_t shingle : shingles(3, 400)) other.insert(other.begin() + 300, shingle);
  EXPECT_FALSE(throughout(page, other));
  EXPECT_FALSE(throughout(other, page));
}

TEST(SharedThroughout, OneStretchInTenMayBeForeign) {
  for (const std::size_t foreign : {1, 2}) {
    Hashes text = shingles(1, 10 * kStretch);
    for (std::size_t i = 0; i < foreign * kStretch; ++i)
      text[i] = static_cast<std::uint32_t>(mix64(i + (1ull << 51)));
    EXPECT_EQ(throughout(text, shingles(1, 10 * kStretch)), foreign == 1);
  }
}

TEST(SharedThroughout, NothingIsSharedWithNothing) {
  EXPECT_FALSE(throughout(shingles(1, 5), {}));
  EXPECT_TRUE(throughout({}, {}));
}

}  // namespace
}  // namespace leitong
