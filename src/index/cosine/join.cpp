#include "index/cosine/join.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "index/cosine/stripes.hpp"

namespace leitong {
namespace {

constexpr std::size_t kLanes = 8;

/// Summed in eight lanes, so that the result does not depend on the compiler.
double dot(const double* x, const double* y, std::size_t dimensions) noexcept {
  double lanes[kLanes] = {};
  std::size_t k = 0;
  for (; k + kLanes <= dimensions; k += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += x[k + lane] * y[k + lane];
  for (; k < dimensions; ++k) lanes[k % kLanes] += x[k] * y[k];
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// Beyond these limits the product of two sums of squares would exceed the range of a double.
constexpr double kLeastSquares = 1e-150, kMostSquares = 1e150;

/// Returns why a row has no direction; empty if it has one.
std::string_view fault_of(const double* row, std::size_t dimensions, double squares) noexcept {
  if (squares >= kLeastSquares && squares <= kMostSquares) return {};
  for (std::size_t k = 0; k < dimensions; ++k)
    if (std::isnan(row[k])) return "a number of the vector is missing or NaN";
  for (std::size_t k = 0; k < dimensions; ++k)
    if (std::isinf(row[k])) return "a number of the vector is infinite";
  if (squares == 0) return "the vector is zero";
  return "the vector is too long or too short for its cosine (its norm is outside of 1e-75 to 1e75)";
}

}  // namespace

double cosine_of(const double* x, const double* y, std::size_t dimensions, double squares_x,
                 double squares_y) noexcept {
  return std::min(dot(x, y, dimensions) / std::sqrt(squares_x * squares_y), 1.0);
}

CosineOfRows::CosineOfRows(const VectorRows& rows, const VectorNorms& norms)
    : rows_(rows),
      norms_(norms),
      stored_(rows.shape().row_bytes()),
      x_(rows.shape().dimensions),
      y_(rows.shape().dimensions) {}

Result<double> CosineOfRows::of(std::uint64_t a, std::uint64_t b) {
  for (const auto& [row, to] : {std::pair(a, &x_), std::pair(b, &y_)}) {
    LEITONG_TRY(rows_.read(row, 1, stored_.data()));
    decode_row(rows_.shape(), stored_.data(), to->data());
  }
  return cosine_of(x_.data(), y_.data(), x_.size(), norms_.squares[a], norms_.squares[b]);
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
    // The order of the threads affects the rounding, but this only decides what is multiplied first, not the
    // pairs.
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
  return CosineStripes(rows, norms, least, run, each, level).all();
}

}  // namespace leitong
