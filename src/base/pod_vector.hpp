// A growable array of plain values that does not initialise what will be overwritten.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace leitong {

/// Like std::vector for trivial types, with two differences that matter for arrays of 1e9 elements:
/// resize_for_overwrite() writes nothing, and growth uses realloc, which moves pages instead of copying them.
/// So the peak memory is what was touched, not three times as much.
template <class T>
class PodVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PodVector() = default;
  PodVector(PodVector&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  PodVector& operator=(PodVector&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  PodVector(const PodVector&) = delete;
  PodVector& operator=(const PodVector&) = delete;
  ~PodVector() { std::free(data_); }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }
  operator std::span<const T>() const noexcept { return {data_, size_}; }
  operator std::span<T>() noexcept { return {data_, size_}; }

  void clear() noexcept { size_ = 0; }
  void reserve(std::size_t n) {
    if (n <= capacity_) return;
    void* moved = std::realloc(data_, n * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = n;
  }
  /// New elements are uninitialised.
  void resize_for_overwrite(std::size_t n) {
    if (n > capacity_) reserve(n < 2 * capacity_ ? 2 * capacity_ : n);
    size_ = n;
  }
  void resize(std::size_t n, T value) {
    const std::size_t old = size_;
    resize_for_overwrite(n);
    for (std::size_t i = old; i < n; ++i) data_[i] = value;
  }
  void push_back(T value) {
    if (size_ == capacity_) reserve(capacity_ < 16 ? 16 : 2 * capacity_);
    data_[size_++] = value;
  }
  void append(std::span<const T> values) {
    if (values.empty()) return;
    const std::size_t old = size_;
    resize_for_overwrite(old + values.size());
    std::memcpy(static_cast<void*>(data_ + old), values.data(), values.size_bytes());
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace leitong
