// Reads the tables of a level from front to back.
#pragma once

#include <algorithm>
#include <cstring>

#include "index/hamming/search/level_parts.hpp"

namespace leitong::hamming {

/// Decodes the entries of one table.
template <Fingerprint F>
class TableReader {
 public:
  explicit TableReader(const TableParts<F>& table) noexcept
      : table_(table), code_(table.shape), size_(table.shape.entry_bytes()) {}

  /// Calls fn(fingerprint) for the entries of one bucket, in order.
  template <class Fn>
  void bucket(std::uint32_t key, Fn&& fn) const {
    for (std::uint32_t i = table_.directory[key]; i < table_.directory[key + 1]; ++i)
      fn(code_.decode({key, value(i)}));
  }
  /// Calls fn(fingerprint) for all entries, in order.
  template <class Fn>
  void all(Fn&& fn) const {
    for (std::uint32_t key = 0; key + 1 < table_.directory.size(); ++key) bucket(key, fn);
  }
  /// The key of the bucket that holds entry `position`.
  [[nodiscard]] std::uint32_t key_of(std::uint32_t position) const noexcept {
    const auto end = std::upper_bound(table_.directory.begin(), table_.directory.end(), position);
    return static_cast<std::uint32_t>(end - table_.directory.begin()) - 1;
  }
  [[nodiscard]] F value(std::uint32_t position) const noexcept {
    F result{};
    std::memcpy(&result, table_.entries + std::uint64_t{position} * size_, std::min(size_, sizeof result));
    return result;
  }

 private:
  const TableParts<F>& table_;
  TableCode<F> code_;
  std::size_t size_;
};

}  // namespace leitong::hamming
