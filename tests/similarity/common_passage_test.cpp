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
    PodVector<std::uint32_t> all;
    shingle_hashes(units, all);
    ordered = without_templates(all, templates);
    anchors = PassageAnchors(ordered, 60);
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

// The twin: every pair of places.
std::size_t longest_run(std::span<const Unit> a, std::span<const Unit> b) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t run = 0;
      while (i + run < a.size() && j + run < b.size() && a[i + run] == b[j + run]) ++run;
      longest = std::max(longest, run);
    }
  return longest;
}

TEST(CommonPassage, IsAsLongAsComparingAllPlacesSays) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const PodVector<Unit> run = random_units(1000 + seed, 40 + seed);
    PodVector<Unit> a = random_units(2 * seed, 300), b = random_units(2 * seed + 1, 200);
    append(a, run);
    append(a, random_units(5000 + seed, 70));
    append(b, run);
    append(b, random_units(6000 + seed, 90));
    const std::size_t expected = longest_run(a, b);
    const Text x(std::move(a)), y(std::move(b));
    EXPECT_EQ(passage_of(x, y), expected >= 60 ? expected : 0) << "seed " << seed;
    EXPECT_EQ(passage_of(y, x), passage_of(x, y));
  }
}

TEST(CommonPassage, EndsWhereATemplateBegins) {
  const PodVector<Unit> frame = random_units(1, 100), article = random_units(2, 80);
  PodVector<Unit> a = random_units(3, 50), b = random_units(4, 60);
  for (PodVector<Unit>* text : {&a, &b}) {
    append(*text, frame);
    append(*text, article);
  }
  PodVector<std::uint32_t> templates, scratch;
  shingle_set(frame, templates, scratch);
  EXPECT_EQ(passage_of(Text(copy_of(a)), Text(copy_of(b))), 180u);
  // Shingles that straddle the border aren't template.
  EXPECT_EQ(passage_of(Text(copy_of(a), templates), Text(copy_of(b), templates)), 84u);
  EXPECT_EQ(passage_of(Text(copy_of(a), templates), Text(copy_of(b))), 84u) << "template for either";
}

TEST(CommonPassage, IsNoneWhereTheSameShinglesStandElsewhere) {
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
