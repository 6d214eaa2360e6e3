#include "signature/minhash_permutations.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/hash.hpp"
#include "base/kernel_families.hpp"
#include "signature/minhash.hpp"
#include "signature/minhash_permutations_kernel.hpp"

namespace leitong {
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
#if defined(__x86_64__)
  if (level == Simd::avx512) return minhash_avx512;
#endif
#if defined(LEITONG_AVX2_KERNELS)
  if (level == Simd::avx2) return minhash_avx2;
#endif
  static_cast<void>(level);
  return minhash_scalar;
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

}  // namespace leitong
