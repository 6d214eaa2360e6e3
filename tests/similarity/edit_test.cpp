#include "similarity/edit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string_view>
#include <vector>

namespace leitong {
namespace {

using Symbols = std::vector<std::uint32_t>;

// The textbook's table, row by row.
std::size_t slow_distance(const Symbols& a, const Symbols& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// The steps of EditPath by the textbook's table, the last one first.
std::vector<EditPath::Step> slow_steps(const Symbols& a, const Symbols& b) {
  std::vector<std::vector<std::size_t>> cell(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j)
      cell[i][j] = i == 0 || j == 0 ? i + j
                                    : std::min({cell[i - 1][j] + 1, cell[i][j - 1] + 1,
                                                cell[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
  std::vector<EditPath::Step> steps;
  for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    const bool equal = a[i - 1] == b[j - 1], replace = cell[i][j] == cell[i - 1][j - 1] + 1,
               remove = cell[i][j] == cell[i - 1][j] + 1;
    steps.push_back(equal     ? EditPath::Step::equal
                    : replace ? EditPath::Step::replace
                    : remove  ? EditPath::Step::remove
                              : EditPath::Step::add);
    i -= equal || replace || remove;
    j -= equal || replace || !remove;
  }
  return steps;
}

std::vector<EditPath::Step> steps_of(const EditPath& path, std::size_t i, std::size_t j) {
  std::vector<EditPath::Step> steps;
  while (i > 0 && j > 0) {
    const EditPath::Step step = path.last(i, j);
    steps.push_back(step);
    i -= step != EditPath::Step::add;
    j -= step != EditPath::Step::remove;
  }
  return steps;
}

Symbols symbols(std::string_view text) { return {text.begin(), text.end()}; }

Symbols random_text(std::mt19937& random, std::size_t length, std::uint32_t alphabet) {
  Symbols text(length);
  for (auto& symbol : text) symbol = 0x4E00u + random() % alphabet * 0x10001u;
  return text;
}

Symbols edited(std::mt19937& random, Symbols text, std::size_t edits, std::uint32_t alphabet) {
  for (; edits > 0; --edits) {
    const std::size_t at = random() % (text.size() + 1);
    const std::uint32_t symbol = random_text(random, 1, alphabet)[0];
    const unsigned kind = text.empty() || at == text.size() ? 0 : random() % 3;
    if (kind == 0) {
      text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), symbol);
    } else if (kind == 1) {
      text[at] = symbol;
    } else {
      text.erase(text.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return text;
}

void expect_exact(const Symbols& a, const Symbols& b) {
  const std::size_t distance = slow_distance(a, b);
  ASSERT_EQ(edit_distance(a, b), distance) << a.size() << ' ' << b.size();
  ASSERT_EQ(edit_distance(b, a), distance) << a.size() << ' ' << b.size();
  ASSERT_EQ(edit_distance(a, b, distance), distance) << a.size() << ' ' << b.size();
  ASSERT_EQ(edit_distance(a, b, distance + 1), distance) << a.size() << ' ' << b.size();
  if (distance > 0) {
    ASSERT_EQ(edit_distance(a, b, distance - 1), std::nullopt) << a.size() << ' ' << b.size();
    ASSERT_EQ(edit_distance(b, a, distance / 2), std::nullopt) << a.size() << ' ' << b.size();
  }
}

TEST(EditDistance, KnownPairs) {
  EXPECT_EQ(edit_distance(symbols("kitten"), symbols("sitting")), 3u);
  EXPECT_EQ(edit_distance(symbols("intention"), symbols("execution")), 5u);
  EXPECT_EQ(edit_distance(symbols(""), symbols("")), 0u);
  EXPECT_EQ(edit_distance(symbols(""), symbols("abc")), 3u);
  EXPECT_EQ(edit_distance(symbols("abc"), symbols("abc"), 0), 0u);
  EXPECT_EQ(edit_distance(symbols("abc"), symbols("abd"), 0), std::nullopt);
}

TEST(EditDistance, OfUnrelatedTextsIsExact) {
  std::mt19937 random(1);
  for (const std::uint32_t alphabet : {1u, 2u, 4u, 30u, 5000u})
    for (int round = 0; round < 40; ++round)
      expect_exact(random_text(random, random() % 300, alphabet),
                   random_text(random, random() % 300, alphabet));
}

TEST(EditDistance, OfEditedCopiesIsExact) {
  std::mt19937 random(2);
  for (const std::uint32_t alphabet : {2u, 4u, 5000u}) {
    for (int round = 0; round < 60; ++round) {
      const Symbols text = random_text(random, random() % 700, alphabet);
      expect_exact(text, edited(random, text, random() % (1 + text.size() / 4), alphabet));
    }
  }
}

TEST(EditDistance, IsExactAroundWordBoundaries) {
  std::mt19937 random(3);
  for (const std::size_t length :
       {1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 319, 320, 321, 511, 512, 513}) {
    for (const std::uint32_t alphabet : {3u, 1000u}) {
      const Symbols text = random_text(random, length, alphabet);
      expect_exact(text, random_text(random, length, alphabet));
      expect_exact(text, edited(random, text, 1 + length / 20, alphabet));
    }
  }
}

TEST(EditDistance, IsExactWhereTheTextsShiftAgainstEachOther) {
  std::mt19937 random(4);
  for (const std::size_t shift : {1, 31, 64, 100, 300}) {
    const Symbols text = random_text(random, 600, 1000);
    Symbols moved = random_text(random, shift, 1000);
    moved.insert(moved.end(), text.begin(), text.end());
    expect_exact(text, moved);
    moved.resize(text.size());
    expect_exact(text, moved);
    moved.push_back(7);
    std::rotate(moved.begin(), moved.begin() + 200, moved.end());
    expect_exact(text, moved);
  }
}

TEST(EditDistance, NeverExceedsTheCutoffItWasGiven) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const Symbols a = random_text(random, random() % 400, 3);
    const Symbols b = edited(random, a, random() % 100, 3);
    const std::size_t distance = slow_distance(a, b), cutoff = random() % 120;
    const auto found = edit_distance(a, b, cutoff);
    ASSERT_EQ(found, distance <= cutoff ? std::optional(distance) : std::nullopt);
  }
}

// Symbols that one text lacks may be enough for the decision; here as many are missing as are allowed, or one
// more.
TEST(EditDistance, IsExactWhereTheSymbolsAloneNearlyDecide) {
  std::mt19937 random(8);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t alphabet = round % 2 == 0 ? 3000 : 30;
    const Symbols a = random_text(random, 65 + random() % 300, alphabet);
    Symbols b = edited(random, a, random() % 5, alphabet);
    std::uint32_t other = 100'000;  // held by neither
    for (std::size_t i = random() % 30; i > 0; --i) b[random() % b.size()] = other++;
    const std::size_t distance = slow_distance(a, b);
    for (const std::size_t cutoff : {distance - 1, distance, distance + 1, std::size_t{20}}) {
      const auto expected = distance <= cutoff ? std::optional(distance) : std::nullopt;
      ASSERT_EQ(edit_distance(a, b, cutoff), expected);
      ASSERT_EQ(edit_distance(b, a, cutoff), expected);
    }
  }
}

// The same where both hold the same symbols, but not as often.
TEST(EditDistance, IsExactWhereTheNumbersOfSymbolsNearlyDecide) {
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    const Symbols a = random_text(random, 65 + random() % 200, 40), other = random_text(random, 1, 40);
    Symbols b = random_text(random, 65 + random() % 200, 40);
    for (std::size_t i = random() % b.size(); i > 0; --i) b[random() % b.size()] = other[0];
    if (round % 3 == 0) std::ranges::sort(b);
    const std::size_t distance = slow_distance(a, b);
    for (const std::size_t cutoff : {distance / 2, distance - 1, distance, distance + 1}) {
      const auto expected = distance <= cutoff ? std::optional(distance) : std::nullopt;
      ASSERT_EQ(edit_distance(a, b, cutoff), expected);
      ASSERT_EQ(edit_distance(b, a, cutoff), expected);
    }
  }
}

TEST(EditSimilarity, IsOneMinusTheDistanceOverTheLongerLength) {
  EXPECT_DOUBLE_EQ(edit_similarity(symbols("kitten"), symbols("sitting")), 1 - 3.0 / 7);
  EXPECT_EQ(edit_similarity(symbols(""), symbols("")), 1);
  EXPECT_EQ(edit_similarity(symbols(""), symbols("a")), 0);
  EXPECT_EQ(edit_similarity(symbols("same"), symbols("same"), 1), 1);
}

TEST(EditSimilarity, IsExactAtTheBoundAndZeroBelowIt) {
  std::mt19937 random(6);
  for (int round = 0; round < 500; ++round) {
    const Symbols a = random_text(random, random() % 200, 4);
    const Symbols b = edited(random, a, random() % 50, 4);
    const double similarity = edit_similarity(a, b);
    ASSERT_EQ(edit_similarity(a, b, similarity), similarity);
    ASSERT_EQ(edit_similarity(a, b, similarity / 2), similarity);
    ASSERT_EQ(edit_similarity(a, b, (similarity + 1) / 2), similarity == 1 ? 1 : 0);
  }
}

TEST(EditPath, FollowsTheFewestEditsAsTheTextbooksTableDoes) {
  std::mt19937 random(7);
  EditPath path;
  for (int round = 0; round < 600; ++round) {
    const std::uint32_t alphabet = 2 + random() % 60;
    const Symbols a = random_text(random, 1 + random() % (round % 5 == 0 ? 200 : 40), alphabet);
    Symbols b = round % 2 == 0 ? edited(random, a, random() % 12, alphabet)
                               : random_text(random, 1 + random() % 150, alphabet);
    if (b.empty()) b.push_back(1);
    const std::size_t distance = slow_distance(a, b);
    ASSERT_EQ(path.find(a, b, distance), distance);
    ASSERT_EQ(steps_of(path, a.size(), b.size()), slow_steps(a, b)) << a.size() << ' ' << b.size();
    if (distance > 0) ASSERT_EQ(path.find(a, b, distance - 1), std::nullopt);
  }
}

}  // namespace
}  // namespace leitong
