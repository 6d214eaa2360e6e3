#include "similarity/resemblance.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace leitong {
namespace {

using Set = std::vector<std::uint32_t>;

TEST(Resemblance, ByHand) {
  const Set a = {1, 2, 3, 4}, b = {3, 4, 5};
  EXPECT_DOUBLE_EQ(resemblance(a, b), 2.0 / 5);
  EXPECT_DOUBLE_EQ(resemblance(b, a), 2.0 / 5) << "symmetric";
  EXPECT_DOUBLE_EQ(containment(a, b), .5);
  EXPECT_DOUBLE_EQ(containment(b, a), 2.0 / 3) << "not symmetric";
  EXPECT_DOUBLE_EQ(resemblance(a, a), 1);
}

TEST(Resemblance, EmptySetsAreEqualAndLikeNothingElse) {
  EXPECT_DOUBLE_EQ(resemblance({}, {}), 1);
  EXPECT_DOUBLE_EQ(resemblance({}, Set{1}), 0);
  EXPECT_DOUBLE_EQ(containment({}, Set{1}), 1);
}

}  // namespace
}  // namespace leitong
