#include "online/sketch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "feature/shingles.hpp"

namespace leitong::online {
namespace {

// A bitmap of more shingles is too full to be useful.
constexpr std::uint32_t kShortShingles = Sketch::kBits / 2;
// The width of the bounds, in standard deviations.
constexpr double kSlack = 2.5;

std::uint32_t bit_of(std::uint32_t hash) noexcept { return hash / (UINT32_MAX / Sketch::kBits + 1); }

/// Sets the lower bit of each of the 16 bins that is not 0.
std::uint32_t not_zero(std::uint32_t bins) noexcept { return (bins | bins >> 1) & 0x55555555u; }

unsigned bits_in(const Sketch& sketch) noexcept {
  unsigned bits = 0;
  for (const std::uint32_t word : sketch.words) bits += static_cast<unsigned>(std::popcount(word));
  return bits;
}

/// The Jaccard value of sets of sizes a and b that share `shared`.
double jaccard_of(double a, double b, double shared) { return shared / std::max(1.0, a + b - shared); }

}  // namespace

bool Sketch::is_bitmap(std::uint32_t units) noexcept { return shingle_count(units) <= kShortShingles; }

void SketchedText::set(std::span<const std::uint32_t> shingles) noexcept {
  *this = {};
  const bool is_bitmap = shingles.size() <= kShortShingles;
  std::array<std::uint32_t, kShortShingles> distinct;
  if (is_bitmap) {
    const auto end = std::ranges::copy(shingles, distinct.begin()).out;
    std::sort(distinct.begin(), end);
    shingles = {distinct.begin(), std::unique(distinct.begin(), end)};
  }
  shingles_ = static_cast<double>(shingles.size());
  constexpr std::uint32_t kEmpty = UINT32_MAX;
  std::array<std::uint32_t, Sketch::kBins> least;
  least.fill(kEmpty);
  for (const std::uint32_t hash : shingles) {
    const std::uint32_t bit = bit_of(hash), mask = 1u << (bit % 32);
    std::uint32_t& seen = bitmap_.words[bit / 32];
    repeated_.words[bit / 32] |= seen & mask;
    seen |= mask;
    counts_[bit] = static_cast<std::uint16_t>(std::min(counts_[bit] + 1, UINT16_MAX));
    least[bit / 2] = std::min(least[bit / 2], hash * 0x9E3779B1u);
  }
  // Without branches, because it is random which bins are empty.
  for (unsigned i = 0; i < Sketch::kBins; ++i) {
    const std::uint32_t is_filled = least[i] != kEmpty, shift = 2 * (i % 16);
    bins_.words[i / 16] |= (is_filled * (least[i] * 0x85EBCA77u >> 30)) << shift;
    filled_.words[i / 16] |= is_filled << shift;
  }
  filled_bins_ = bits_in(filled_);
  sketch_ = is_bitmap ? bitmap_ : bins_;
  distinct_ = is_bitmap ? shingles_ : bits_in(bitmap_);
}

SketchedJaccard SketchedText::jaccard(std::uint32_t units, const Sketch& other) const noexcept {
  const double others = shingle_count(units);
  return Sketch::is_bitmap(units) ? by_bitmap(others, other) : by_bins(others, other);
}

// Counts the shingles of this text whose bit is set in the other bitmap: all shared ones, and some by chance.
SketchedJaccard SketchedText::by_bitmap(double others, const Sketch& other) const noexcept {
  const unsigned set = bits_in(other);
  unsigned met = 0;
  for (unsigned word = 0; word < other.words.size(); ++word) {
    met += static_cast<unsigned>(std::popcount(other.words[word] & bitmap_.words[word]));
    for (std::uint32_t left = other.words[word] & repeated_.words[word]; left != 0; left &= left - 1)
      met += counts_[32 * word + static_cast<unsigned>(std::countr_zero(left))] - 1u;
  }
  const double chance = static_cast<double>(set) / Sketch::kBits;
  const double most = std::min({static_cast<double>(met), others, shingles_});
  const double shared = std::clamp((met - chance * shingles_) / std::max(1 - chance, 1e-3), 0.0, most);
  // A text that repeats itself has fewer distinct shingles than its length suggests, but at least as many as
  // bits are set.
  return {static_cast<float>(jaccard_of(shingles_, others, shared)),
          static_cast<float>(jaccard_of(std::max(distinct_, most), std::max<double>(set, most), most))};
}

// Bins that are empty here do not count. The other bins agree if the least shingle of both texts is shared; a
// quarter of the remaining ones agree by chance.
SketchedJaccard SketchedText::by_bins(double others, const Sketch& other) const noexcept {
  if (filled_bins_ == 0) return {};
  int agree = 0, others_not_zero = 0;
  for (std::size_t i = 0; i < other.words.size(); ++i) {
    agree += std::popcount(filled_.words[i] & ~not_zero(bins_.words[i] ^ other.words[i]));
    others_not_zero += std::popcount(not_zero(other.words[i]));
  }
  const double bins = filled_bins_;
  const double equal = (agree / bins - .25) / .75, slack = .5 * kSlack / (.75 * std::sqrt(bins));
  const double likely = std::clamp(equal, 0.0, 1.0);
  // The union leaves fewer bins empty than this text alone, according to its number of shingles, unless the
  // texts repeat themselves.
  const double together = -std::expm1(-(shingles_ + others) / (1 + likely) / Sketch::kBins);
  // A text that repeats itself has more zeros than usual: a non-empty bin is zero by chance in a quarter of
  // the cases.
  const double others_filled = (others_not_zero - .5 * kSlack * std::sqrt(Sketch::kBins)) / .75;
  return {static_cast<float>(std::min(1.0, bins / Sketch::kBins / together) * likely),
          static_cast<float>(bins / std::max(bins, std::min<double>(others_filled, Sketch::kBins)) *
                             std::clamp(equal + slack, 0.0, 1.0))};
}

}  // namespace leitong::online
