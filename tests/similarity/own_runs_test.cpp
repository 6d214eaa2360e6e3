#include "similarity/own_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace leitong {
namespace {

using Text = std::vector<std::uint32_t>;

// Positions `begin` .. `end` - 1 of a long text in which no shingle repeats.
Text stretch(std::uint32_t begin, std::uint32_t end) {
  Text text(end - begin);
  std::iota(text.begin(), text.end(), begin);
  for (std::uint32_t& shingle : text) shingle *= 2'654'435'761U;  // spread like hashes; a bijection
  return text;
}

Text joined(const std::vector<Text>& parts) {
  Text all;
  for (const Text& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

OwnRuns runs_of(const Text& text, const Text& other) {
  const std::set<std::uint32_t> distinct(other.begin(), other.end());
  const Text set(distinct.begin(), distinct.end());
  return own_runs(text, HashLookup(set));
}

// Computed by the definition, position by position.
OwnRuns slow_runs_of(const Text& text, const Text& other) {
  const std::set<std::uint32_t> theirs(other.begin(), other.end());
  const std::size_t n = text.size();
  std::vector<bool> own(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t begin = i, end = i;
    if (theirs.contains(text[i])) continue;
    while (begin > 0 && !theirs.contains(text[begin - 1])) --begin;
    while (end < n && !theirs.contains(text[end])) ++end;
    own[i] = end - begin >= kOwnRun;
  }
  OwnRuns runs;
  runs.positions = static_cast<std::uint32_t>(n);
  runs.own = static_cast<std::uint32_t>(std::ranges::count(own, true));
  // Cuts off one run after another as long as one begins within eight positions.
  std::size_t lead = 0, last = n;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = lead; i < n && i <= lead + 8; ++i) {
      if (!own[i]) continue;
      while (i < n && own[i]) ++i;
      lead = i;
      again = true;
      break;
    }
  }
  for (bool again = true; again && last > lead;) {
    again = false;
    for (std::size_t i = last; i > lead && i + 8 >= last; --i) {
      if (!own[i - 1]) continue;
      while (i > lead && own[i - 1]) --i;
      last = i;
      again = true;
      break;
    }
  }
  runs.lead = static_cast<std::uint32_t>(lead);
  runs.tail = static_cast<std::uint32_t>(n - last);
  runs.own_between =
      static_cast<std::uint32_t>(std::count(own.begin() + static_cast<std::ptrdiff_t>(lead),
                                            own.begin() + static_cast<std::ptrdiff_t>(last), true));
  return runs;
}

void expect_equal(const OwnRuns& x, const OwnRuns& y) {
  EXPECT_EQ(x.positions, y.positions);
  EXPECT_EQ(x.own, y.own);
  EXPECT_EQ(x.lead, y.lead);
  EXPECT_EQ(x.tail, y.tail);
  EXPECT_EQ(x.own_between, y.own_between);
}

TEST(OwnRuns, AreThoseOfTheDefinition) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    // Shared and own stretches of any length, alternating.
    std::vector<Text> a, b;
    std::uint32_t at = 0;
    const unsigned parts = random() % 12;
    for (unsigned part = 0; part < parts; ++part) {
      const std::uint32_t length = random() % 60;
      const Text text = stretch(at, at + length);
      at += length;
      if (random() % 2 == 0) {
        a.push_back(text);
        b.push_back(text);
      } else {
        (random() % 2 == 0 ? a : b).push_back(text);
      }
    }
    const Text x = joined(a), y = joined(b);
    expect_equal(runs_of(x, y), slow_runs_of(x, y));
    expect_equal(runs_of(y, x), slow_runs_of(y, x));
    const OwnRuns of_x = runs_of(x, y), of_y = runs_of(y, x);
    if (is_same_work(of_x, of_y) || is_reprint(of_x, of_y) || is_reprint_of_sites(of_x, of_y)) {
      EXPECT_TRUE(may_be_same_work(of_x) && may_be_same_work(of_y));
    }
  }
}

TEST(OwnRuns, OfTextsWithoutAnythingInCommonAreTheWholeText) {
  const OwnRuns runs = runs_of(stretch(0, 100), stretch(100, 200));
  EXPECT_EQ(runs.own, 100u);
  EXPECT_EQ(runs.rest(), 0u);
  EXPECT_FALSE(is_same_work(runs, runs));
  EXPECT_FALSE(is_reprint(runs, runs));
  EXPECT_FALSE(may_be_same_work(runs));
}

TEST(SameWork, ScatteredEditsLeaveItOneAndOtherContentInOneFrameDoesNot) {
  const Text work = stretch(0, 1'000);
  Text edited = work;
  for (std::size_t i = 10; i + 5 < edited.size(); i += 20)
    for (std::size_t k = 0; k < 5; ++k) edited[i + k] += 1;  // one edit changes five shingles
  EXPECT_TRUE(is_same_work(runs_of(work, edited), runs_of(edited, work)));

  const Text frame = stretch(5'000, 5'700);
  const Text page = joined({frame, stretch(6'000, 6'300)}), other = joined({frame, stretch(7'000, 7'300)});
  EXPECT_FALSE(is_same_work(runs_of(page, other), runs_of(other, page)));
  // A bare page is contained in every other one, so own text on one side is enough.
  EXPECT_FALSE(is_same_work(runs_of(page, frame), runs_of(frame, page)));
}

TEST(SameWork, IsCertainWhereTooLittleIsLeftForOwnRuns) {
  EXPECT_TRUE(has_few_own(100, 86));
  EXPECT_FALSE(has_few_own(100, 85));
  EXPECT_FALSE(has_few_own(0, 0));
}

TEST(Reprint, LiesInsideOfBothTexts) {
  const Text work = stretch(0, 400);
  const auto page = [&](std::uint32_t from, std::uint32_t before, std::uint32_t behind) {
    return joined({stretch(from, from + before), work, stretch(from + 1'000, from + 1'000 + behind)});
  };
  const auto reprint = [&](const Text& a, const Text& b) { return is_reprint(runs_of(a, b), runs_of(b, a)); };
  EXPECT_TRUE(reprint(page(10'000, 80, 80), page(20'000, 60, 100)));
  EXPECT_FALSE(reprint(page(10'000, 160, 0), page(20'000, 160, 0))) << "what stands at an edge is a frame";
  EXPECT_FALSE(reprint(page(10'000, 200, 200), page(20'000, 200, 200))) << "half of the text is around it";
  EXPECT_FALSE(reprint(page(10'000, 20, 80), page(20'000, 60, 100))) << "too little before it";
  // On different sites the position does not matter.
  const Text a = page(10'000, 160, 0), b = page(20'000, 160, 0);
  EXPECT_TRUE(is_reprint_of_sites(runs_of(a, b), runs_of(b, a)));
}

TEST(Reprint, OfALongWorkMayBeAnywhere) {
  const Text work = stretch(0, 1'200);
  const Text a = joined({stretch(10'000, 10'900), work}), b = joined({stretch(20'000, 20'900), work});
  EXPECT_TRUE(is_reprint(runs_of(a, b), runs_of(b, a)));
  const Text c = joined({stretch(30'000, 31'300), work});
  EXPECT_FALSE(is_reprint(runs_of(a, c), runs_of(c, a))) << "less than half of the text";
}

}  // namespace
}  // namespace leitong
