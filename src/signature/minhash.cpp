#include "signature/minhash.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/hash.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kEmpty = UINT64_MAX;
constexpr unsigned kNumberBits = 40;
constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;

/// Bins that each hold the smallest (round << 40 | number).
class Bins {
 public:
  explicit Bins(std::size_t count) : count_(count) { smallest_.fill(kEmpty); }

  /// Round t of all elements. 24 bits of the hash choose the bin; the number is the 40 others.
  void round(std::size_t t, std::span<const std::uint32_t> elements) noexcept {
    const std::uint64_t seed = mix64(t + 1);
    const std::uint64_t base = std::uint64_t{t} << kNumberBits;
    for (const std::uint32_t element : elements) {
      const std::uint64_t hash = mix64(element ^ seed);
      const std::size_t bin = t < count_ ? (hash >> kNumberBits) * count_ >> (64 - kNumberBits) : t - count_;
      const std::uint64_t number = base | (hash & kNumberMask);
      // A branch that later rounds nearly never take costs less than a store on which the next element
      // depends.
      if (number < smallest_[bin]) smallest_[bin] = number;
    }
  }
  [[nodiscard]] bool all_full() const noexcept {
    return std::find(smallest_.begin(), smallest_.begin() + count_, kEmpty) == smallest_.begin() + count_;
  }
  [[nodiscard]] std::uint64_t smallest(std::size_t bin) const noexcept { return smallest_[bin]; }

 private:
  std::size_t count_;
  std::array<std::uint64_t, kMaxMinhashValues> smallest_;
};

}  // namespace

bool minhash(std::span<const std::uint32_t> elements, MinhashScratch& scratch,
             std::span<MinhashValue> values) {
  assert(!values.empty() && values.size() <= kMaxMinhashValues);
  if (elements.empty()) return false;
  const std::size_t count = values.size();
  Bins bins(count);
  bins.round(0, elements);
  for (std::size_t t = 1; t < 2 * count && !bins.all_full(); ++t) {
    // So many elements leave a bin empty only if most of them are repetitions. Then 2K rounds over a long
    // repetitive text would be slow, so repetitions are removed.
    if (t == 1 && elements.size() > 16 * count) {
      scratch.distinct.clear();
      scratch.distinct.append(elements);
      std::sort(scratch.distinct.begin(), scratch.distinct.end());
      const auto end = std::unique(scratch.distinct.begin(), scratch.distinct.end());
      elements = {scratch.distinct.begin(), end};
    }
    bins.round(t, elements);
  }
  for (std::size_t bin = 0; bin < count; ++bin) values[bin] = static_cast<MinhashValue>(bins.smallest(bin));
  return true;
}

double estimated_jaccard(std::span<const MinhashValue> a, std::span<const MinhashValue> b) noexcept {
  assert(a.size() == b.size() && !a.empty());
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

double Banding::probability(double jaccard) const noexcept {
  return 1 - std::pow(1 - std::pow(jaccard, rows), bands);
}

}  // namespace leitong
