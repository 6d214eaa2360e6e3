#include "index/hamming/scatter.hpp"

#include <tbb/task_arena.h>

#include <algorithm>

#include "base/parallel.hpp"

namespace leitong::hamming {
namespace {

/// Below this a piece isn't worth its counters.
constexpr std::uint64_t kLeastPiece = 1 << 18;
/// Values that are selected before they are scattered: a part of the nearest cache.
constexpr std::size_t kSelectBlock = 1024;

std::uint64_t piece_begin(std::uint64_t size, std::size_t pieces, std::size_t piece) {
  return size / pieces * piece + size % pieces * piece / pieces;
}

std::size_t pieces_for(std::uint64_t size) {
  const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(size / kLeastPiece, 1, threads));
}

constexpr auto kNoLocal = [] { return 0; };

}  // namespace

template <Fingerprint F>
Result<DigitCounts> count_digits(const Source<F>& source, F mask, const Kernels& kernels) {
  DigitCounts result;
  result.pieces = pieces_for(source.size());
  result.digits = std::size_t{1} << count_ones(mask);
  result.counts.resize(result.pieces * result.digits);
  const auto count_piece = [&](std::size_t piece, int) {
    return for_each_piece(source, piece_begin(source.size(), result.pieces, piece),
                          piece_begin(source.size(), result.pieces, piece + 1),
                          [&](std::span<const F> values, std::uint64_t) -> Result<void> {
                            kernels.count(as_words(values.data()), values.size(), as_words(&mask),
                                          result.counts.data() + piece * result.digits);
                            return {};
                          });
  };
  LEITONG_TRY(parallel_for_each(result.pieces, kNoLocal, count_piece));
  return result;
}

template <Fingerprint F>
Result<void> scatter(const Source<F>& source, F mask, std::size_t low, std::size_t high,
                     const DigitCounts& counts, const Kernels& kernels, std::span<F> out,
                     std::vector<std::uint64_t>& begins) {
  const std::size_t digits = counts.digits;
  std::vector<std::uint64_t> start(counts.pieces * digits);
  begins.assign(high - low + 1, 0);
  std::uint64_t at = 0;
  for (std::size_t digit = low; digit < high; ++digit) {
    begins[digit - low] = at;
    for (std::size_t piece = 0; piece < counts.pieces; ++piece) {
      start[piece * digits + digit] = at;
      at += counts.counts[piece * digits + digit];
    }
  }
  begins[high - low] = at;

  const bool all = low == 0 && high == digits;
  std::uint64_t* const to = as_words(out.data());
  return parallel_for_each(counts.pieces, kNoLocal, [&](std::size_t piece, int) -> Result<void> {
    const std::uint64_t* first = start.data() + piece * digits;
    std::vector<std::uint64_t> next(first, first + digits);
    HugeArray<std::uint64_t> lines(8 * digits);
    const ScatterState state{next.data(), first, lines.data()};
    PodVector<F> selected;
    selected.resize_for_overwrite(all ? 0 : kSelectBlock);
    const Result<void> moved = for_each_piece(
        source, piece_begin(source.size(), counts.pieces, piece),
        piece_begin(source.size(), counts.pieces, piece + 1),
        [&](std::span<const F> values, std::uint64_t) -> Result<void> {
          if (all) {
            kernels.scatter(as_words(values.data()), values.size(), as_words(&mask), state, to);
            return {};
          }
          for (std::size_t i = 0; i < values.size(); i += kSelectBlock) {
            const std::size_t taken =
                kernels.select(as_words(values.data() + i), std::min(kSelectBlock, values.size() - i),
                               as_words(&mask), low, high, as_words(selected.data()));
            kernels.scatter(as_words(selected.data()), taken, as_words(&mask), state, to);
          }
          return {};
        });
    kernels.flush(state, digits, to);
    return moved;
  });
}

template Result<DigitCounts> count_digits(const Source<Fingerprint64>&, Fingerprint64, const Kernels&);
template Result<DigitCounts> count_digits(const Source<Fingerprint128>&, Fingerprint128, const Kernels&);
template Result<void> scatter(const Source<Fingerprint64>&, Fingerprint64, std::size_t, std::size_t,
                              const DigitCounts&, const Kernels&, std::span<Fingerprint64>,
                              std::vector<std::uint64_t>&);
template Result<void> scatter(const Source<Fingerprint128>&, Fingerprint128, std::size_t, std::size_t,
                              const DigitCounts&, const Kernels&, std::span<Fingerprint128>,
                              std::vector<std::uint64_t>&);

}  // namespace leitong::hamming
