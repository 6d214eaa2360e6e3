#include "index/cosine/panels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong {

Result<void> Panels::load(const VectorRows& rows, const VectorNorms& norms, std::uint64_t first,
                          std::uint64_t count, RunContext& run) {
  first_ = first;
  count_ = count;
  named_ = {};
  return load_all(rows, norms, run);
}

Result<void> Panels::load(const VectorRows& rows, const VectorNorms& norms,
                          std::span<const std::uint32_t> named, RunContext& run) {
  count_ = named.size();
  named_ = named;
  return load_all(rows, norms, run);
}

Result<void> Panels::load_all(const VectorRows& rows, const VectorNorms& norms, RunContext& run) {
  const VectorShape& shape = rows.shape();
  dimensions_ = shape.dimensions;
  row_bytes_ = shape.row_bytes();
  stored_.resize_for_overwrite(count_ * row_bytes_);
  numbers_.resize_for_overwrite(panels() * kPanelRows * dimensions_);
  rests_.resize_for_overwrite(panels() * kPanelRows * cosine_chunks(dimensions_));
  return parallel_for_each(
      run.stop, panels(), [&] { return std::vector<double>(dimensions_); },
      [&](std::size_t panel, std::vector<double>& row) -> Result<void> {
        const std::uint64_t begin = panel * kPanelRows;
        LEITONG_TRY(read(rows, begin, std::min<std::uint64_t>(kPanelRows, count_ - begin)));
        pack(shape, norms, panel, row.data());
        return {};
      });
}

Result<void> Panels::read(const VectorRows& rows, std::uint64_t begin, std::uint64_t size) {
  std::byte* const to = stored_.data() + begin * row_bytes_;
  if (named_.empty()) return rows.read(first_ + begin, size, to);
  for (std::uint64_t i = 0; i < size; ++i) LEITONG_TRY(rows.read(named_[begin + i], 1, to + i * row_bytes_));
  return {};
}

void Panels::pack(const VectorShape& shape, const VectorNorms& norms, std::size_t panel, double* row) {
  const std::size_t chunks = cosine_chunks(dimensions_);
  float* const numbers = &numbers_[panel * kPanelRows * dimensions_];
  float* const rests = &rests_[panel * kPanelRows * chunks];
  for (std::size_t j = 0; j < kPanelRows; ++j) {
    const std::uint64_t number = panel * kPanelRows + j;
    const double squares = number < count_ ? norms.squares[this->row(number)] : 0;
    if (squares == 0) {
      for (std::size_t k = 0; k < dimensions_; ++k) numbers[k * kPanelRows + j] = 0;
      for (std::size_t c = 0; c < chunks; ++c) rests[c * kPanelRows + j] = 0;
      continue;
    }
    decode_row(shape, stored(number), row);
    const double scale = 1 / std::sqrt(squares);
    double rest = 0;
    for (std::size_t c = chunks; c-- > 0;) {
      rests[c * kPanelRows + j] = static_cast<float>(std::sqrt(rest));
      const std::size_t begin = c * kCosineChunk, end = std::min(begin + kCosineChunk, dimensions_);
      for (std::size_t k = begin; k < end; ++k) {
        const double value = row[norms.order[k]] * scale;
        numbers[k * kPanelRows + j] = static_cast<float>(value);
        rest += value * value;
      }
    }
  }
}

}  // namespace leitong
