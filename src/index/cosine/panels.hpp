// Rows as the kernels take them: of length 1, transposed in panels of 32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "index/cosine/join.hpp"
#include "index/cosine/kernels.hpp"

namespace leitong {

/// Dimensions between two looks at what a tile can still reach.
inline constexpr std::size_t kCosineChunk = 64;

[[nodiscard]] constexpr std::size_t cosine_chunks(std::size_t dimensions) noexcept {
  return (dimensions + kCosineChunk - 1) / kCosineChunk;
}

/// A stripe of consecutive rows, or some that are named. Rows that take no part are zeros.
class Panels {
 public:
  /// Bytes that a row takes, as it is stored and as the kernels take it.
  [[nodiscard]] static std::size_t bytes_a_row(const VectorShape& shape) noexcept {
    return shape.row_bytes() + shape.dimensions * sizeof(float) +
           cosine_chunks(shape.dimensions) * sizeof(float);
  }

  /// Reads rows [first, first + count). On the threads of the run.
  Result<void> load(const VectorRows& rows, const VectorNorms& norms, std::uint64_t first,
                    std::uint64_t count, RunContext& run);

  /// Reads these rows, which must outlive what is done with them. The same.
  Result<void> load(const VectorRows& rows, const VectorNorms& norms, std::span<const std::uint32_t> named,
                    RunContext& run);

  /// The number of a row among all; counted from the first that was read.
  [[nodiscard]] std::uint64_t row(std::uint64_t i) const noexcept {
    return named_.empty() ? first_ + i : named_[i];
  }
  [[nodiscard]] std::uint64_t rows() const noexcept { return count_; }
  [[nodiscard]] std::size_t panels() const noexcept { return (count_ + kPanelRows - 1) / kPanelRows; }
  /// Where a chunk of a panel begins.
  [[nodiscard]] const float* numbers(std::size_t panel, std::size_t chunk) const noexcept {
    return &numbers_[(panel * dimensions_ + chunk * kCosineChunk) * kPanelRows];
  }
  /// The norms of the dimensions behind a chunk, one for each row of the panel.
  [[nodiscard]] const float* rests(std::size_t panel, std::size_t chunk) const noexcept {
    return &rests_[(panel * cosine_chunks(dimensions_) + chunk) * kPanelRows];
  }
  /// A row as it is stored; counted in the same way.
  [[nodiscard]] const std::byte* stored(std::uint64_t row) const noexcept {
    return stored_.data() + row * row_bytes_;
  }

 private:
  Result<void> load_all(const VectorRows& rows, const VectorNorms& norms, RunContext& run);
  Result<void> read(const VectorRows& rows, std::uint64_t begin, std::uint64_t size);
  void pack(const VectorShape& shape, const VectorNorms& norms, std::size_t panel, double* row);

  std::uint64_t first_ = 0, count_ = 0;
  std::span<const std::uint32_t> named_;  // empty: the rows are consecutive
  std::size_t dimensions_ = 0, row_bytes_ = 0;
  PodVector<std::byte> stored_;
  PodVector<float> numbers_, rests_;
};

}  // namespace leitong
