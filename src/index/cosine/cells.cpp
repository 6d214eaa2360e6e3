#include "index/cosine/cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "index/cosine/kernels.hpp"

namespace leitong {
namespace {

// Squares of whole numbers near a direction of this length sum to less than 2^24 up to a million dimensions.
constexpr double kLength = 3500;

std::size_t width_of(std::size_t dimensions) noexcept {
  return (dimensions + kWholeStep - 1) / kWholeStep * kWholeStep;
}

/// Makes directions of rows, seen from the mean of the centres.
class Directions {
 public:
  Directions(const VectorRows& vectors, const VectorNorms& norms) : vectors_(vectors), norms_(norms) {}

  struct Scratch {
    std::vector<std::byte> stored;
    std::vector<double> row;
    std::vector<std::int16_t> direction;
  };
  [[nodiscard]] Scratch scratch() const {
    return {std::vector<std::byte>(shape().row_bytes()), std::vector<double>(shape().dimensions),
            std::vector<std::int16_t>(width_of(shape().dimensions))};
  }

  /// Into scratch.direction, seen from nowhere.
  Result<void> read(std::uint32_t row, Scratch& scratch) const {
    LEITONG_TRY(vectors_.read(row, 1, scratch.stored.data()));
    decode_row(shape(), scratch.stored.data(), scratch.row.data());
    whole_direction(scratch.row.data(), shape().dimensions, norms_.squares[row], scratch.direction.data());
    return {};
  }

  /// The directions of centres, and from then on of all rows, seen from their mean.
  Result<WholeDirections> of_centres(std::span<const std::uint32_t> centres) {
    Scratch own = scratch();
    WholeDirections made{.width = own.direction.size(), .numbers = {}};
    std::vector<std::int64_t> sums(made.width, 0);
    for (const std::uint32_t centre : centres) {
      LEITONG_TRY(read(centre, own));
      made.numbers.append(own.direction);
      for (std::size_t k = 0; k < made.width; ++k) sums[k] += own.direction[k];
    }
    mean_.resize(made.width);
    for (std::size_t k = 0; k < made.width; ++k)
      mean_[k] = static_cast<double>(sums[k]) / static_cast<double>(centres.size());
    for (std::size_t c = 0; c < centres.size(); ++c) from_mean(&made.numbers[c * made.width], own.row);
    return made;
  }
  /// REQUIRES of_centres().
  void from_mean(std::int16_t* direction, std::vector<double>& seen) const {
    seen.resize(mean_.size());
    double squares = 0;
    for (std::size_t k = 0; k < mean_.size(); ++k) {
      seen[k] = direction[k] - mean_[k];
      squares += seen[k] * seen[k];
    }
    // A row that is the mean itself is as near to every centre.
    if (squares > 0) whole_direction(seen.data(), mean_.size(), squares, direction);
  }

 private:
  [[nodiscard]] const VectorShape& shape() const noexcept { return vectors_.shape(); }

  const VectorRows& vectors_;
  const VectorNorms& norms_;
  std::vector<double> mean_;
};

}  // namespace

void whole_direction(const double* row, std::size_t dimensions, double squares, std::int16_t* to) noexcept {
  const double scale = kLength / std::sqrt(squares);
  for (std::size_t k = 0; k < dimensions; ++k) to[k] = static_cast<std::int16_t>(std::lrint(row[k] * scale));
}

Result<Cells> Cells::make(const VectorRows& vectors, const VectorNorms& norms,
                          std::span<const std::uint32_t> rows, std::span<const std::uint32_t> centres,
                          RunContext& run, Simd level) {
  Directions directions(vectors, norms);
  LEITONG_ASSIGN(WholeDirections of_centres, directions.of_centres(centres));
  LEITONG_ASSIGN(const Centres graph, Centres::make(std::move(of_centres), level, run.stop));
  Cells cells;
  cells.of_row_.resize_for_overwrite(vectors.shape().count * kCellsOfRow);
  const auto put = [&](std::size_t searcher, std::uint32_t row,
                       Directions::Scratch& scratch) -> Result<void> {
    LEITONG_TRY(directions.read(row, scratch));
    directions.from_mean(scratch.direction.data(), scratch.row);
    const std::span<std::uint32_t> to(&cells.of_row_[std::size_t{row} * kCellsOfRow], kCellsOfRow);
    LEITONG_ASSIGN(const std::size_t found, graph.find(searcher, scratch.direction.data(), to));
    std::ranges::sort(to.first(found));
    std::ranges::fill(to.subspan(found), to[found - 1]);
    return {};
  };
  constexpr std::size_t kAtOnce = 256, kRound = Centres::kSearchers * kAtOnce;
  for (std::size_t begin = 0; begin < rows.size(); begin += kRound) {
    run.report("nearest centres", begin, rows.size(), "vectors");
    const auto round = rows.subspan(begin, std::min(kRound, rows.size() - begin));
    const auto put_part = [&](std::size_t part, Directions::Scratch& scratch) -> Result<void> {
      const std::size_t first = part * kAtOnce;
      for (const std::uint32_t row : round.subspan(first, std::min(kAtOnce, round.size() - first)))
        LEITONG_TRY(put(part, row, scratch));
      return {};
    };
    LEITONG_TRY(parallel_for_each(
        run.stop, (round.size() + kAtOnce - 1) / kAtOnce, [&] { return directions.scratch(); }, put_part));
  }
  cells.gather(rows, centres.size());
  return cells;
}

void Cells::gather(std::span<const std::uint32_t> rows, std::size_t centres) {
  const auto for_each_cell = [&](std::uint32_t row, auto each) {
    const std::uint32_t* const cells = of_row(row);
    for (std::size_t i = 0; i < kCellsOfRow; ++i)
      if (i == 0 || cells[i] != cells[i - 1]) each(cells[i]);
  };
  begin_.assign(centres + 1, 0);
  for (const std::uint32_t row : rows) for_each_cell(row, [&](std::uint32_t cell) { ++begin_[cell + 1]; });
  for (std::size_t cell = 0; cell < centres; ++cell) begin_[cell + 1] += begin_[cell];
  members_.resize_for_overwrite(begin_.back());
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for (const std::uint32_t row : rows)
    for_each_cell(row, [&](std::uint32_t cell) { members_[next[cell]++] = row; });
}

}  // namespace leitong
