// Rows in the form of the kernels: of length 1, transposed in panels of 32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "index/cosine/join.hpp"
#include "index/cosine/kernels.hpp"

namespace leitong {

/// The number of dimensions between two checks of what a tile can still reach.
inline constexpr std::size_t kCosineChunk = 64;

[[nodiscard]] constexpr std::size_t cosine_chunks(std::size_t dimensions) noexcept {
  return (dimensions + kCosineChunk - 1) / kCosineChunk;
}

/// A stripe of consecutive rows, or of named rows. Rows that are not compared are zeros.
class Panels {
 public:
  /// The bytes of a row, in its stored form and in that of the kernels.
  [[nodiscard]] static std::size_t bytes_a_row(const VectorShape& shape) noexcept {
    return shape.row_bytes() + shape.dimensions * sizeof(float) +
           cosine_chunks(shape.dimensions) * sizeof(float);
  }

  /// Reads rows [first, first + count), on the threads of the run.
  Result<void> load(const VectorRows& rows, const VectorNorms& norms, std::uint64_t first,
                    std::uint64_t count, RunContext& run);

  /// Reads these rows; `named` must outlive their use.
  Result<void> load(const VectorRows& rows, const VectorNorms& norms, std::span<const std::uint32_t> named,
                    RunContext& run);

  /// The number of a row among all rows; `i` counts from the first that was read.
  [[nodiscard]] std::uint64_t row(std::uint64_t i) const noexcept {
    return named_.empty() ? first_ + i : named_[i];
  }
  [[nodiscard]] std::uint64_t rows() const noexcept { return count_; }
  [[nodiscard]] std::size_t panels() const noexcept { return (count_ + kPanelRows - 1) / kPanelRows; }
  /// The beginning of a chunk of a panel.
  [[nodiscard]] const float* numbers(std::size_t panel, std::size_t chunk) const noexcept {
    return &numbers_[(panel * dimensions_ + chunk * kCosineChunk) * kPanelRows];
  }
  /// The norms of the dimensions after a chunk, one for each row of the panel.
  [[nodiscard]] const float* rests(std::size_t panel, std::size_t chunk) const noexcept {
    return &rests_[(panel * cosine_chunks(dimensions_) + chunk) * kPanelRows];
  }
  /// A row in its stored form; `row` counts from the first that was read.
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
