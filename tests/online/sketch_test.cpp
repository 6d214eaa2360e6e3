// Compares the Jaccard value that sketches estimate with the true one.
#include "online/sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/pod_vector.hpp"
#include "feature/shingles.hpp"
#include "random_texts.hpp"
#include "similarity/intersect.hpp"
#include "text/units.hpp"

namespace leitong::online {
namespace {

struct Sketched {
  explicit Sketched(const std::string& bytes) {
    PodVector<Unit> folded;
    to_units(bytes, folded);
    units = static_cast<std::uint32_t>(folded.size());
    PodVector<std::uint32_t> hashes, scratch;
    shingle_hashes(folded, hashes);
    text.set(hashes);
    shingle_set(folded, shingles, scratch);
  }

  [[nodiscard]] SketchedJaccard jaccard(const Sketched& other) const {
    return text.jaccard(other.units, other.text.sketch());
  }

  std::uint32_t units = 0;
  SketchedText text;
  PodVector<std::uint32_t> shingles;
};

double jaccard_of(const Sketched& a, const Sketched& b) {
  const auto shared = static_cast<double>(intersection_size(a.shingles, b.shingles));
  return shared / (static_cast<double>(a.shingles.size() + b.shingles.size()) - shared);
}

/// The errors over many pairs of a text and an edited copy of it, with or without other text before it.
struct Errors {
  double mean = 0, greatest = 0;
  int above = 0;  ///< pairs whose Jaccard value is above the upper bound of the sketches
};
Errors errors_of(std::size_t units, std::size_t more, double edits) {
  RandomTexts random(units + more);
  Errors errors;
  constexpr int kPairs = 400;
  for (int i = 0; i < kPairs; ++i) {
    const std::string text = random.text(units);
    const Sketched a(text), b(random.edited(text, edits) + random.text(more));
    const double jaccard = jaccard_of(a, b);
    for (const SketchedJaccard& by_sketch : {a.jaccard(b), b.jaccard(a)}) {
      const double error = by_sketch.estimate - jaccard;
      errors.mean += error / (2 * kPairs);
      errors.greatest = std::max(errors.greatest, std::abs(error));
      errors.above += jaccard > by_sketch.most + 1e-6;
    }
  }
  return errors;
}

TEST(Sketch, OfAShortTextIsABitmap) {
  EXPECT_TRUE(Sketch::is_bitmap(0));
  EXPECT_TRUE(Sketch::is_bitmap(132));
  EXPECT_FALSE(Sketch::is_bitmap(133));
}

TEST(Sketch, EstimatesTheJaccardValueOfShortTexts) {
  for (const std::size_t units : {16, 30, 60, 110}) {
    const Errors errors = errors_of(units, 0, .05);
    EXPECT_NEAR(errors.mean, 0, .02) << units;
    EXPECT_LT(errors.greatest, .25) << units;
  }
}

TEST(Sketch, NeverRefusesAShortText) {
  for (const double edits : {.01, .05, .2})
    for (const std::size_t more : {0, 10, 40}) EXPECT_EQ(errors_of(60, more, edits).above, 0) << edits;
}

TEST(Sketch, EstimatesTheJaccardValueOfLongTexts) {
  for (const std::size_t units : {200, 400, 2000}) {
    const Errors errors = errors_of(units, 0, .05);
    EXPECT_NEAR(errors.mean, 0, .02) << units;
    EXPECT_LE(errors.above, 8) << units << ": 2.5 standard deviations leave 1 in 160 out";
  }
}

TEST(Sketch, OfALongTextBesideAShortOneRefusesFew) {
  for (const std::size_t more : {100, 200, 400}) EXPECT_LE(errors_of(100, more, .02).above, 8) << more;
}

TEST(Sketch, ExcludesMostUnlikePairs) {
  RandomTexts random(7);
  for (const std::size_t units : {20, 40, 80, 300, 1000}) {
    int like = 0;
    for (int i = 0; i < 200; ++i)
      like += Sketched(random.text(units)).jaccard(Sketched(random.text(units))).most >= .3;
    EXPECT_LE(like, 10) << units;
  }
}

std::string times(const std::string& text, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

TEST(Sketch, KnowsThatATextMayRepeatItself) {
  RandomTexts random(8);
  for (const std::size_t units : {20, 40, 100, 300})
    for (const int n : {2, 3, 10}) {
      const std::string text = random.text(units);
      const Sketched once(text), again(times(text, n));
      const double jaccard = jaccard_of(once, again);
      EXPECT_GE(once.jaccard(again).most, jaccard - .02) << units << " units, " << n << " times";
      EXPECT_GE(again.jaccard(once).most, jaccard - .02) << units << " units, " << n << " times";
    }
}

TEST(Sketch, OfNothingSaysNothing) {
  const SketchedText nothing;
  EXPECT_EQ(nothing.jaccard(1000, {}).most, 1);
}

}  // namespace
}  // namespace leitong::online
