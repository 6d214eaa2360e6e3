// The loops of kernels.hpp over the compiler's vector types, of the width for which the including source is
// compiled.
#pragma once

#include <bit>
#include <cstring>

#include "index/cosine/kernels.hpp"

namespace leitong {
namespace {

/// Multiplies kRows rows of the first panel by kColumns vectors of the second at a time, so that their sums
/// stay in registers.
template <class Vector, std::size_t kRows, std::size_t kColumns>
void multiply(const float* a, const float* b, std::size_t dimensions, float* tile) noexcept {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float);
  static_assert(kPanelRows % kRows == 0 && kPanelRows % (kLanes * kColumns) == 0);
  for (std::size_t i = 0; i < kPanelRows; i += kRows) {
    for (std::size_t j = 0; j < kPanelRows; j += kLanes * kColumns) {
      Vector sums[kRows][kColumns];
      for (std::size_t r = 0; r < kRows; ++r)
        for (std::size_t c = 0; c < kColumns; ++c)
          std::memcpy(&sums[r][c], tile + (i + r) * kPanelRows + j + c * kLanes, sizeof(Vector));
      for (std::size_t k = 0; k < dimensions; ++k) {
        Vector column[kColumns];
        for (std::size_t c = 0; c < kColumns; ++c)
          std::memcpy(&column[c], b + k * kPanelRows + j + c * kLanes, sizeof(Vector));
        for (std::size_t r = 0; r < kRows; ++r) {
          const float row = a[k * kPanelRows + i + r];
          for (std::size_t c = 0; c < kColumns; ++c) sums[r][c] += row * column[c];
        }
      }
      for (std::size_t r = 0; r < kRows; ++r)
        for (std::size_t c = 0; c < kColumns; ++c)
          std::memcpy(tile + (i + r) * kPanelRows + j + c * kLanes, &sums[r][c], sizeof(Vector));
    }
  }
}

template <class Vector>
std::size_t reach(const float* tile, const float* rest_a, const float* rest_b, float bar,
                  std::uint32_t* rows) noexcept {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float), kVectors = kPanelRows / kLanes;
  Vector rest[kVectors];
  std::memcpy(rest, rest_b, sizeof(rest));
  std::size_t count = 0;
  for (std::size_t i = 0; i < kPanelRows; ++i) {
    // First checks whether there is any such pair, because nearly always there is none.
    Vector bounds[kVectors];
    std::memcpy(bounds, tile + i * kPanelRows, sizeof(bounds));
    auto any = bounds[0] != bounds[0];  // no products are NaN
    for (std::size_t v = 0; v < kVectors; ++v) {
      bounds[v] += rest_a[i] * rest[v];
      any |= bounds[v] >= bar;
    }
    std::uint64_t words[sizeof(Vector) / sizeof(std::uint64_t)], found = 0;
    std::memcpy(words, &any, sizeof(Vector));
    for (const std::uint64_t word : words) found |= word;
    rows[i] = 0;
    if (found == 0) continue;
    for (std::size_t j = 0; j < kPanelRows; ++j)
      rows[i] |= std::uint32_t{bounds[j / kLanes][j % kLanes] >= bar} << j;
    count += static_cast<std::size_t>(std::popcount(rows[i]));
  }
  return count;
}

template <class Vector>
float product(const std::int16_t* x, const std::int16_t* y, std::size_t dimensions) noexcept {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float), kSums = 4;
  static_assert(kWholeStep % (kLanes * kSums) == 0);
  using Whole [[gnu::vector_size(sizeof(Vector) / 2)]] = std::int16_t;
  Vector sums[kSums] = {};
  for (std::size_t k = 0; k < dimensions; k += kLanes * kSums) {
    for (std::size_t s = 0; s < kSums; ++s) {
      Whole a, b;
      std::memcpy(&a, x + k + s * kLanes, sizeof(a));
      std::memcpy(&b, y + k + s * kLanes, sizeof(b));
      sums[s] += __builtin_convertvector(a, Vector) * __builtin_convertvector(b, Vector);
    }
  }
  const Vector sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  float all = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) all += sum[lane];
  return all;
}

}  // namespace
}  // namespace leitong
