#include "signature/minhash.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/hash.hpp"
#include "base/kernel_families.hpp"
#include "signature/minhash_permutations_kernel.hpp"

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

namespace {

struct Permutations {
  std::array<std::uint32_t, kMaxMinhashValues> factors, terms;
};
constexpr Permutations make_permutations() {
  Permutations made{};
  for (std::size_t k = 0; k < kMaxMinhashValues; ++k) {
    const std::uint64_t drawn = mix64(0x6c62272e07bb0142ULL + k);
    made.factors[k] = static_cast<std::uint32_t>(drawn) | 1;
    made.terms[k] = static_cast<std::uint32_t>(drawn >> 32);
  }
  return made;
}
constexpr Permutations kPermutations = make_permutations();

MinhashKernel kernel_of(Simd level) {
  LEITONG_RETURN_KERNEL(level, minhash_scalar, minhash_avx2, minhash_avx512);
}

}  // namespace

void minhash_scalar(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
                    const std::uint32_t* terms, std::size_t count, std::uint32_t* minima) noexcept {
  std::fill_n(minima, count, UINT32_MAX);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t hash = mixed(elements[i]);
    for (std::size_t k = 0; k < count; ++k) minima[k] = std::min(minima[k], hash * factors[k] + terms[k]);
  }
}

bool minhash_permutations(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values,
                          Simd level) {
  assert(!values.empty() && values.size() <= kMaxMinhashValues && values.size() % 16 == 0);
  if (elements.empty()) return false;
  kernel_of(level)(elements.data(), elements.size(), kPermutations.factors.data(), kPermutations.terms.data(),
                   values.size(), values.data());
  return true;
}

bool minhash_permutations(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values) {
  return minhash_permutations(elements, values, simd_level());
}

namespace {

constexpr std::uint64_t kSeed = 0x94d049bb133111ebULL;
constexpr std::uint64_t kEmptyBin = UINT64_MAX;

std::size_t bin_of(std::uint64_t hash, std::size_t bins) { return (hash >> 32) * bins >> 32; }

}  // namespace

bool minhash_one_permutation(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values) {
  assert(!values.empty() && values.size() <= kMaxMinhashValues);
  if (elements.empty()) return false;
  const std::size_t bins = values.size();
  std::array<std::uint64_t, kMaxMinhashValues> least;
  std::fill_n(least.begin(), bins, kEmptyBin);
  for (const std::uint32_t element : elements) {
    const std::uint64_t hash = mix64(element ^ kSeed);
    std::uint64_t& bin = least[bin_of(hash, bins)];
    if ((hash & UINT32_MAX) < bin) bin = hash & UINT32_MAX;
  }
  for (std::size_t bin = 0; bin < bins; ++bin) {
    std::size_t from = bin;
    for (std::uint64_t attempt = 1; least[from] == kEmptyBin; ++attempt)
      from = bin_of(mix64(bin << 32 | attempt), bins);
    values[bin] = static_cast<std::uint32_t>(least[from]);
  }
  return true;
}

}  // namespace leitong
