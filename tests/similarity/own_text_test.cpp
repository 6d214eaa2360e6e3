#include "similarity/own_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "made_up_texts.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint32_t> kept(const std::vector<std::uint32_t>& ordered, const LeastRun& least_run,
                                const std::vector<std::uint32_t>& templates) {
  PodVector<std::uint32_t> some;
  some.append(templates);
  keep_runs(ordered, least_run, some);
  return {some.begin(), some.end()};
}

TEST(KeepRuns, KeepsShinglesInARowOfTemplates) {
  const std::vector<std::uint32_t> ordered = {1, 9, 2, 3, 9, 5, 4, 6};
  EXPECT_THAT(kept(ordered, {1, 1}, {1, 2, 3, 4, 5, 6}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(kept(ordered, {2, 2}, {1, 2, 3, 4, 5, 6}), ElementsAre(2, 3, 4, 5, 6)) << "1 stands alone";
  EXPECT_THAT(kept(ordered, {3, 3}, {1, 2, 3, 4, 5, 6}), ElementsAre(4, 5, 6))
      << "the end of the text ends a run";
  EXPECT_THAT(kept(ordered, {4, 4}, {1, 2, 3, 4, 5, 6}), IsEmpty());
  EXPECT_THAT(kept({2, 9, 2, 3}, {2, 2}, {2, 3}), ElementsAre(2, 3)) << "one place in a run is enough";
  EXPECT_THAT(kept({}, {2, 2}, {}), IsEmpty());
}

TEST(KeepRuns, TakesShorterRunsAtTheEndsOfAText) {
  const std::vector<std::uint32_t> ordered = {1, 2, 9, 3, 4, 9, 5, 6};
  EXPECT_THAT(kept(ordered, {3, 2}, {1, 2, 3, 4, 5, 6}), ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(kept(ordered, {2, 2}, {1, 2, 3, 4, 5, 6}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(kept({1, 2}, {9, 2}, {1, 2}), ElementsAre(1, 2)) << "a whole text of templates";
  EXPECT_THAT(kept({1, 2}, {9, 3}, {1, 2}), IsEmpty());
}

TEST(SharedTemplates, AreThoseOfEitherText) {
  testing::Random random(1);
  for (int round = 0; round < 200; ++round) {
    // Of 60 shingles some have a mark; each text holds some of all of them, and some of its marked ones lie
    // in runs.
    std::vector<std::uint32_t> marked[2], templates[2];
    std::set<std::uint32_t> of_either;
    for (std::uint32_t s = 0; s < 60; ++s) {
      const bool is_marked = random.below(2) == 0, in_a = random.below(3) > 0, in_b = random.below(3) > 0;
      for (const int text : {0, 1}) {
        if (!is_marked || !(text == 0 ? in_a : in_b)) continue;
        marked[text].push_back(s);
        if (round % 4 != 0 && random.below(2) == 0) continue;
        templates[text].push_back(s);
        if (in_a && in_b) of_either.insert(s);
      }
    }
    EXPECT_EQ(shared_templates({templates[0], marked[0]}, {templates[1], marked[1]}), of_either.size());
  }
}

}  // namespace
}  // namespace leitong
