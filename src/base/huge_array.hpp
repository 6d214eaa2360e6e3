// Large arrays for random access, on huge pages if the system provides them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/system.hpp"

namespace leitong {

/// A fixed number of plain values, initially zero. With pages of 4 KiB a random access also needs a walk
/// through the page table: on arrays of gigabytes it takes three times as long as with pages of 2 MiB.
template <class T>
class HugeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HugeArray() = default;
  /// Throws std::bad_alloc if the system has no memory.
  explicit HugeArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* data = nullptr;
    if (bytes() < kHugePage) {
      data = std::aligned_alloc(kAlignment, (bytes() + kAlignment - 1) / kAlignment * kAlignment);
      if (data == nullptr) throw std::bad_alloc();
      std::memset(data, 0, bytes());
    } else {
      data = ::mmap(nullptr, mapped(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);
      if (data == MAP_FAILED) throw std::bad_alloc();
      system::prefer_huge_pages(data, mapped());
    }
    data_ = static_cast<T*>(data);
  }
  HugeArray(HugeArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  HugeArray& operator=(HugeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  HugeArray(const HugeArray&) = delete;
  HugeArray& operator=(const HugeArray&) = delete;
  ~HugeArray() {
    if (bytes() < kHugePage)
      std::free(data_);
    else
      ::munmap(data_, mapped());
  }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  static constexpr std::size_t kAlignment = 64;
  [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] std::size_t mapped() const noexcept {
    return (bytes() + kHugePage - 1) / kHugePage * kHugePage;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace leitong
