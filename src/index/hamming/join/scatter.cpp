#include "index/hamming/join/scatter.hpp"

#include <algorithm>
#include <array>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/arena.hpp"

namespace leitong::hamming {
namespace {

/// A smaller piece is not worth its counters.
constexpr std::uint64_t kLeastPiece = 1 << 18;
/// The number of values that are processed together in several steps; they take a part of the nearest cache.
constexpr std::size_t kScatterBlock = 1024;
/// The number of values that are moved between two checks of the stop, if nothing else divides them.
constexpr std::size_t kBetweenStops = std::size_t{1} << 20;

std::uint64_t piece_begin(std::uint64_t size, std::size_t pieces, std::size_t piece) {
  return size / pieces * piece + size % pieces * piece / pieces;
}

std::size_t pieces_for(std::uint64_t size) {
  const auto threads = threads_here();
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(size / kLeastPiece, 1, threads));
}

}  // namespace

template <Fingerprint F>
Result<std::vector<DigitCounts>> count_digits(const Source<F>& source, std::span<const F> masks,
                                              const Kernels& kernels, StopToken stop) {
  const std::size_t pieces = pieces_for(source.size());
  std::vector<DigitCounts> results;
  for (const F mask : masks) {
    const std::size_t digits = std::size_t{1} << count_ones(mask);
    results.push_back({pieces, digits, std::vector<std::uint64_t>(pieces * digits)});
  }
  const auto count_piece = [&](std::size_t piece) {
    return for_each_piece(
        source, piece_begin(source.size(), pieces, piece), piece_begin(source.size(), pieces, piece + 1),
        [&](std::span<const F> values, std::uint64_t) -> Result<void> {
          for (std::size_t i = 0; i < values.size(); i += kScatterBlock) {
            LEITONG_TRY(stop.check());
            for (std::size_t m = 0; m < masks.size(); ++m)
              kernels.count(as_words(values.data() + i), std::min(kScatterBlock, values.size() - i),
                            as_words(&masks[m]), results[m].counts.data() + piece * results[m].digits);
          }
          return {};
        });
  };
  if (Result<void> counted = parallel_for_each(stop, pieces, count_piece); !counted)
    return tl::unexpected(std::move(counted).error());
  return results;
}

template <Fingerprint F>
Result<void> scatter(const Source<F>& source, F mask, std::size_t low, std::size_t high,
                     const DigitCounts& counts, const Kernels& kernels, StopToken stop, std::span<F> out,
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
  return parallel_for_each(stop, counts.pieces, [&](std::size_t piece) -> Result<void> {
    const std::uint64_t* first = start.data() + piece * digits;
    HugeArray<std::array<std::uint64_t, 8>> lines(digits);
    for (std::size_t digit = 0; digit < digits; ++digit) lines[digit][7] = first[digit];
    const ScatterState state{first, lines.data()->data()};
    PodVector<F> selected;
    selected.resize_for_overwrite(all ? 0 : kScatterBlock);
    Result<void> moved = for_each_piece(
        source, piece_begin(source.size(), counts.pieces, piece),
        piece_begin(source.size(), counts.pieces, piece + 1),
        [&](std::span<const F> values, std::uint64_t) -> Result<void> {
          for (std::size_t i = 0; all && i < values.size(); i += kBetweenStops) {
            LEITONG_TRY(stop.check());
            kernels.scatter(as_words(values.data() + i), std::min(kBetweenStops, values.size() - i),
                            as_words(&mask), state, to);
          }
          for (std::size_t i = 0; !all && i < values.size(); i += kScatterBlock) {
            LEITONG_TRY(stop.check());
            const std::size_t taken =
                kernels.select(as_words(values.data() + i), std::min(kScatterBlock, values.size() - i),
                               as_words(&mask), low, high, as_words(selected.data()));
            kernels.scatter(as_words(selected.data()), taken, as_words(&mask), state, to);
          }
          return {};
        });
    kernels.flush(state, digits, to);
    return moved;
  });
}

template Result<std::vector<DigitCounts>> count_digits(const Source<Fingerprint64>&,
                                                       std::span<const Fingerprint64>, const Kernels&,
                                                       StopToken);
template Result<std::vector<DigitCounts>> count_digits(const Source<Fingerprint128>&,
                                                       std::span<const Fingerprint128>, const Kernels&,
                                                       StopToken);
template Result<void> scatter(const Source<Fingerprint64>&, Fingerprint64, std::size_t, std::size_t,
                              const DigitCounts&, const Kernels&, StopToken, std::span<Fingerprint64>,
                              std::vector<std::uint64_t>&);
template Result<void> scatter(const Source<Fingerprint128>&, Fingerprint128, std::size_t, std::size_t,
                              const DigitCounts&, const Kernels&, StopToken, std::span<Fingerprint128>,
                              std::vector<std::uint64_t>&);

}  // namespace leitong::hamming
