// Sparse rows laid over one another in one array, none at the same offset.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace leitong {

/// First fit. Rows put in by falling size fill the array to 97 % where they are short and many.
class RowPacker {
 public:
  /// Rows have columns below `width`; bases stay below `max_base`.
  RowPacker(std::uint32_t width, std::uint32_t max_base);

  /// The least base above 0 that no other row has and with which all slots base + column are free; takes
  /// them. `columns` is sorted. Nothing if there is no such base.
  std::optional<std::uint32_t> place(std::span<const std::uint32_t> columns);

  /// Slots up to the end of the last possible row: whatever the column, a base that was handed out is in
  /// bounds.
  [[nodiscard]] std::uint32_t size() const noexcept { return max_taken_base_ + width_; }

 private:
  using Bits = std::vector<std::uint64_t>;
  std::uint32_t width_, max_base_;
  Bits slots_, bases_;
  std::uint32_t first_free_word_ = 0;  // words of slots_ before it are full
  std::uint32_t max_taken_base_ = 0;
};

}  // namespace leitong
