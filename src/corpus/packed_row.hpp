// The values of a row, one after the other: each after its length + 1; null is 0. A row that is too large is
// left out, and its size is stored instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/packing.hpp"

namespace leitong {

class RowPacker {
 public:
  RowPacker(std::string& out, std::size_t values) : out_(out), begin_(out.size()) {
    out_.append(kMark, 1);
    out_.reserve(out_.size() + values * sizeof(std::uint32_t));
  }
  /// A null data pointer means null.
  void add(std::string_view value) {
    bytes_ += value.size();
    if (value.size() > kLargest) return;
    out_ += value_bytes(value.data() == nullptr ? 0u : static_cast<std::uint32_t>(value.size()) + 1);
    out_ += value;
  }
  void end(std::uint64_t max_bytes) {
    if (bytes_ <= max_bytes) return;
    out_.resize(begin_);
    out_.append(kMark + 1, 1);
    out_ += value_bytes(bytes_);
  }

  static constexpr char kMark[] = {'r', 'l'};  ///< a row; a row that was left out

 private:
  static constexpr std::uint64_t kLargest = UINT32_MAX - 1;

  std::string& out_;
  std::size_t begin_;
  std::uint64_t bytes_ = 0;
};

/// The size of a row that was left out; nothing for other rows.
[[nodiscard]] inline std::optional<std::uint64_t> size_of_left_out(std::string_view row) noexcept {
  if (row.front() != RowPacker::kMark[1]) return std::nullopt;
  row.remove_prefix(1);
  std::uint64_t bytes = 0;
  return take_value(row, bytes) ? std::optional(bytes) : std::nullopt;
}

/// REQUIRES a packed row that was not left out, and no more calls than it has values.
class RowUnpacker {
 public:
  explicit RowUnpacker(std::string_view row) : rest_(row.substr(1)) {}
  /// A null data pointer for null.
  std::string_view next() noexcept {
    std::uint32_t size = 0;
    if (!take_value(rest_, size) || size == 0) return {};
    const std::string_view value = rest_.substr(0, size - 1);
    rest_.remove_prefix(size - 1);
    return value;
  }

 private:
  std::string_view rest_;
};

}  // namespace leitong
