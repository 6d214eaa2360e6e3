#include "index/cosine/tiles.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

// To compute so many of a tile's 1,024 pairs singly costs as much as the next 64 dimensions of all pairs.
constexpr std::size_t kFew = 8;
constexpr std::size_t kMostFound = std::size_t{1} << 14;
constexpr std::size_t kPanelsBetweenStops = 64;

}  // namespace

/// The state of one thread.
struct CosineTiles::Worker {
  std::vector<float> tile = std::vector<float>(kPanelRows * kPanelRows);
  std::vector<double> x, y;
  std::vector<CosinePair> found;
};

// Each number of a unit vector is rounded once, and so is each product and each sum: together less than
// (dimensions + 4) units in the last place. The bar leaves room for four times as many.
CosineTiles::CosineTiles(const VectorRows& rows, const VectorNorms& norms, double least, RunContext& run,
                         const Each& each, Simd level)
    : rows_(rows),
      norms_(norms),
      least_(least),
      run_(run),
      each_(each),
      kernels_(cosine_kernels(level)),
      dimensions_(rows.shape().dimensions),
      bar_(static_cast<float>(least - static_cast<double>(dimensions_ + 16) * 0x1p-22)) {}

Result<void> CosineTiles::compare(const Panels& a, const Panels& b, const Wanted& wanted) {
  const bool same = &a == &b;
  return parallel_for_each(
      run_.stop, a.panels(),
      [&] { return Worker{.x = std::vector<double>(dimensions_), .y = std::vector<double>(dimensions_)}; },
      [&](std::size_t panel, Worker& worker) -> Result<void> {
        for (std::size_t other = same ? panel : 0; other < b.panels(); ++other) {
          if (other % kPanelsBetweenStops == 0) LEITONG_TRY(run_.stop.check());
          compare_tile(a, panel, b, other, wanted, worker);
          if (worker.found.size() >= kMostFound) LEITONG_TRY(hand_over(worker));
        }
        return hand_over(worker);
      });
}

void CosineTiles::compare_tile(const Panels& a, std::size_t panel_a, const Panels& b, std::size_t panel_b,
                               const Wanted& wanted, Worker& worker) const {
  float* const tile = worker.tile.data();
  std::memset(tile, 0, worker.tile.size() * sizeof(float));
  std::uint32_t rows[kPanelRows];
  const std::size_t chunks = cosine_chunks(dimensions_);
  for (std::size_t c = 0; c < chunks; ++c) {
    kernels_.multiply(a.numbers(panel_a, c), b.numbers(panel_b, c),
                      std::min(kCosineChunk, dimensions_ - c * kCosineChunk), tile);
    const std::size_t count = kernels_.reach(tile, a.rests(panel_a, c), b.rests(panel_b, c), bar_, rows);
    if (count == 0) return;
    if (count <= kFew || c + 1 == chunks) break;
  }
  for (std::size_t i = 0; i < kPanelRows; ++i)
    for (std::uint32_t left = rows[i]; left != 0; left &= left - 1)
      decide(a, panel_a * kPanelRows + i, b,
             panel_b * kPanelRows + static_cast<std::size_t>(std::countr_zero(left)), wanted, worker);
}

void CosineTiles::decide(const Panels& a, std::uint64_t i, const Panels& b, std::uint64_t j,
                         const Wanted& wanted, Worker& worker) const {
  if (i >= a.rows() || j >= b.rows()) return;  // the last panel may be partial
  const std::uint64_t row_a = a.row(i), row_b = b.row(j);
  const double squares_a = norms_.squares[row_a], squares_b = norms_.squares[row_b];
  if (squares_a == 0 || squares_b == 0 || !wanted(row_a, row_b)) return;
  decode_row(rows_.shape(), a.stored(i), worker.x.data());
  decode_row(rows_.shape(), b.stored(j), worker.y.data());
  const double cosine = cosine_of(worker.x.data(), worker.y.data(), dimensions_, squares_a, squares_b);
  if (cosine >= least_) worker.found.push_back({std::min(row_a, row_b), std::max(row_a, row_b), cosine});
}

Result<void> CosineTiles::hand_over(Worker& worker) {
  if (worker.found.empty()) return {};
  const std::scoped_lock lock(mutex_);
  for (const CosinePair& pair : worker.found) LEITONG_TRY(each_(pair));
  worker.found.clear();
  return {};
}

}  // namespace leitong
