// Texts that repeat themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong::testing {

inline PodVector<Unit> random_units(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  PodVector<Unit> units;
  for (; count > 0; --count) units.push_back(0x4e00 + random() % 3'000);
  return units;
}

inline PodVector<Unit> repeated(const PodVector<Unit>& once, std::size_t times) {
  PodVector<Unit> units;
  for (; times > 0; --times) units.append(once);
  return units;
}

}  // namespace leitong::testing
