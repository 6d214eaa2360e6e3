// Fingerprints of every kind, and the pairs that a join of them has to find.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include "index/hamming/join/join.hpp"

namespace leitong::hamming {

template <Fingerprint F>
F random_fingerprint(std::mt19937_64& random) {
  if constexpr (kWords<F> == 1) {
    return random();
  } else {
    const std::uint64_t low = random();
    return {low, random()};
  }
}

template <Fingerprint F>
F with_flipped_bits(F value, unsigned count, std::mt19937_64& random) {
  for (unsigned i = 0; i < count; ++i)
    value = value ^ single_bit<F>(static_cast<unsigned>(random() % kBits<F>));
  return value;
}

/// Random fingerprints in the bits of `mask`; of ten, `near` are near or equal to an earlier one.
template <Fingerprint F>
std::vector<F> crowd(std::size_t count, F mask, unsigned near, std::mt19937_64& random) {
  std::vector<F> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(
        i > 0 && random() % 10 < near
            ? with_flipped_bits(values[random() % i], static_cast<unsigned>(random() % 6), random)
            : random_fingerprint<F>(random) & mask);
  return values;
}

inline void sort_pairs(std::vector<RowPair>& pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const RowPair& x, const RowPair& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
}

template <Fingerprint F>
std::vector<RowPair> brute_force(const std::vector<F>& values, unsigned most) {
  std::vector<RowPair> pairs;
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = a + 1; b < values.size(); ++b)
      if (const unsigned bits = distance(values[a], values[b]); bits <= most) pairs.push_back({a, b, bits});
  return pairs;
}

template <Fingerprint F>
std::vector<RowPair> brute_force(const std::vector<F>& left, const std::vector<F>& right, unsigned most) {
  std::vector<RowPair> pairs;
  for (std::size_t a = 0; a < left.size(); ++a)
    for (std::size_t b = 0; b < right.size(); ++b)
      if (const unsigned bits = distance(left[a], right[b]); bits <= most) pairs.push_back({a, b, bits});
  return pairs;
}

inline std::vector<RowPair> pairs_of(Joined& joined) {
  std::vector<RowPair> all;
  const auto listed = joined.for_each_pair([&](std::span<const RowPair> pairs) -> Result<void> {
    all.insert(all.end(), pairs.begin(), pairs.end());
    return {};
  });
  EXPECT_TRUE(listed.has_value()) << listed.error().message;
  return all;
}

/// Uses as many threads as the caller's arena has, and all memory.
inline const Context& usual_context() {
  static const Context context;
  return context;
}

template <Fingerprint F>
std::vector<RowPair> joined_pairs(const std::vector<F>& left, const std::vector<F>* right,
                                  const JoinOptions& options, JoinFigures* figures = nullptr) {
  const MemorySource<F> left_source{std::span<const F>(left)};
  const MemorySource<F> right_source{right == nullptr ? std::span<const F>() : std::span<const F>(*right)};
  auto joined =
      join(JoinInput<F>{left_source, right == nullptr ? nullptr : &right_source}, options, usual_context());
  EXPECT_TRUE(joined.has_value()) << joined.error().message;
  if (!joined) return {};
  if (figures != nullptr) *figures = joined->figures();
  return pairs_of(*joined);
}

}  // namespace leitong::hamming
