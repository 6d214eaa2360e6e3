// Bytes with padding for parsers that read beyond the end.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace leitong {

/// Bytes after a record that must be readable; their values do not matter.
inline constexpr std::size_t kRecordPadding = 64;

/// Bytes followed by kRecordPadding zeros.
class PaddedBytes {
 public:
  PaddedBytes() = default;
  /// The bytes are uninitialised.
  explicit PaddedBytes(std::size_t size) { resize(size); }
  void resize(std::size_t size) {
    if (size > capacity_ || bytes_ == nullptr) {
      bytes_ = std::make_unique_for_overwrite<char[]>(size + kRecordPadding);
      capacity_ = size;
    }
    shrink(size);
  }
  /// Makes room for more bytes after the present ones.
  void grow(std::size_t size) {
    PaddedBytes larger(size);
    std::memcpy(larger.data(), data(), size_);
    *this = std::move(larger);
  }
  /// REQUIRES size <= the present size. Keeps the first bytes.
  void shrink(std::size_t size) {
    size_ = size;
    std::memset(bytes_.get() + size, 0, kRecordPadding);
  }
  [[nodiscard]] char* data() noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace leitong
