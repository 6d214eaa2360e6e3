// Parts that do not count: runs of a base against the slow twin that looks at every run.
#include "trim/base_parts.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {
namespace {

PodVector<Unit> units_of(std::string_view text) {
  PodVector<Unit> units;
  to_units(text, units);
  return units;
}

PartHash hash_of_part(std::string_view part) {
  PodVector<Unit> units;
  fold_units(part, Marks::fold, units);
  return hash_of_units(units.data(), units.size());
}

/// A text of few characters that copies from others.
std::string random_text(std::mt19937& random, const std::vector<std::string>& others) {
  constexpr std::size_t kCharacter = 3;  // bytes
  const auto number = [&](std::size_t below) { return random() % below; };
  std::string text;
  while (text.size() < kCharacter * (60 + number(200))) {
    if (!others.empty() && number(2) == 0) {
      const std::string& from = others[number(others.size())];
      const std::size_t begin = number(from.size() / kCharacter);
      text += from.substr(kCharacter * begin, kCharacter * number(80));
    } else {
      for (std::size_t i = number(60); i > 0; --i)
        text += {'\xE4', '\xB8', static_cast<char>(0x80 + number(40))};
    }
  }
  return text;
}

std::set<std::vector<Unit>> runs_of(std::string_view text, std::size_t least) {
  std::set<std::vector<Unit>> runs;
  const PodVector<Unit> units = units_of(text);
  for (std::size_t i = 0; i + least <= units.size(); ++i) runs.emplace(&units[i], &units[i] + least);
  return runs;
}

/// The first units of the runs that no run of the base overlaps with.
std::set<std::size_t> left_by_twin(const PodVector<Unit>& units, const std::set<std::vector<Unit>>& base,
                                   std::size_t least) {
  const std::size_t runs = units.size() < least ? 0 : units.size() - least + 1;
  std::vector<bool> covered(units.size());
  for (std::size_t i = 0; i < runs; ++i)
    if (base.contains({&units[i], &units[i] + least}))
      for (std::size_t unit = i; unit < i + least; ++unit) covered[unit] = true;
  std::set<std::size_t> left;
  for (std::size_t i = 0; i < runs; ++i) {
    bool free = true;
    for (std::size_t unit = i; unit < i + least; ++unit) free = free && !covered[unit];
    if (free) left.insert(i);
  }
  return left;
}

TEST(BaseParts, RunsThatOverlapWithARunOfTheBaseAreLeftOut) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t least = RunKeys::kLeastRun + random() % 50;
    std::vector<std::string> texts;
    BaseParts base(TextPart::passage, least);
    std::set<std::vector<Unit>> base_runs;
    for (int i = 0; i < 3; ++i) {
      texts.push_back(random_text(random, texts));
      base.add(texts.back());
      base_runs.merge(runs_of(texts.back(), least));
    }
    base.finish();
    const PodVector<Unit> units = units_of(random_text(random, texts));
    KeyFilter every(1);
    for (std::uint64_t bit = 0; bit < (1u << 16); ++bit) every.add(bit);
    RunKeys keys(least);
    PodVector<RunSegment> segments;
    keys.segments_in(units, every, segments);
    base.leave_out(units, keys, segments);
    std::set<std::size_t> left;
    for (const RunSegment& segment : segments) {
      const PartHash hash = hash_of_units(&units[segment.at], segment.count - 1 + least);
      EXPECT_TRUE(segment.hash.high == hash.high && segment.hash.low == hash.low);
      for (std::uint32_t i = 0; i < segment.count; ++i) EXPECT_TRUE(left.insert(segment.at + i).second);
    }
    EXPECT_EQ(left, left_by_twin(units, base_runs, least));
  }
}

TEST(BaseParts, WithoutTextsNothingIsLeftOut) {
  BaseParts base(TextPart::passage, 10);
  base.finish();
  EXPECT_TRUE(base.empty());
  std::mt19937 random(4);
  const PodVector<Unit> units = units_of(random_text(random, {}));
  RunKeys keys(10);
  PodVector<RunSegment> segments;
  segments.push_back({.at = 0, .count = 5, .key = 1, .hash = {}});
  base.leave_out(units, keys, segments);
  EXPECT_EQ(segments.size(), 1u);
}

TEST(BaseParts, HoldsPartsThatAreEqualAfterFolding) {
  BaseParts base(TextPart::line, 3);
  base.add("第一題：船幾點開？\nYes\n");
  base.add("Question 2: when does the ferry leave?");
  base.finish();
  EXPECT_FALSE(base.empty());
  EXPECT_TRUE(base.holds(hash_of_part("第一题 船几点开")));
  EXPECT_TRUE(base.holds(hash_of_part("QUESTION 2 - when does the ferry leave")));
  EXPECT_FALSE(base.holds(hash_of_part("Question 3: when does the ferry leave?")));
  EXPECT_FALSE(base.holds(hash_of_part("Yes"))) << "it has fewer than 3 units";
}

TEST(BaseParts, AreToldApartByTheirHash) {
  const auto hash = [](std::initializer_list<std::string_view> texts) {
    BaseParts base(TextPart::line, 1);
    for (const std::string_view text : texts) base.add(text);
    base.finish();
    return base.hash();
  };
  EXPECT_EQ(hash({"a ferry", "a bridge"}), hash({"A bridge!\na ferry\na ferry"}));
  EXPECT_NE(hash({"a ferry"}), hash({"a bridge"}));
  EXPECT_NE(hash({}), hash({"a bridge"}));
}

}  // namespace
}  // namespace leitong
