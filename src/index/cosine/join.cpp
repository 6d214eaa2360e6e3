#include "index/cosine/join.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "index/cosine/panels.hpp"

namespace leitong {
namespace {

constexpr std::size_t kLanes = 8;

/// Summed in eight lanes, whatever the compiler makes of it.
double dot(const double* x, const double* y, std::size_t dimensions) noexcept {
  double lanes[kLanes] = {};
  std::size_t k = 0;
  for (; k + kLanes <= dimensions; k += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += x[k + lane] * y[k + lane];
  for (; k < dimensions; ++k) lanes[k % kLanes] += x[k] * y[k];
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// Beyond these the product of two sums of squares would leave the range of a double.
constexpr double kLeastSquares = 1e-150, kMostSquares = 1e150;

/// Why a row has no direction; empty if it has one.
std::string_view fault_of(const double* row, std::size_t dimensions, double squares) noexcept {
  if (squares >= kLeastSquares && squares <= kMostSquares) return {};
  for (std::size_t k = 0; k < dimensions; ++k)
    if (std::isnan(row[k])) return "a number of the vector is missing or NaN";
  for (std::size_t k = 0; k < dimensions; ++k)
    if (std::isinf(row[k])) return "a number of the vector is infinite";
  if (squares == 0) return "the vector is zero";
  return "the vector is too long or too short for its cosine (its norm is outside of 1e-75 to 1e75)";
}

/// One thread's part of the join.
struct Worker {
  std::vector<float> tile = std::vector<float>(kPanelRows * kPanelRows);
  std::vector<double> x, y;
  std::vector<CosinePair> found;
};

class Join {
 public:
  Join(const VectorRows& rows, const VectorNorms& norms, double least, RunContext& run,
       const std::function<Result<void>(const CosinePair&)>& each, Simd level)
      : rows_(rows),
        norms_(norms),
        least_(least),
        run_(run),
        each_(each),
        kernels_(cosine_kernels(level)),
        dimensions_(rows.shape().dimensions),
        // Each number of a unit vector is rounded once, each of their products and sums once: together less
        // than (dimensions + 4) units in the last place, of which there is room for four times as many.
        bar_(static_cast<float>(least - static_cast<double>(dimensions_ + 16) * 0x1p-22)) {}

  Result<void> run() {
    // Four fifths for the stripe that stays, one for those that pass by.
    const std::uint64_t room = run_.memory.for_buffers() / 2 / Panels::bytes_a_row(rows_.shape());
    const std::uint64_t passing = whole_panels(room / 5), staying = whole_panels(room - room / 5);
    const std::uint64_t count = rows_.shape().count;
    run_.memory.hold((passing + staying) * Panels::bytes_a_row(rows_.shape()));
    const Result<void> result = all_stripes(count, staying, passing);
    run_.memory.release((passing + staying) * Panels::bytes_a_row(rows_.shape()));
    return result;
  }

 private:
  static std::uint64_t whole_panels(std::uint64_t rows) {
    return std::max<std::uint64_t>(rows / kPanelRows, 4) * kPanelRows;
  }

  Result<void> all_stripes(std::uint64_t count, std::uint64_t staying, std::uint64_t passing) {
    Panels a, b;
    const std::uint64_t all = count * (count + 1) / 2;
    std::uint64_t done = 0;
    for (std::uint64_t begin = 0; begin < count; begin += staying) {
      LEITONG_TRY(a.load(rows_, norms_, begin, std::min(staying, count - begin), run_));
      LEITONG_TRY(compare(a, a));
      done += a.rows() * (a.rows() + 1) / 2;
      run_.report("vectors", done, all, "pairs");
      for (std::uint64_t other = begin + a.rows(); other < count; other += passing) {
        LEITONG_TRY(b.load(rows_, norms_, other, std::min(passing, count - other), run_));
        LEITONG_TRY(compare(a, b));
        done += a.rows() * b.rows();
        run_.report("vectors", done, all, "pairs");
      }
    }
    return {};
  }

  Result<void> compare(const Panels& a, const Panels& b) {
    const bool same = &a == &b;
    return parallel_for_each(
        run_.stop, a.panels(),
        [&] { return Worker{.x = std::vector<double>(dimensions_), .y = std::vector<double>(dimensions_)}; },
        [&](std::size_t panel, Worker& worker) -> Result<void> {
          for (std::size_t other = same ? panel : 0; other < b.panels(); ++other) {
            if (other % kPanelsBetweenStops == 0) LEITONG_TRY(run_.stop.check());
            compare_tile(a, panel, b, other, worker);
            if (worker.found.size() >= kMostFound) LEITONG_TRY(hand_over(worker));
          }
          return hand_over(worker);
        });
  }

  void compare_tile(const Panels& a, std::size_t panel_a, const Panels& b, std::size_t panel_b,
                    Worker& worker) const {
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
               panel_b * kPanelRows + static_cast<std::size_t>(std::countr_zero(left)), worker);
  }

  void decide(const Panels& a, std::uint64_t i, const Panels& b, std::uint64_t j, Worker& worker) const {
    if (i >= a.rows() || j >= b.rows()) return;  // the last panel isn't full
    const std::uint64_t row_a = a.first() + i, row_b = b.first() + j;
    const double squares_a = norms_.squares[row_a], squares_b = norms_.squares[row_b];
    if (row_a >= row_b || squares_a == 0 || squares_b == 0) return;
    decode_row(rows_.shape(), a.stored(i), worker.x.data());
    decode_row(rows_.shape(), b.stored(j), worker.y.data());
    const double cosine = cosine_of(worker.x.data(), worker.y.data(), dimensions_, squares_a, squares_b);
    if (cosine >= least_) worker.found.push_back({row_a, row_b, cosine});
  }

  Result<void> hand_over(Worker& worker) {
    if (worker.found.empty()) return {};
    const std::scoped_lock lock(mutex_);
    for (const CosinePair& pair : worker.found) LEITONG_TRY(each_(pair));
    worker.found.clear();
    return {};
  }

  // Of a tile's 1,024 pairs: one by one they cost as much as the next 64 dimensions of all.
  static constexpr std::size_t kFew = 8;
  static constexpr std::size_t kMostFound = std::size_t{1} << 14;
  static constexpr std::size_t kPanelsBetweenStops = 64;

  const VectorRows& rows_;
  const VectorNorms& norms_;
  const double least_;
  RunContext& run_;
  const std::function<Result<void>(const CosinePair&)>& each_;
  const CosineKernels& kernels_;
  const std::size_t dimensions_;
  const float bar_;
  std::mutex mutex_;
};

}  // namespace

double cosine_of(const double* x, const double* y, std::size_t dimensions, double squares_x,
                 double squares_y) noexcept {
  return std::min(dot(x, y, dimensions) / std::sqrt(squares_x * squares_y), 1.0);
}

Result<VectorNorms> measure_norms(const VectorRows& rows,
                                  const std::function<bool(std::uint64_t)>& takes_part,
                                  const std::function<void(std::uint64_t, std::string_view)>& unusable,
                                  RunContext& run) {
  constexpr std::uint64_t kBlock = 256;  // rows
  const VectorShape& shape = rows.shape();
  VectorNorms norms;
  norms.squares.resize(shape.count, 0);
  std::vector<double> weight(shape.dimensions);
  std::mutex mutex;
  struct Local {
    std::vector<std::byte> stored;
    std::vector<double> row, weight;
  };
  const std::uint64_t blocks = (shape.count + kBlock - 1) / kBlock;
  std::vector<std::pair<std::uint64_t, std::string_view>> faults;
  const auto measure = [&](std::size_t block, Local& local) -> Result<void> {
    const std::uint64_t begin = block * kBlock, size = std::min(kBlock, shape.count - begin);
    LEITONG_TRY(rows.read(begin, size, local.stored.data()));
    std::ranges::fill(local.weight, 0.0);
    for (std::uint64_t i = 0; i < size; ++i) {
      if (!takes_part(begin + i)) continue;
      decode_row(shape, local.stored.data() + i * shape.row_bytes(), local.row.data());
      const double squares = dot(local.row.data(), local.row.data(), shape.dimensions);
      if (const std::string_view why = fault_of(local.row.data(), shape.dimensions, squares); !why.empty()) {
        const std::scoped_lock lock(mutex);
        faults.emplace_back(begin + i, why);
        continue;
      }
      norms.squares[begin + i] = squares;
      for (std::size_t k = 0; k < shape.dimensions; ++k)
        local.weight[k] += local.row[k] * local.row[k] / squares;
    }
    // Rounded by the order of the threads: it decides what is multiplied first, and no pair.
    const std::scoped_lock lock(mutex);
    for (std::size_t k = 0; k < shape.dimensions; ++k) weight[k] += local.weight[k];
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      run.stop, blocks,
      [&] {
        return Local{std::vector<std::byte>(kBlock * shape.row_bytes()),
                     std::vector<double>(shape.dimensions), std::vector<double>(shape.dimensions)};
      },
      measure));
  std::ranges::sort(faults);
  for (const auto& [row, why] : faults) unusable(row, why);
  norms.order.resize(shape.dimensions);
  std::iota(norms.order.begin(), norms.order.end(), 0u);
  std::ranges::stable_sort(norms.order,
                           [&](std::uint32_t x, std::uint32_t y) { return weight[x] > weight[y]; });
  return norms;
}

Result<void> join_by_cosine(const VectorRows& rows, const VectorNorms& norms, double least, RunContext& run,
                            const std::function<Result<void>(const CosinePair&)>& each, Simd level) {
  return Join(rows, norms, least, run, each, level).run();
}

}  // namespace leitong
