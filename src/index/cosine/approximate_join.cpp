#include "index/cosine/approximate_join.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "index/cosine/cells.hpp"
#include "index/cosine/stripes.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kBytesOfRow = 72;
constexpr std::size_t kMostEqual = 64, kMostOfCell = 4096, kLeaders = 64, kMostSampled = 1024;
// Rows are chosen for two purposes, and the choices must be independent.
constexpr std::uint64_t kForSample = 0x9e3779b97f4a7c15, kForCentres = 0xc2b2ae3d27d4eb4f;

/// A row and its sort key.
struct Keyed {
  std::uint64_t key = 0;
  std::uint32_t row = 0;
};
bool by_key(const Keyed& x, const Keyed& y) noexcept {
  return x.key != y.key ? x.key < y.key : x.row < y.row;
}

Result<void> check_room(std::uint64_t count, const MemoryBudget& memory) {
  if (count > UINT32_MAX)
    return fail(ErrorCode::limit,
                fmt::format("{} vectors are too many for an approximate search, which takes "
                            "4,294,967,295; search parts of them",
                            count));
  const std::uint64_t need = count * kBytesOfRow, room = memory.for_buffers() / 2;
  if (memory.limit() == 0 || need <= room) return {};
  return fail(
      ErrorCode::limit,
      fmt::format("the approximate search of {} vectors needs {} MB, and the memory budget leaves it {} "
                  "MB; give at least {} MB, or search exactly",
                  count, need >> 20, room >> 20, ((memory.limit() + 2 * (need - room)) >> 20) + 1),
      "memory");
}

/// Hashes of the directions of all rows that are compared, sorted, so that equal ones are adjacent.
Result<PodVector<Keyed>> hash_directions(const VectorRows& vectors, const VectorNorms& norms,
                                         RunContext& run) {
  constexpr std::size_t kBlock = 256;
  const VectorShape& shape = vectors.shape();
  PodVector<Keyed> rows;
  for (std::uint64_t row = 0; row < shape.count; ++row)
    if (norms.squares[row] > 0) rows.push_back({0, static_cast<std::uint32_t>(row)});
  const auto hash = [&](std::size_t block, DirectionReader& reader) -> Result<void> {
    const std::size_t end = std::min(rows.size(), (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < end; ++i) {
      LEITONG_ASSIGN(const std::span<std::int16_t> direction, reader.read(rows[i].row));
      rows[i].key = XXH3_64bits(direction.data(), shape.dimensions * sizeof(std::int16_t));
    }
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      run.stop, (rows.size() + kBlock - 1) / kBlock, [&] { return DirectionReader(vectors, norms); }, hash));
  std::ranges::sort(rows, by_key);
  return rows;
}

/// The rows with the `most` least keys, ascending.
std::vector<std::uint32_t> choose(std::span<Keyed> rows, std::size_t most, std::uint64_t purpose) {
  const auto least = [&](const Keyed& x, const Keyed& y) {
    return by_key({mix64(x.key ^ purpose), x.row}, {mix64(y.key ^ purpose), y.row});
  };
  most = std::min(most, rows.size());
  std::ranges::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(most), least);
  std::vector<std::uint32_t> chosen;
  for (const Keyed& row : rows.first(most)) chosen.push_back(row.row);
  std::ranges::sort(chosen);
  return chosen;
}

class CellJoin {
 public:
  CellJoin(const Cells& cells, CosineStripes& stripes, RunContext& run)
      : cells_(cells), stripes_(stripes), run_(run) {}

  /// Returns how many rows are in divided cells.
  Result<std::uint64_t> run() {
    constexpr std::size_t kBetweenReports = 64;
    for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
      if (cell % kBetweenReports == 0) run_.report("vectors", cell, cells_.count(), "cells");
      LEITONG_TRY(is_cut(cell) ? compare_parts(cell) : compare(cells_.rows(cell), cell, 0));
    }
    std::ranges::sort(limited_);
    return static_cast<std::uint64_t>(std::ranges::unique(limited_).begin() - limited_.begin());
  }

 private:
  [[nodiscard]] bool is_cut(std::size_t cell) const noexcept {
    return cells_.rows(cell).size() > kMostOfCell;
  }
  /// The part of a divided cell in which a row is; kAllParts for a leader.
  [[nodiscard]] std::size_t part_of(std::size_t cell, std::uint32_t row) const noexcept {
    const auto rows = cells_.rows(cell);
    const auto at = static_cast<std::size_t>(std::ranges::lower_bound(rows, row) - rows.begin());
    return at < kLeaders ? kAllParts : (at - kLeaders) / (kMostOfCell - kLeaders);
  }
  /// The part of a cell in which rows a < b are compared (0 if the cell is not divided); kAllParts if they
  /// are not compared.
  [[nodiscard]] std::size_t meeting_part(std::size_t cell, std::uint32_t a, std::uint32_t b) const noexcept {
    if (!is_cut(cell)) return 0;
    const std::size_t of_a = part_of(cell, a), of_b = part_of(cell, b);
    if (of_a == kAllParts) return of_b == kAllParts ? 0 : of_b;
    return of_a == of_b ? of_a : kAllParts;
  }
  [[nodiscard]] bool is_first(std::size_t cell, std::size_t part, std::uint32_t a,
                              std::uint32_t b) const noexcept {
    const std::uint32_t *x = cells_.of_row(a), *y = cells_.of_row(b);
    const std::uint32_t *const end_x = x + kCellsOfRow, *const end_y = y + kCellsOfRow;
    while (x != end_x && y != end_y) {
      if (*x == *y)
        if (const std::size_t met = meeting_part(*x, a, b); met != kAllParts)
          return *x == cell && met == part;
      ++(*x <= *y ? x : y);
    }
    return false;
  }
  Result<void> compare(std::span<const std::uint32_t> rows, std::size_t cell, std::size_t part) {
    return stripes_.among(rows, [this, cell, part](std::uint64_t a, std::uint64_t b) {
      return is_first(cell, part, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    });
  }
  Result<void> compare_parts(std::size_t cell) {
    const auto rows = cells_.rows(cell);
    limited_.insert(limited_.end(), rows.begin(), rows.end());
    std::size_t number = 0;
    for (std::size_t begin = kLeaders; begin < rows.size(); begin += kMostOfCell - kLeaders) {
      const auto others = rows.subspan(begin, std::min(kMostOfCell - kLeaders, rows.size() - begin));
      std::vector<std::uint32_t> part(rows.begin(), rows.begin() + kLeaders);
      part.insert(part.end(), others.begin(), others.end());
      LEITONG_TRY(compare(part, cell, number++));
    }
    return {};
  }

  static constexpr std::size_t kAllParts = SIZE_MAX;
  const Cells& cells_;
  CosineStripes& stripes_;
  RunContext& run_;
  std::vector<std::uint32_t> limited_;
};

/// Makes the keys of equal directions different. If more than kMostEqual rows are equal, those that are
/// compared only with the first are moved to the end. Returns how many rows remain.
Result<std::size_t> set_equal_ones_aside(PodVector<Keyed>& rows, const VectorRows& vectors,
                                         const VectorNorms& norms, double least,
                                         const std::function<Result<void>(const CosinePair&)>& each) {
  CosineOfRows cosine_of_rows(vectors, norms);
  PodVector<Keyed> aside;
  std::size_t remain = 0, first = 0;
  std::uint64_t group = 0;
  Keyed head;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Keyed row = rows[i];
    if (i == 0 || row.key != group) {
      first = i;
      group = row.key;
      head = row;
    }
    row.key = mix64(group + (i - first));
    if (i - first >= kMostEqual) {
      LEITONG_ASSIGN(const double cosine, cosine_of_rows.of(head.row, row.row));
      if (cosine >= least) {
        LEITONG_TRY(each({head.row, row.row, cosine}));
        aside.push_back(row);
        continue;
      }
    }
    rows[remain++] = row;
  }
  std::ranges::copy(aside, rows.begin() + static_cast<std::ptrdiff_t>(remain));
  return remain;
}

}  // namespace

Result<ApproximateJoin> join_approximately(const VectorRows& rows, const VectorNorms& norms, double least,
                                           RunContext& run,
                                           const std::function<Result<void>(const CosinePair&)>& each,
                                           Simd level) {
  LEITONG_TRY(Centres::available());
  ApproximateJoin join;
  const auto taking_part = std::ranges::count_if(norms.squares, [](double squares) { return squares > 0; });
  if (static_cast<std::uint64_t>(taking_part) < kLeastForCells) {
    LEITONG_TRY(join_by_cosine(rows, norms, least, run, each, level));
    return join;
  }
  LEITONG_TRY(check_room(rows.shape().count, run.memory));
  const HeldMemory held(run.memory, rows.shape().count * kBytesOfRow);
  std::vector<std::uint32_t> in_cells, centres;
  {
    LEITONG_ASSIGN(PodVector<Keyed> all, hash_directions(rows, norms, run));
    LEITONG_ASSIGN(const std::size_t remain, set_equal_ones_aside(all, rows, norms, least, each));
    join.limited = all.size() - remain;
    const std::span<Keyed> remaining = std::span<Keyed>(all).first(remain);
    centres = choose(remaining, std::max(remain / kRowsOfCentre, kCellsOfRow), kForCentres);
    in_cells.reserve(remain);
    for (const Keyed& row : remaining) in_cells.push_back(row.row);
    std::ranges::sort(in_cells);
    join.sample = choose(all, kMostSampled, kForSample);
  }
  LEITONG_ASSIGN(const Cells cells, Cells::make(rows, norms, in_cells, centres, run, level));
  CosineStripes stripes(rows, norms, least, run, each, level);
  LEITONG_ASSIGN(const std::uint64_t cut, CellJoin(cells, stripes, run).run());
  join.limited += cut;
  return join;
}

Result<std::vector<std::uint64_t>> count_pairs_of(const std::vector<std::uint32_t>& sample,
                                                  const VectorRows& rows, const VectorNorms& norms,
                                                  double least, RunContext& run, Simd level) {
  std::vector<std::uint64_t> pairs(sample.size(), 0);
  const auto place = [&](std::uint64_t row) {
    const auto at = std::ranges::lower_bound(sample, row);
    return at != sample.end() && *at == row ? static_cast<std::size_t>(at - sample.begin()) : sample.size();
  };
  const CosineTiles::Each count = [&](const CosinePair& pair) -> Result<void> {
    const std::size_t at = place(pair.a);
    ++pairs[at < sample.size() ? at : place(pair.b)];
    return {};
  };
  CosineStripes stripes(rows, norms, least, run, count, level);
  LEITONG_TRY(stripes.with_all(sample, [&](std::uint64_t sampled, std::uint64_t other) {
    return sampled < other || (other < sampled && place(other) == sample.size());
  }));
  return pairs;
}

}  // namespace leitong
