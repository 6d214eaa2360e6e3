#include "similarity/relation.hpp"

#include <gtest/gtest.h>

namespace leitong {
namespace {

// The relation of a text of 1,000 units to one of `other`, which lacks `lost` of them and has replaced
// `reworded`.
Relation of(std::uint32_t lost, std::uint32_t reworded, std::uint32_t other, Loss more = {}) {
  more.own = 1000;
  more.lost = lost;
  more.reworded = reworded;
  return relation_of(more, 1000, other);
}

TEST(Relation, IsACopyWhereNeitherTextHasAnythingOfItsOwn) {
  EXPECT_EQ(of(0, 0, 1000), Relation::copy);
  EXPECT_EQ(of(5, 0, 1000), Relation::copy);
  EXPECT_EQ(of(6, 0, 1000), Relation::revision);
  EXPECT_EQ(of(0, 0, 1000, {.other_signs = true}), Relation::revision) << "x < y is not x > y";
}

TEST(Relation, IsAVersionOrAnExcerptWhereOneTextHasMore) {
  EXPECT_EQ(of(0, 0, 1040), Relation::revision);
  EXPECT_EQ(of(0, 0, 1100), Relation::version);
  EXPECT_EQ(of(0, 0, 1990), Relation::version);
  EXPECT_EQ(of(0, 0, 2010), Relation::excerpt);
  EXPECT_EQ(of(400, 0, 600), Relation::version) << "whichever of the two it is";
  EXPECT_EQ(of(600, 0, 400), Relation::excerpt);
}

TEST(Relation, IsARevisionWhereBothHaveTextOfTheirOwn) {
  EXPECT_EQ(of(30, 0, 1000), Relation::revision);
  EXPECT_EQ(of(200, 0, 1000), Relation::revision);
}

TEST(Relation, IsRewordedWhereMostDifferencesAreOtherWords) {
  EXPECT_EQ(of(0, 300, 1000), Relation::reworded);
  EXPECT_EQ(of(100, 300, 1000), Relation::reworded);
  EXPECT_EQ(of(300, 100, 1000), Relation::revision);
  EXPECT_EQ(of(0, 40, 1000), Relation::revision) << "few words are edits";
}

TEST(Relation, IsOneFormWhereNamesOrNumbersAloneDiffer) {
  EXPECT_EQ(of(0, 10, 1000, {.numbers = 4}), Relation::same_form);
  EXPECT_EQ(of(300, 10, 1000, {.numbers = 4}), Relation::revision);
  EXPECT_EQ(of(30, 10, 1000, {.renamed = true}), Relation::same_form);
}

TEST(Relation, OfAPairIsThatOfTheShorterText) {
  const Loss none{.own = 100}, most{.own = 1000, .lost = 900};
  EXPECT_EQ(relation_of({none, most}, 100, 1000), Relation::excerpt);
  EXPECT_EQ(relation_of({most, none}, 1000, 100), Relation::excerpt);
}

}  // namespace
}  // namespace leitong
