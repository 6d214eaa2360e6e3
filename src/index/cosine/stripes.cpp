#include "index/cosine/stripes.hpp"

#include <algorithm>

#include "base/try.hpp"

namespace leitong {
namespace {

std::uint64_t whole_panels(std::uint64_t rows) {
  return std::max<std::uint64_t>(rows / kPanelRows, 4) * kPanelRows;
}

}  // namespace

CosineStripes::CosineStripes(const VectorRows& rows, const VectorNorms& norms, double least, RunContext& run,
                             const CosineTiles::Each& each, Simd level)
    : rows_(rows), norms_(norms), run_(run), tiles_(rows, norms, least, run, each, level) {
  const std::uint64_t room = run.memory.for_buffers() / 2 / Panels::bytes_a_row(rows.shape());
  passing_ = whole_panels(room / 5);
  staying_ = whole_panels(room - room / 5);
  run.memory.hold((passing_ + staying_) * Panels::bytes_a_row(rows.shape()));
}

CosineStripes::~CosineStripes() {
  run_.memory.release((passing_ + staying_) * Panels::bytes_a_row(rows_.shape()));
}

Result<void> CosineStripes::all() {
  const std::uint64_t count = rows_.shape().count;
  return among(
      count,
      [&](Panels& panels, std::uint64_t begin, std::uint64_t size) {
        return panels.load(rows_, norms_, begin, size, run_);
      },
      [](std::uint64_t row_a, std::uint64_t row_b) { return row_a < row_b; },
      [&](std::uint64_t done) { run_.report("vectors", done, count * (count + 1) / 2, "pairs"); });
}

Result<void> CosineStripes::among(std::span<const std::uint32_t> named, const CosineTiles::Wanted& wanted) {
  return among(
      named.size(),
      [&](Panels& panels, std::uint64_t begin, std::uint64_t size) {
        return panels.load(rows_, norms_, named.subspan(begin, size), run_);
      },
      [&](std::uint64_t row_a, std::uint64_t row_b) { return row_a < row_b && wanted(row_a, row_b); },
      [](std::uint64_t) {});
}

Result<void> CosineStripes::among(std::uint64_t count, const Load& load, const CosineTiles::Wanted& wanted,
                                  const Progress& progress) {
  std::uint64_t done = 0;
  for (std::uint64_t begin = 0; begin < count; begin += staying_) {
    LEITONG_TRY(load(a_, begin, std::min(staying_, count - begin)));
    LEITONG_TRY(tiles_.compare(a_, a_, wanted));
    done += a_.rows() * (a_.rows() + 1) / 2;
    progress(done);
    for (std::uint64_t other = begin + a_.rows(); other < count; other += passing_) {
      LEITONG_TRY(load(b_, other, std::min(passing_, count - other)));
      LEITONG_TRY(tiles_.compare(a_, b_, wanted));
      done += a_.rows() * b_.rows();
      progress(done);
    }
  }
  return {};
}

Result<void> CosineStripes::with_all(std::span<const std::uint32_t> named,
                                     const CosineTiles::Wanted& wanted) {
  const std::uint64_t count = rows_.shape().count;
  for (std::uint64_t begin = 0; begin < named.size(); begin += staying_) {
    LEITONG_TRY(a_.load(rows_, norms_, named.subspan(begin, std::min(staying_, named.size() - begin)), run_));
    for (std::uint64_t other = 0; other < count; other += passing_) {
      LEITONG_TRY(b_.load(rows_, norms_, other, std::min(passing_, count - other), run_));
      LEITONG_TRY(tiles_.compare(a_, b_, wanted));
    }
  }
  return {};
}

}  // namespace leitong
