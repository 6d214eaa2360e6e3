#include "similarity/common_passage.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.hpp"
#include "feature/shingles.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

struct Text {
  explicit Text(PodVector<Unit> of, std::span<const std::uint32_t> templates = {}) : units(std::move(of)) {
    shingle_hashes(units, ordered);
    anchors = PassageAnchors(ordered, 60, templates);
  }
  PodVector<Unit> units;
  PodVector<std::uint32_t> ordered;
  PassageAnchors anchors;
};

std::size_t passage_of(const Text& a, const Text& b) {
  return PassageAnchors::longest_common(a.anchors, b.anchors);
}

PodVector<Unit> copy_of(std::span<const Unit> units) {
  PodVector<Unit> copy;
  copy.append(units);
  return copy;
}

// Units of a small alphabet, so that short runs are shared by chance.
PodVector<Unit> random_units(std::uint64_t seed, std::size_t count, std::uint32_t alphabet = 40) {
  PodVector<Unit> units;
  for (std::size_t i = 0; i < count; ++i)
    units.push_back(0x4E00 + static_cast<Unit>(mix64(seed * 1'000'003 + i) % alphabet));
  return units;
}

void append(PodVector<Unit>& units, std::span<const Unit> more) { units.append(more); }

PodVector<std::uint32_t> shingles_of(std::span<const Unit> units) {
  PodVector<std::uint32_t> set, scratch;
  shingle_set(units, set, scratch);
  return set;
}

// A reference implementation: every pair of places, and for each run the shingles that are no template.
std::size_t longest_run(const Text& a, const Text& b, std::span<const std::uint32_t> templates = {}) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < a.ordered.size(); ++i)
    for (std::size_t j = 0; j < b.ordered.size(); ++j) {
      std::size_t own = 0;
      for (std::size_t at = 0;
           i + at < a.ordered.size() && j + at < b.ordered.size() && a.ordered[i + at] == b.ordered[j + at];
           ++at)
        own += !std::ranges::binary_search(templates, a.ordered[i + at]);
      longest = std::max(longest, own);
    }
  return longest + 4 >= 60 ? longest + 4 : 0;
}

TEST(CommonPassage, IsAsLongAsComparingAllPlacesSays) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const PodVector<Unit> run = random_units(1000 + seed, 40 + seed);
    PodVector<Unit> a = random_units(2 * seed, 300), b = random_units(2 * seed + 1, 200);
    append(a, run);
    append(a, random_units(5000 + seed, 70));
    append(b, run);
    append(b, random_units(6000 + seed, 90));
    const Text x(std::move(a)), y(std::move(b));
    EXPECT_EQ(passage_of(x, y), longest_run(x, y)) << "seed " << seed;
    EXPECT_EQ(passage_of(y, x), passage_of(x, y));
  }
}

TEST(CommonPassage, OfStockPhrasesIsAsLongAsComparingAllPlacesSays) {
  std::size_t with_phrases = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    // A run of pieces between phrases that are template, with the phrases elsewhere in both texts as well.
    PodVector<Unit> run, a = random_units(2 * seed, 150), b = random_units(2 * seed + 1, 100), phrases;
    for (std::uint64_t i = 0; i < 5; ++i) {
      const PodVector<Unit> phrase = random_units(7000 + i, 5 + 3 * i);
      append(phrases, phrase);
      for (PodVector<Unit>* text : {&run, &a, &b}) {
        append(*text, random_units(8000 + 10 * seed + i + (text == &a) * 100'000 + (text == &b) * 200'000,
                                   (seed + 3 * i) % 17));
        append(*text, phrase);
      }
    }
    for (PodVector<Unit>* text : {&a, &b}) {
      append(*text, run);
      append(*text, random_units(9000 + seed + (text == &a), 50));
    }
    PodVector<std::uint32_t> templates;
    for (std::uint64_t i = 0; i < 5; ++i) templates.append(shingles_of(random_units(7000 + i, 5 + 3 * i)));
    std::sort(templates.begin(), templates.end());
    const Text x(std::move(a), templates), y(std::move(b), templates);
    EXPECT_EQ(passage_of(x, y), longest_run(x, y, templates)) << "seed " << seed;
    EXPECT_EQ(passage_of(y, x), passage_of(x, y));
    with_phrases += passage_of(x, y) > 0;
  }
  EXPECT_GT(with_phrases, 10u);
  EXPECT_LT(with_phrases, 50u) << "phrases alone are no passage";
}

TEST(CommonPassage, ContinuesAfterAStockPhraseWhichDoesNotCount) {
  const PodVector<Unit> phrase = random_units(1, 9);
  PodVector<Unit> run = random_units(2, 50);
  append(run, phrase);
  append(run, random_units(3, 51));
  PodVector<Unit> a = random_units(4, 80), b = random_units(5, 70);
  append(a, run);
  append(b, run);
  const PodVector<std::uint32_t> templates = shingles_of(phrase);
  EXPECT_EQ(passage_of(Text(copy_of(a)), Text(copy_of(b))), 110u);
  EXPECT_EQ(passage_of(Text(copy_of(a), templates), Text(copy_of(b), templates)), 105u)
      << "without the five shingles of the phrase";
}

TEST(CommonPassage, CountsNothingOfATemplate) {
  const PodVector<Unit> frame = random_units(1, 100), article = random_units(2, 80);
  PodVector<Unit> a = random_units(3, 50), b = random_units(4, 60);
  for (PodVector<Unit>* text : {&a, &b}) {
    append(*text, frame);
    append(*text, article);
  }
  const PodVector<std::uint32_t> templates = shingles_of(frame);
  EXPECT_EQ(passage_of(Text(copy_of(a)), Text(copy_of(b))), 180u);
  // Shingles that cross the border are not template.
  EXPECT_EQ(passage_of(Text(copy_of(a), templates), Text(copy_of(b), templates)), 84u);
  EXPECT_EQ(passage_of(Text(copy_of(a), templates), Text(copy_of(b))), 84u) << "template for either";
}

TEST(CommonPassage, IsNoneWhereTheSameShinglesAreInAnotherOrder) {
  // Equal sets of shingles, but no run: blocks of 30 units in another order.
  PodVector<Unit> a, b;
  for (std::uint64_t block = 0; block < 8; ++block) {
    append(a, random_units(block + 50, 30));
    append(b, random_units((block * 3 + 5) % 8 + 50, 30));
  }
  const Text x(std::move(a)), y(std::move(b));
  EXPECT_EQ(passage_of(x, y), 0u);
}

TEST(CommonPassage, OfATextThatIsTooShortIsNone) {
  const Text text(random_units(9, 59)), longer(random_units(9, 60));
  EXPECT_EQ(passage_of(text, text), 0u);
  EXPECT_EQ(passage_of(longer, longer), 60u);
}

TEST(CommonPassage, OfATextThatRepeatsItselfEndsInTime) {
  PodVector<Unit> one, other;
  for (std::size_t i = 0; i < 200'000; ++i) {
    one.push_back(0x4E00);
    other.push_back(0x4E00 + i % 3);
  }
  append(other, std::span<const Unit>(one).first(500));
  const Text constant(std::move(one)), periodic(std::move(other));
  EXPECT_GE(passage_of(constant, constant), 60u);
  EXPECT_EQ(passage_of(constant, periodic), 500u);
}

}  // namespace
}  // namespace leitong
