// Bytes that a parser may read beyond the end of.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace leitong {

/// Bytes after a record that must be readable; their values don't matter.
inline constexpr std::size_t kRecordPadding = 64;

/// Bytes followed by kRecordPadding zeros.
class PaddedBytes {
 public:
  PaddedBytes() = default;
  /// The bytes hold no value until written.
  explicit PaddedBytes(std::size_t size) { resize(size); }
  void resize(std::size_t size) {
    if (size > capacity_ || bytes_ == nullptr) {
      bytes_ = std::make_unique_for_overwrite<char[]>(size + kRecordPadding);
      capacity_ = size;
    }
    shrink(size);
  }
  /// Makes room for more bytes after those that are there.
  void grow(std::size_t size) {
    PaddedBytes larger(size);
    std::memcpy(larger.data(), data(), size_);
    *this = std::move(larger);
  }
  /// REQUIRES size <= what it was. Keeps the bytes before.
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
