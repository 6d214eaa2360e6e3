// The loops themselves, simple enough that the compiler vectorizes them for each instruction set. Internal
// linkage and no standard library: see text/units_kernel.hpp.
#pragma once

#include "base/sip_state.hpp"
#include "feature/kernels.hpp"

namespace leitong {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Sums of 32 x 32 -> 64 bit products (NH of Black et al., UMAC, 1999): one multiplication that every
// instruction set has for vectors.
void shingle_loop(const u32* __restrict units, std::size_t count, u32* __restrict hashes) {
  constexpr u32 a0 = 0x9E3779B1u;
  constexpr u32 a1 = 0x85EBCA77u;
  constexpr u32 a2 = 0xC2B2AE3Du;
  constexpr u32 a3 = 0x27D4EB2Fu;
  constexpr u32 a4 = 0x165667B1u;
  for (std::size_t i = 0; i < count; ++i) {
    const u32* u = units + i;
    const u64 sum = u64{u[0] + a4} * u64{u[1] + a0} + u64{u[2] + a1} * u64{u[3] + a2} + u64{u[4] + a3} * a0;
    hashes[i] = static_cast<u32>(sum >> 32) ^ static_cast<u32>(sum);
  }
}

constexpr u32 kSelectionFactor = 0x9E3779B1u;

template <class T>
T power(T base, std::size_t exponent) {
  T result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

template <class T>
void multiply_add(const T* __restrict a, T factor, const T* __restrict b, std::size_t count,
                  T* __restrict to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = a[i] * factor + b[i];
}

// The sums of elements[i + j] * f^(k - 1 - j) over j, for `count` places i. The polynomial of a + b elements
// is that of the first a times f^b plus that of the next b, so k is built bit by bit from the top: for 12
// elements 1 -> 2 -> 3 -> 6 -> 12, with four multiplications in place of eleven, and no place depends on
// another. The result is in one of the three arrays.
template <class T>
const T* polynomials(const T* elements, std::size_t count, std::size_t k, T factor, T* scratch, T* sums) {
  const T* from = elements;
  T* to = sums;
  T* other = scratch;
  const auto step = [&](const T* added, T by, std::size_t length) {
    multiply_add(from, by, added, length, to);
    from = to;
    to = other;
    other = const_cast<T*>(from);
  };
  std::size_t size = 1;
  for (int bit = 62 - __builtin_clzll(k); bit >= 0; --bit) {
    step(from + size, power(factor, size), count + k - 2 * size);
    size *= 2;
    if (!(k >> bit & 1)) continue;
    step(elements + size, factor, count + k - size - 1);
    ++size;
  }
  return from;
}

// The polynomial of each k units, mixed.
void selection_loop(const u32* units, std::size_t count, std::size_t k, u32* scratch, u32* hashes) {
  const u32* const sums = polynomials(units, count, k, kSelectionFactor, scratch, hashes);
  for (std::size_t i = 0; i < count; ++i) {
    u32 x = sums[i];
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
    hashes[i] = x ^ x >> 16;
  }
}

u64 ngram_hash(u64 sum) {
  sum = (sum ^ sum >> 32) * kNgramMixer;
  return sum ^ sum >> 29;
}

// Computes each sum from the previous one: two products an element, each of which depends on the previous
// ones.
[[maybe_unused]] void ngrams_rolling(const u64* elements, std::size_t count, std::size_t n, u64 length, u64*,
                                     u64* hashes) {
  const u64 leaving = power(kNgramBase, n);
  u64 sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum = sum * kNgramBase + elements[i];
  hashes[0] = ngram_hash(sum + length);
  for (std::size_t i = 1; i < count; ++i) {
    sum = sum * kNgramBase + (elements[i + n - 1] - elements[i - 1] * leaving);
    hashes[i] = ngram_hash(sum + length);
  }
}

// Computes the sums by doubling: three products for n = 5, but no element depends on another. It is faster if
// vectors multiply 64 bits.
[[maybe_unused]] void ngrams_doubling(const u64* elements, std::size_t count, std::size_t n, u64 length,
                                      u64* scratch, u64* hashes) {
  const u64* const sums = polynomials(elements, count, n, kNgramBase, scratch, hashes);
  for (std::size_t i = 0; i < count; ++i) hashes[i] = ngram_hash(sums[i] + length);
}

u32 smaller(u32 a, u32 b) { return a < b ? a : b; }

void halve(const u32* __restrict in, std::size_t step, std::size_t length, u32* __restrict out) {
  for (std::size_t i = 0; i < length; ++i) out[i] = smaller(in[i], in[i + step]);
}
void quarter(const u32* __restrict in, std::size_t step, std::size_t length, u32* __restrict out) {
  for (std::size_t i = 0; i < length; ++i)
    out[i] = smaller(smaller(in[i], in[i + step]), smaller(in[i + 2 * step], in[i + 3 * step]));
}

// Computes minima of windows that are twice or, where possible, four times as wide as those before.
const u32* minima_loop(const u32* values, std::size_t count, std::size_t window, u32* scratch, u32* minima) {
  const u32* from = values;
  u32* to = minima;
  u32* other = scratch;
  for (std::size_t step = 1; step < window;) {
    const bool four = 4 * step <= window;
    const std::size_t length = count + window - (four ? 4 : 2) * step;
    if (four)
      quarter(from, step, length, to);
    else
      halve(from, step, length, to);
    step *= four ? 4 : 2;
    from = to;
    to = other;
    other = const_cast<u32*>(from);
  }
  return from;
}

// SipHash of as many places at a time as vectors of this type have lanes.
template <class Lanes>
[[maybe_unused]] void keyed_lanes(const u32* units, const u32* places, std::size_t count, std::size_t k,
                                  u64 low, u64 high, u64* hashes) {
  constexpr std::size_t kLanes = sizeof(Lanes) / sizeof(u64);
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t used = count - first < kLanes ? count - first : kLanes;
    const u32* at[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      at[lane] = units + places[first + (lane < used ? lane : 0)];
    SipState<Lanes> state(low, high);
    for (std::size_t i = 0; i < k; i += 2) {
      Lanes word;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        u64 two;
        __builtin_memcpy(&two, at[lane] + i, sizeof two);
        word[lane] = two;
      }
      state.take(word);
    }
    state.take(Lanes{} + (u64{k * sizeof(u32)} << 56));
    const Lanes hash = state.finish();
    __builtin_memcpy(hashes + first, &hash, used * sizeof(u64));
  }
}

}  // namespace
}  // namespace leitong
