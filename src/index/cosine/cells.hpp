// Cells: rows that are near the same centres.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "index/cosine/centres.hpp"
#include "index/cosine/join.hpp"

namespace leitong {

/// Cells of a row, and rows for each centre.
inline constexpr std::size_t kCellsOfRow = 6, kRowsOfCentre = 256;

/// The direction of a row in whole numbers, as exact as 1 in 3,500.
void whole_direction(const double* row, std::size_t dimensions, double squares, std::int16_t* to) noexcept;

/// Which rows are in which cells.
class Cells {
 public:
  /// Puts `rows` in the cells of their nearest centres, which are rows, too. Both rise. Reads each row once.
  /// On the threads of the run. Fails as Centres, as rows.read(), and with cancelled.
  static Result<Cells> make(const VectorRows& vectors, const VectorNorms& norms,
                            std::span<const std::uint32_t> rows, std::span<const std::uint32_t> centres,
                            RunContext& run, Simd level);

  [[nodiscard]] std::size_t count() const noexcept { return begin_.size() - 1; }
  /// The rows of a cell, which rise.
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t cell) const noexcept {
    return {members_.data() + begin_[cell], static_cast<std::size_t>(begin_[cell + 1] - begin_[cell])};
  }
  /// The cells of a row, which rise, kCellsOfRow of them; the last may be there more than once.
  [[nodiscard]] const std::uint32_t* of_row(std::uint32_t row) const noexcept {
    return &of_row_[std::size_t{row} * kCellsOfRow];
  }

 private:
  void gather(std::span<const std::uint32_t> rows, std::size_t centres);

  PodVector<std::uint32_t> of_row_, members_;
  std::vector<std::uint64_t> begin_;
};

}  // namespace leitong
