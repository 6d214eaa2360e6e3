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

// hashes[i] = sum of units[i + j] * f^(k - 1 - j). The polynomial of a + b units is that of a times f^b plus
// that of the next b, so that k is built bit by bit from the top: for 12 units 1 -> 2 -> 3 -> 6 -> 12, four
// multiplications in place of eleven.
void selection_loop(const u32* __restrict units, std::size_t count, std::size_t k, u32* scratch,
                    u32* hashes) {
  // Which of the two buffers is written last depends on the number of steps; start so that it's `hashes`.
  std::size_t steps = 0;
  for (std::size_t rest = k; rest > 1; rest >>= 1) steps += 1 + (rest & 1);
  u32* from = steps % 2 == 0 ? hashes : scratch;
  u32* to = steps % 2 == 0 ? scratch : hashes;
  const auto swap = [&] {
    u32* const written = to;
    to = from;
    from = written;
  };
  for (std::size_t i = 0; i < count + k - 1; ++i) from[i] = units[i];
  std::size_t size = 1;
  for (int bit = 62 - __builtin_clzll(k); bit >= 0; --bit) {
    multiply_add(from, power(kSelectionFactor, size), from + size, count + k - 2 * size, to);
    swap();
    size *= 2;
    if (!(k >> bit & 1)) continue;
    multiply_add(from, kSelectionFactor, units + size, count + k - size - 1, to);
    swap();
    ++size;
  }
  for (std::size_t i = 0; i < count; ++i) {
    u32 x = hashes[i];
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
    hashes[i] = x ^ x >> 16;
  }
}

u32 smaller(u32 a, u32 b) { return a < b ? a : b; }

const u32* minima_loop(const u32* __restrict values, std::size_t count, std::size_t window,
                       u32* __restrict scratch, u32* __restrict minima) {
  const u32* from = values;
  u32* to = minima;
  u32* other = scratch;
  for (std::size_t step = 1; step < window; step *= 2) {
    const std::size_t length = count + window - 2 * step;
    const u32* __restrict in = from;
    u32* __restrict out = to;
    for (std::size_t i = 0; i < length; ++i) out[i] = smaller(in[i], in[i + step]);
    from = out;
    to = other;
    other = out;
  }
  return from;
}

}  // namespace
}  // namespace leitong
