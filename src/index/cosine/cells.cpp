#include "index/cosine/cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "index/cosine/kernels.hpp"

namespace leitong {
namespace {

// With a direction of this length the squares of the rounded numbers sum to less than 2^24, up to a million
// dimensions.
constexpr double kLength = 3500;

std::size_t width_of(std::size_t dimensions) noexcept {
  return (dimensions + kWholeStep - 1) / kWholeStep * kWholeStep;
}

void whole_direction(const double* row, std::size_t dimensions, double squares, std::int16_t* to) noexcept {
  const double scale = kLength / std::sqrt(squares);
  for (std::size_t k = 0; k < dimensions; ++k) to[k] = static_cast<std::int16_t>(std::lrint(row[k] * scale));
}

/// Directions relative to the mean of the centres.
class SeenFromMean {
 public:
  Result<WholeDirections> of_centres(std::span<const std::uint32_t> centres, DirectionReader& reader) {
    WholeDirections made;
    std::vector<std::int64_t> sums;
    for (const std::uint32_t centre : centres) {
      LEITONG_ASSIGN(const std::span<std::int16_t> direction, reader.read(centre));
      made.numbers.append(direction);
      sums.resize(direction.size());
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += direction[k];
    }
    made.width = sums.size();
    mean_.resize(made.width);
    for (std::size_t k = 0; k < made.width; ++k)
      mean_[k] = static_cast<double>(sums[k]) / static_cast<double>(centres.size());
    std::vector<double> seen;
    for (std::size_t c = 0; c < centres.size(); ++c) turn(&made.numbers[c * made.width], seen);
    return made;
  }
  /// Replaces a direction by the direction from the mean. REQUIRES of_centres().
  void turn(std::int16_t* direction, std::vector<double>& seen) const {
    seen.resize(mean_.size());
    double squares = 0;
    for (std::size_t k = 0; k < mean_.size(); ++k) {
      seen[k] = direction[k] - mean_[k];
      squares += seen[k] * seen[k];
    }
    // A row that equals the mean is equally near to every centre.
    if (squares > 0) whole_direction(seen.data(), mean_.size(), squares, direction);
  }

 private:
  std::vector<double> mean_;
};

}  // namespace

DirectionReader::DirectionReader(const VectorRows& vectors, const VectorNorms& norms)
    : vectors_(vectors),
      norms_(norms),
      stored_(vectors.shape().row_bytes()),
      row_(vectors.shape().dimensions),
      direction_(width_of(vectors.shape().dimensions)) {}

Result<std::span<std::int16_t>> DirectionReader::read(std::uint32_t row) {
  LEITONG_TRY(vectors_.read(row, 1, stored_.data()));
  decode_row(vectors_.shape(), stored_.data(), row_.data());
  whole_direction(row_.data(), row_.size(), norms_.squares[row], direction_.data());
  return std::span<std::int16_t>(direction_);
}

Result<Cells> Cells::make(const VectorRows& vectors, const VectorNorms& norms,
                          std::span<const std::uint32_t> rows, std::span<const std::uint32_t> centres,
                          RunContext& run, Simd level) {
  SeenFromMean from_mean;
  DirectionReader of_these(vectors, norms);
  LEITONG_ASSIGN(WholeDirections of_centres, from_mean.of_centres(centres, of_these));
  LEITONG_ASSIGN(const Centres graph, Centres::make(std::move(of_centres), level, run.stop));
  Cells cells;
  cells.of_row_.resize_for_overwrite(vectors.shape().count * kCellsOfRow);
  struct Scratch {
    DirectionReader reader;
    std::vector<double> seen;
  };
  const auto put = [&](std::size_t searcher, std::uint32_t row, Scratch& scratch) -> Result<void> {
    LEITONG_ASSIGN(const std::span<std::int16_t> direction, scratch.reader.read(row));
    from_mean.turn(direction.data(), scratch.seen);
    const std::span<std::uint32_t> to(&cells.of_row_[std::size_t{row} * kCellsOfRow], kCellsOfRow);
    LEITONG_ASSIGN(const std::size_t found, graph.find(searcher, direction.data(), to));
    std::ranges::sort(to.first(found));
    std::ranges::fill(to.subspan(found), to[found - 1]);
    return {};
  };
  constexpr std::size_t kAtOnce = 256, kRound = Centres::kSearchers * kAtOnce;
  for (std::size_t begin = 0; begin < rows.size(); begin += kRound) {
    run.report("nearest centres", begin, rows.size(), "vectors");
    const auto round = rows.subspan(begin, std::min(kRound, rows.size() - begin));
    const auto put_part = [&](std::size_t part, Scratch& scratch) -> Result<void> {
      const std::size_t first = part * kAtOnce;
      for (const std::uint32_t row : round.subspan(first, std::min(kAtOnce, round.size() - first)))
        LEITONG_TRY(put(part, row, scratch));
      return {};
    };
    LEITONG_TRY(parallel_for_each(
        run.stop, (round.size() + kAtOnce - 1) / kAtOnce,
        [&] {
          return Scratch{DirectionReader(vectors, norms), {}};
        },
        put_part));
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
