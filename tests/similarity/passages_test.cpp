#include "similarity/passages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace leitong {
namespace {

using Units = std::vector<Unit>;

// The definition of shared_runs(), implemented directly.
class SlowTiling {
 public:
  SlowTiling(const Units& a, const Units& b) : a_(a), b_(b), taken_a_(a.size()), taken_b_(b.size()) {}

  std::vector<UnitRun> tile(std::size_t at_least) {
    const std::size_t shorter = std::min(a_.size(), b_.size());
    if (shorter == 0) return {};
    at_least = std::min(at_least, shorter);
    std::size_t block = at_least;
    while (block * 2 <= shorter) block *= 2;
    for (; block >= at_least; block /= 2) level(block, block);
    level(at_least, 1);
    std::sort(runs_.begin(), runs_.end(), [](const UnitRun& x, const UnitRun& y) { return x.a < y.a; });
    return runs_;
  }

 private:
  bool equal_and_free(std::size_t i, std::size_t j) const {
    return i < a_.size() && j < b_.size() && !taken_a_[i] && !taken_b_[j] && a_[i] == b_[j];
  }
  void level(std::size_t block, std::size_t step) {
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t j = 0; j < b_.size(); j += step) {
        std::size_t n = 0;
        while (n < block && equal_and_free(i + n, j + n)) ++n;
        if (n < block) continue;
        std::size_t begin = i, other = j, end = i + n;
        while (begin > 0 && other > 0 && equal_and_free(begin - 1, other - 1)) --begin, --other;
        while (equal_and_free(end, other + (end - begin))) ++end;
        runs_.push_back({begin, other, end - begin});
        for (std::size_t k = 0; k < end - begin; ++k) taken_a_[begin + k] = taken_b_[other + k] = true;
        break;
      }
  }

  const Units &a_, &b_;
  std::vector<bool> taken_a_, taken_b_;
  std::vector<UnitRun> runs_;
};

Units random_units(std::mt19937& random, std::size_t length, Unit alphabet) {
  Units units(length);
  for (Unit& unit : units) unit = 0x4E00 + random() % alphabet;
  return units;
}

/// `text` with some stretches copied, moved and replaced.
Units reworked(std::mt19937& random, Units text, int steps, Unit alphabet) {
  for (; steps > 0 && text.size() > 10; --steps) {
    const std::size_t from = random() % text.size(),
                      length = 1 + random() % std::min<std::size_t>(text.size() - from, 60);
    const Units stretch(text.begin() + static_cast<std::ptrdiff_t>(from),
                        text.begin() + static_cast<std::ptrdiff_t>(from + length));
    const auto to = static_cast<std::ptrdiff_t>(random() % text.size());
    switch (random() % 3) {
      case 0:
        text.insert(text.begin() + to, stretch.begin(), stretch.end());
        break;
      case 1:
        text.erase(text.begin() + to, text.begin() + std::min<std::ptrdiff_t>(to + 20, std::ssize(text)));
        break;
      default:
        text[static_cast<std::size_t>(to)] = 0x4E00 + random() % alphabet;
    }
  }
  return text;
}

std::size_t total(const std::vector<UnitRun>& runs) {
  std::size_t units = 0;
  for (const UnitRun& run : runs) units += run.length;
  return units;
}

TEST(SharedRuns, EqualTheSlowTwins) {
  std::mt19937 random(1);
  for (const Unit alphabet : {1u, 2u, 4u, 50u}) {
    for (int round = 0; round < 150; ++round) {
      const Units a = random_units(random, random() % 250, alphabet);
      const Units b =
          round % 2 == 0 ? random_units(random, random() % 250, alphabet) : reworked(random, a, 6, alphabet);
      const std::size_t at_least = 1 + random() % 9;
      ASSERT_EQ(shared_runs(a, b, at_least), SlowTiling(a, b).tile(at_least))
          << "alphabet " << alphabet << " round " << round;
    }
  }
}

TEST(SharedRuns, AreEqualDisjointMaximalAndComplete) {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    const Unit alphabet = round % 2 == 0 ? 3 : 400;
    const Units a = random_units(random, 50 + random() % 2000, alphabet),
                b = reworked(random, a, 12, alphabet);
    constexpr std::size_t kAtLeast = 5;
    std::vector<bool> taken_a(a.size()), taken_b(b.size());
    for (const UnitRun& run : shared_runs(a, b, kAtLeast)) {
      ASSERT_GE(run.length, kAtLeast);
      for (std::size_t i = 0; i < run.length; ++i) {
        ASSERT_EQ(a[run.a + i], b[run.b + i]);
        ASSERT_FALSE(taken_a[run.a + i] || taken_b[run.b + i]);
        taken_a[run.a + i] = taken_b[run.b + i] = true;
      }
    }
    // No stretch of kAtLeast units that is in no run remains in both texts.
    const auto free_grams = [](const Units& units, const std::vector<bool>& taken) {
      std::vector<Units> grams;
      for (std::size_t i = 0; i + kAtLeast <= units.size(); ++i) {
        Units gram;
        for (std::size_t k = i; k < i + kAtLeast && !taken[k]; ++k) gram.push_back(units[k]);
        if (gram.size() == kAtLeast) grams.push_back(gram);
      }
      std::sort(grams.begin(), grams.end());
      return grams;
    };
    std::vector<Units> left;
    const auto of_a = free_grams(a, taken_a), of_b = free_grams(b, taken_b);
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(left));
    ASSERT_TRUE(left.empty());
  }
}

TEST(SharedRuns, OfATextWithItselfAreOne) {
  std::mt19937 random(3);
  for (const std::size_t length : {1, 4, 5, 16, 1000}) {
    const Units text = random_units(random, length, 100);
    EXPECT_EQ(shared_runs(text, text, 5), (std::vector<UnitRun>{{0, 0, length}}));
  }
}

TEST(SharedRuns, OfEmptyOrUnrelatedTextsAreNone) {
  EXPECT_TRUE(shared_runs({}, {}, 5).empty());
  EXPECT_TRUE(shared_runs(Units{1, 2, 3}, {}, 5).empty());
  EXPECT_TRUE(shared_runs(Units{1, 2, 3, 4, 5}, Units{6, 7, 8, 9, 10}, 5).empty());
}

TEST(SharedRuns, FindAShortTextWholeInALongOne) {
  EXPECT_EQ(shared_runs(Units{2, 3}, Units{1, 2, 3, 4}, 5), (std::vector<UnitRun>{{0, 1, 2}}));
  EXPECT_TRUE(shared_runs(Units{2, 4}, Units{1, 2, 3, 4}, 5).empty());
}

TEST(SharedRuns, FollowMovedText) {
  std::mt19937 random(4);
  const Units first = random_units(random, 300, 5000), second = random_units(random, 200, 5000);
  Units a = first, b = second;
  a.insert(a.end(), second.begin(), second.end());
  b.insert(b.end(), first.begin(), first.end());
  EXPECT_EQ(shared_runs(a, b, 5), (std::vector<UnitRun>{{0, 200, 300}, {300, 0, 200}}));
}

TEST(SharedRuns, TakeNearlyLinearTimeOnTextsThatRepeatThemselves) {
  // Quadratic work on these would not end within the test's time limit.
  const Units ones(400'000, 7);
  EXPECT_EQ(total(shared_runs(ones, Units(300'000, 7), 5)), 300'000u);

  Units loop, other;
  for (int i = 0; i < 400'000; ++i) {
    loop.push_back(static_cast<Unit>(i % 10));
    other.push_back(static_cast<Unit>(i % 13 == 12 ? 99 : i % 13 % 10));
  }
  const auto runs = shared_runs(loop, other, 5);
  EXPECT_GT(total(runs), 200'000u);
}

TEST(PassageUnits, GrowWithTheLogarithmOfTheSizes) {
  EXPECT_EQ(passage_units(0, 0), 5u);
  EXPECT_EQ(passage_units(1000, 1000), 5u);
  EXPECT_EQ(passage_units(10'000, 10'000), 7u);
  EXPECT_EQ(passage_units(5'000'000, 5'000'000), 12u);
}

std::string_view cut(std::string_view text, ByteRange range) {
  return text.substr(range.begin, range.size());
}

TEST(SharedPassages, AreBytesOfTheOriginals) {
  const std::string_view a = "Intro. The quick brown fox, 敏捷的棕色狐狸跳过懒狗。 End of it.";
  const std::string_view b = "《敏捷的棕色狐狸，跳過懶狗》 -- THE QUICK BROWN FOX! Nothing else";
  const SharedPassages shared = shared_passages(a, b);
  ASSERT_EQ(shared.passages.size(), 2u);
  EXPECT_EQ(cut(a, shared.passages[0].a), "The quick brown fox");
  EXPECT_EQ(cut(b, shared.passages[0].b), "THE QUICK BROWN FOX");
  EXPECT_EQ(cut(a, shared.passages[1].a), "敏捷的棕色狐狸跳过懒狗");
  EXPECT_EQ(cut(b, shared.passages[1].b), "敏捷的棕色狐狸，跳過懶狗");
  EXPECT_EQ(shared.units_shared, shared.passages[0].units + shared.passages[1].units);
  EXPECT_GT(shared.coverage_a(), .5);
  EXPECT_LT(shared.coverage_a(), 1);
}

TEST(SharedPassages, NeverOverlapInBytesWhereOneCharacterIsManyUnits) {
  // U+FDFA folds to eighteen letters: a run may begin within it.
  const std::string_view a = "\uFDFA abcdefghij \uFDFA\uFDFA", b = "\uFDFA\uFDFA abcdefghij";
  const SharedPassages shared = shared_passages(a, b);
  for (const bool side_a : {true, false}) {
    std::vector<ByteRange> ranges;
    for (const Passage& passage : shared.passages) ranges.push_back(side_a ? passage.a : passage.b);
    std::sort(ranges.begin(), ranges.end(), [](auto x, auto y) { return x.begin < y.begin; });
    for (std::size_t i = 1; i < ranges.size(); ++i) EXPECT_LE(ranges[i - 1].end, ranges[i].begin);
  }
}

TEST(SharedPassages, OfEmptyTexts) {
  const SharedPassages shared = shared_passages("", "text");
  EXPECT_TRUE(shared.passages.empty());
  EXPECT_EQ(shared.coverage_a(), 0);
  EXPECT_EQ(shared.coverage_b(), 0);
}

}  // namespace
}  // namespace leitong
