// The loops that all instruction sets share, written with a few operations of each (`Isa`). Everything here
// has internal linkage and uses nothing of the standard library, so that the linker never replaces code for
// one instruction set by code for another.
#pragma once

#include "index/hamming/join/kernels.hpp"

namespace leitong::hamming {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Isa::Extractor<W>(mask)(value)   the digit of a value
/// Isa::store_line(to, from)        64 bytes to aligned memory, if possible past the caches
/// Isa::store_fence()               after the last of them
template <class Isa, unsigned W>
struct Loops {
  using Extractor = typename Isa::template Extractor<W>;
  static constexpr u64 kLine = 8 / W;  // values a cache line
  static constexpr u64 kNext = 7;      // see ScatterState

  static void copy(u64* to, const u64* from) noexcept {
    for (unsigned i = 0; i < W; ++i) to[i] = from[i];
  }

  static void count(const u64* values, std::size_t n, const u64* mask, u64* counts) noexcept {
    const Extractor digit(mask);
    for (std::size_t i = 0; i < n; ++i) ++counts[digit(values + W * i)];
  }

  static void scatter(const u64* values, std::size_t n, const u64* mask, const ScatterState& state,
                      u64* out) noexcept {
    const Extractor digit(mask);
    for (std::size_t i = 0; i < n; ++i) {
      const u64* value = values + W * i;
      const u64 d = digit(value);
      u64* line = state.lines + 8 * d;
      const u64 at = line[kNext];
      const u64 slot = at % kLine;
      copy(line + W * slot, value);
      if (slot == kLine - 1) {
        const u64 line_start = at - slot;
        if (line_start >= state.start[d]) {
          Isa::store_line(out + W * line_start, line);
        } else {  // the first line of a digit begins with values of another writer
          for (u64 j = state.start[d]; j <= at; ++j) copy(out + W * j, line + W * (j % kLine));
        }
      }
      line[kNext] = at + 1;
    }
  }

  static void flush(const ScatterState& state, std::size_t digits, u64* out) noexcept {
    for (std::size_t d = 0; d < digits; ++d) {
      const u64 end = state.lines[8 * d + kNext];
      const u64 line_start = end / kLine * kLine;
      for (u64 j = line_start < state.start[d] ? state.start[d] : line_start; j < end; ++j)
        copy(out + W * j, state.lines + 8 * d + W * (j % kLine));
    }
    Isa::store_fence();
  }

  static std::size_t select(const u64* values, std::size_t n, const u64* mask, u64 low, u64 high,
                            u64* out) noexcept {
    const Extractor digit(mask);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < n; ++i) {
      // Half of the values may be wanted, in random order: advancing by a flag is faster than a branch.
      copy(out + W * taken, values + W * i);
      taken += digit(values + W * i) - low < high - low ? 1 : 0;
    }
    return taken;
  }

  static void group(const u64* values, std::size_t n, const u64* mask, std::size_t digits, u32* begins,
                    u64* out) noexcept {
    const Extractor digit(mask);
    for (std::size_t d = 0; d < digits + 2; ++d) begins[d] = 0;
    // Two places too far to the right: the scatter moves begins[d + 1] from the beginning of d to its end.
    for (std::size_t i = 0; i < n; ++i) ++begins[digit(values + W * i) + 2];
    for (std::size_t d = 1; d < digits + 2; ++d) begins[d] += begins[d - 1];
    for (std::size_t i = 0; i < n; ++i) {
      const u64* value = values + W * i;
      copy(out + W * std::size_t{begins[digit(value) + 1]++}, value);
    }
  }

  static std::size_t pairs_in_buckets(const u64* values, const u32* begins, std::size_t& first,
                                      std::size_t last, unsigned distance, u32 largest, PairHit* hits,
                                      std::size_t room) noexcept {
    std::size_t found = 0;
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      const u32 begin = begins[bucket], end = begins[bucket + 1], size = end - begin;
      if (size < 2) continue;
      if (size > largest || room - found < std::size_t{size} * (size - 1) / 2) {
        first = bucket;
        return found;
      }
      found += Isa::template pairs<W>(values, begin, end, distance, hits + found);
    }
    first = last;
    return found;
  }

  static constexpr Kernels table() noexcept {
    return {count, scatter, flush, select, group, pairs_in_buckets, Isa::template scan<W>};
  }
};

}  // namespace
}  // namespace leitong::hamming
