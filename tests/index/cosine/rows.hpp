// Rows of numbers for the tests of the joins by cosine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "io/vector_rows.hpp"

namespace leitong::test {

using Pairs = std::map<std::pair<std::uint64_t, std::uint64_t>, double>;

struct Rows {
  std::vector<float> numbers;
  std::size_t dimensions;

  [[nodiscard]] std::uint64_t count() const { return numbers.size() / dimensions; }
  [[nodiscard]] std::unique_ptr<VectorRows> open() const {
    return *vectors_in_memory({numbers.data(), count(), dimensions, VectorNumber::float32});
  }
  float* row(std::uint64_t i) { return &numbers[i * dimensions]; }
};

/// Random directions, of which some are near an earlier one, at many angles.
inline Rows make_rows(std::uint64_t count, std::size_t dimensions, std::uint64_t seed) {
  Rows rows{std::vector<float>(count * dimensions), dimensions};
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  for (float& number : rows.numbers) number = normal(random);
  for (std::uint64_t i = 1; i < count; i += 3) {
    const float noise = static_cast<float>(random() % 100) / 70;
    const float* const from = rows.row(random() % i);
    for (std::size_t k = 0; k < dimensions; ++k) rows.row(i)[k] = from[k] + noise * rows.row(i)[k];
  }
  return rows;
}

}  // namespace leitong::test
