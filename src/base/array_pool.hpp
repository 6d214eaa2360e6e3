// Arrays of plain values that are freed together.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace leitong {

/// Many small arrays in few blocks: to allocate and to free each of them takes longer than to fill it. For
/// one thread at a time.
class ArrayPool {
 public:
  /// Copies `values`. The copy lives as long as the pool.
  template <class T>
  [[nodiscard]] std::span<const T> copy(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
    if (values.empty()) return {};
    std::byte* const at = take(values.size_bytes());
    std::memcpy(at, values.data(), values.size_bytes());
    return {reinterpret_cast<const T*>(at), values.size()};
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{256} << 10, kAlignment = 8;

  std::byte* take(std::size_t bytes) {
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > kBlock / 4) return add(bytes);
    if (bytes > left_) {
      next_ = add(kBlock);
      left_ = kBlock;
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }
  std::byte* add(std::size_t bytes) {
    return blocks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes)).get();
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;  // bytes from next_ to the end of its block
};

}  // namespace leitong
