// The loops themselves, plain so that the compiler vectorises them for each instruction set. Internal linkage
// and no standard library: see text/units_kernel.hpp.
#pragma once

#include "feature/kernels.hpp"

namespace leitong {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Sums of 32 x 32 -> 64 bit products (NH of Black et al., UMAC, 1999): one multiplication that every
// instruction set has in vectors.
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

u32 power(u32 base, std::size_t exponent) {
  u32 result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

void multiply_add(const u32* __restrict a, u32 factor, const u32* __restrict b, std::size_t count,
                  u32* __restrict to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = a[i] * factor + b[i];
}

// The sum of units[i + j] * f^(k - 1 - j) over j, mixed. The polynomial of a + b units is that of the first a
// times f^b plus that of the next b, so k is built bit by bit from the top: for 12 units 1 -> 2 -> 3 -> 6 ->
// 12, four multiplications in place of eleven.
void selection_loop(const u32* units, std::size_t count, std::size_t k, u32* scratch, u32* hashes) {
  const u32* from = units;
  u32* to = hashes;
  u32* other = scratch;
  const auto step = [&](const u32* added, u32 factor, std::size_t length) {
    multiply_add(from, factor, added, length, to);
    from = to;
    to = other;
    other = const_cast<u32*>(from);
  };
  std::size_t size = 1;
  for (int bit = 62 - __builtin_clzll(k); bit >= 0; --bit) {
    step(from + size, power(kSelectionFactor, size), count + k - 2 * size);
    size *= 2;
    if (!(k >> bit & 1)) continue;
    step(units + size, kSelectionFactor, count + k - size - 1);
    ++size;
  }
  for (std::size_t i = 0; i < count; ++i) {
    u32 x = from[i];
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
    hashes[i] = x ^ x >> 16;
  }
}

u32 smaller(u32 a, u32 b) { return a < b ? a : b; }

void halve(const u32* __restrict in, std::size_t step, std::size_t length, u32* __restrict out) {
  for (std::size_t i = 0; i < length; ++i) out[i] = smaller(in[i], in[i + step]);
}
void quarter(const u32* __restrict in, std::size_t step, std::size_t length, u32* __restrict out) {
  for (std::size_t i = 0; i < length; ++i)
    out[i] = smaller(smaller(in[i], in[i + step]), smaller(in[i + 2 * step], in[i + 3 * step]));
}

// Minima of windows twice, or where possible four times, as wide as those before.
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

}  // namespace
}  // namespace leitong
