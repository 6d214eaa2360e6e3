#include "cluster/kinship.hpp"

#include <gtest/gtest.h>

namespace leitong {
namespace {

TEST(Kinship, NumbersAFamilyByItsFirstDocumentForAnyOrderOfJoins) {
  Kinship forward(6), backward(6);
  EXPECT_TRUE(forward.join(1, 4));
  EXPECT_TRUE(forward.join(4, 5));
  EXPECT_FALSE(forward.join(5, 1));
  EXPECT_TRUE(backward.join(5, 4));
  EXPECT_TRUE(backward.join(4, 1));
  for (DocId d = 0; d < 6; ++d) {
    EXPECT_EQ(forward.family(d), d == 4 || d == 5 ? 1 : d);
    EXPECT_EQ(backward.family(d), forward.family(d));
  }
  EXPECT_TRUE(forward.together(4, 5));
  EXPECT_FALSE(forward.together(0, 5));
}

TEST(Kinship, IsTheSameWhenItsPathsAreShort) {
  Kinship families(100);
  for (DocId d = 99; d > 0; --d) families.join(d, d - 1);
  families.shorten();
  for (DocId d = 0; d < 100; ++d) EXPECT_EQ(families.family(d), 0u);
}

}  // namespace
}  // namespace leitong
