// The inner loops of the Hamming join, once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.hpp"
#include "index/hamming/fingerprint.hpp"

namespace leitong::hamming {

/// Two positions in an array of fingerprints, a < b, within the distance.
struct PairHit {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// The state of a scatter. Values wait in `lines`, one cache line for each digit, and are written to memory
/// as whole lines. Until a line is full, its last word holds the output index of the digit's next value, so
/// that a value touches only one line. These accesses are the main cost of a scatter.
struct ScatterState {
  const std::uint64_t* start;  ///< the first output index of each digit
  std::uint64_t* lines;        ///< 8 words for each digit, aligned to 64 bytes; initially (.., start)
};

/// Kernels for fingerprints of one width, given as 64-bit words, low word first. A digit of a fingerprint is
/// the number formed by its bits under a mask (one mask word for each word of the fingerprint), lowest first,
/// of at most 24 bits.
struct Kernels {
  /// Increases counts[digit] by the number of values with that digit.
  void (*count)(const std::uint64_t* values, std::size_t count, const std::uint64_t* mask,
                std::uint64_t* counts) noexcept;
  /// Moves values to `out` by digit, in their order. The last partial lines stay in `state` until flush().
  void (*scatter)(const std::uint64_t* values, std::size_t count, const std::uint64_t* mask,
                  const ScatterState& state, std::uint64_t* out) noexcept;
  void (*flush)(const ScatterState& state, std::size_t digits, std::uint64_t* out) noexcept;
  /// Copies the values whose digit is in [low, high) to `out` (which has room for all), and returns their
  /// number.
  std::size_t (*select)(const std::uint64_t* values, std::size_t count, const std::uint64_t* mask,
                        std::uint64_t low, std::uint64_t high, std::uint64_t* out) noexcept;
  /// Sorts by digit into `out`, within the caches. `begins` has digits + 2 elements; afterwards the values of
  /// digit d are [begins[d], begins[d + 1]). REQUIRES count < 2^32.
  void (*group)(const std::uint64_t* values, std::size_t count, const std::uint64_t* mask, std::size_t digits,
                std::uint32_t* begins, std::uint64_t* out) noexcept;
  /// Compares all pairs in each of the buckets [first, last) of `begins`, and writes those within `distance`
  /// to `hits`. Stops at the first bucket with more than `largest` values, or for which `room` might be too
  /// small; `first` is then that bucket. Returns the number of hits.
  std::size_t (*pairs_in_buckets)(const std::uint64_t* values, const std::uint32_t* begins,
                                  std::size_t& first, std::size_t last, unsigned distance,
                                  std::uint32_t largest, PairHit* hits, std::size_t room) noexcept;
  /// Writes the positions of all values within `distance` of `query`, ascending, to `hits` (which has room
  /// for `count`), and returns their number. REQUIRES count < 2^32.
  std::size_t (*scan)(const std::uint64_t* values, std::size_t count, const std::uint64_t* query,
                      unsigned distance, std::uint32_t* hits) noexcept;
};

/// The kernels of one instruction set for fingerprints of 1 or 2 words.
[[nodiscard]] const Kernels& kernels(Simd level, unsigned words) noexcept;

template <Fingerprint F>
[[nodiscard]] const Kernels& kernels(Simd level) noexcept {
  return kernels(level, kWords<F>);
}

/// Fingerprints as the words that kernels take.
template <Fingerprint F>
[[nodiscard]] const std::uint64_t* as_words(const F* values) noexcept {
  static_assert(sizeof(F) == kWords<F> * sizeof(std::uint64_t));
  return reinterpret_cast<const std::uint64_t*>(values);
}
template <Fingerprint F>
[[nodiscard]] std::uint64_t* as_words(F* values) noexcept {
  return reinterpret_cast<std::uint64_t*>(values);
}

// One table in each translation unit; kernels() knows which of them this build has.
extern const Kernels kScalarKernels[2];
extern const Kernels kAvx2Kernels[2];
extern const Kernels kAvx512Kernels[2];

}  // namespace leitong::hamming
