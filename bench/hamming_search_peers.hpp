// Simple ways to search fingerprints, with which the Hamming index is compared.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "index/hamming/source.hpp"

namespace leitong::bench {

using Hits = std::vector<hamming::Hit<std::uint64_t>>;

/// Compares with every fingerprint.
class LinearScan {
 public:
  explicit LinearScan(std::span<const std::uint64_t> fingerprints) : fingerprints_(fingerprints) {}
  [[nodiscard]] double bytes() const { return 8; }
  __attribute__((target("popcnt"))) void search(std::uint64_t query, std::uint32_t number, unsigned distance,
                                                Hits& hits) const {
    for (std::uint64_t i = 0; i < fingerprints_.size(); ++i)
      if (const auto d = static_cast<unsigned>(__builtin_popcountll(fingerprints_[i] ^ query)); d <= distance)
        hits.push_back({fingerprints_[i], i, number, d});
  }

 private:
  std::span<const std::uint64_t> fingerprints_;
};

/// The four hash maps of tutorials: from each 16-bit block to the rows that have it. For distances up to 3.
class FourHashMaps {
 public:
  explicit FourHashMaps(std::span<const std::uint64_t> fingerprints) : fingerprints_(fingerprints) {
    for (std::uint32_t i = 0; i < fingerprints.size(); ++i)
      for (unsigned block = 0; block < 4; ++block)
        maps_[block][static_cast<std::uint16_t>(fingerprints[i] >> 16 * block)].push_back(i);
  }
  [[nodiscard]] double bytes() const {
    double bytes = 8 * static_cast<double>(fingerprints_.size());
    for (const auto& map : maps_)
      for (const auto& [key, rows] : map) bytes += 48 + 4 * static_cast<double>(rows.capacity());
    return bytes / static_cast<double>(fingerprints_.size());
  }
  __attribute__((target("popcnt"))) void search(std::uint64_t query, std::uint32_t number, unsigned distance,
                                                Hits& hits) const {
    for (unsigned block = 0; block < 4; ++block) {
      const auto rows = maps_[block].find(static_cast<std::uint16_t>(query >> 16 * block));
      if (rows == maps_[block].end()) continue;
      for (const std::uint32_t i : rows->second) {
        const std::uint64_t difference = fingerprints_[i] ^ query;
        const auto d = static_cast<unsigned>(__builtin_popcountll(difference));
        if (d > distance) continue;
        bool found_before = false;
        for (unsigned before = 0; before < block; ++before)
          found_before = found_before || static_cast<std::uint16_t>(difference >> 16 * before) == 0;
        if (!found_before) hits.push_back({fingerprints_[i], i, number, d});
      }
    }
  }

 private:
  std::span<const std::uint64_t> fingerprints_;
  std::unordered_map<std::uint16_t, std::vector<std::uint32_t>> maps_[4];
};

}  // namespace leitong::bench
