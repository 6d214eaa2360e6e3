// Cells: sets of rows that are near the same centre.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "index/cosine/centres.hpp"
#include "index/cosine/join.hpp"

namespace leitong {

inline constexpr std::size_t kCellsOfRow = 6, kRowsOfCentre = 256;

/// Reads the directions of rows one by one, from one thread at a time. The arguments must outlive it.
class DirectionReader {
 public:
  DirectionReader(const VectorRows& vectors, const VectorNorms& norms);
  /// The direction in whole numbers, exact to 1 in 3,500, with zeros up to a multiple of kWholeStep; valid
  /// until the next call. REQUIRES that the row takes part. Fails as rows.read().
  Result<std::span<std::int16_t>> read(std::uint32_t row);

 private:
  const VectorRows& vectors_;
  const VectorNorms& norms_;
  std::vector<std::byte> stored_;
  std::vector<double> row_;
  std::vector<std::int16_t> direction_;
};

/// The cells and their rows.
class Cells {
 public:
  /// Puts `rows` in the cells of their nearest centres, which are rows, too. Both lists ascend. Reads each
  /// row once. Runs on the threads of the run. Fails as Centres, as rows.read(), and with cancelled.
  static Result<Cells> make(const VectorRows& vectors, const VectorNorms& norms,
                            std::span<const std::uint32_t> rows, std::span<const std::uint32_t> centres,
                            RunContext& run, Simd level);

  [[nodiscard]] std::size_t count() const noexcept { return begin_.size() - 1; }
  /// The rows of a cell, ascending.
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t cell) const noexcept {
    return {members_.data() + begin_[cell], static_cast<std::size_t>(begin_[cell + 1] - begin_[cell])};
  }
  /// The kCellsOfRow cells of a row, ascending; the last one may be repeated.
  [[nodiscard]] const std::uint32_t* of_row(std::uint32_t row) const noexcept {
    return &of_row_[std::size_t{row} * kCellsOfRow];
  }

 private:
  void gather(std::span<const std::uint32_t> rows, std::size_t centres);

  PodVector<std::uint32_t> of_row_, members_;
  std::vector<std::uint64_t> begin_;
};

}  // namespace leitong
