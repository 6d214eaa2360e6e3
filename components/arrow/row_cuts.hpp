// What rows lose of one field, while they are copied.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/byte_range.hpp"

namespace leitong {

/// The cuts of one field, by the numbers of the rows that are kept.
class RowCuts {
 public:
  void add(std::uint64_t row, std::span<const ByteRange> ranges) {
    rows_.push_back({row, {ranges.begin(), ranges.end()}});
  }
  /// Those of a row, or nothing; cuts of rows before it are dropped. REQUIRES ascending rows.
  [[nodiscard]] std::span<const ByteRange> of(std::uint64_t row) {
    while (!rows_.empty() && rows_.front().first < row) rows_.pop_front();
    if (rows_.empty() || rows_.front().first != row) return {};
    return rows_.front().second;
  }
  /// Has a row of [begin, end) any?
  [[nodiscard]] bool any_in(std::uint64_t begin, std::uint64_t end) {
    (void)of(begin);
    return !rows_.empty() && rows_.front().first < end;
  }

 private:
  std::deque<std::pair<std::uint64_t, std::vector<ByteRange>>> rows_;
};

/// A text, which begins at byte `base` of the value that the ranges are of, without them. Returns true if it
/// lost something.
bool without_ranges(std::string_view text, std::size_t base, std::span<const ByteRange> ranges,
                    std::string& left);

}  // namespace leitong
