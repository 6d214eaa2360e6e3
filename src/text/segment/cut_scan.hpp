// The first stage: converts bytes to symbols, and finds ASCII tokens by arithmetic on bitmaps. Internal
// linkage: see tables.hpp.
#pragma once

#include "text/segment/cut_kernel.hpp"

namespace leitong {
namespace {

/// The state before a block of 64 bytes; each member is 0 or 1.
struct ScanState {
  std::uint64_t wide = 0;       // the last byte is not ASCII
  std::uint64_t tail = 0;       // it is ASCII and follows a wide character without a separator between
  std::uint64_t in_word = 0;    // it is part of an ASCII word
  std::uint64_t in_number = 0;  // it is part of a number
};

/// The bits of `mask` that follow a bit of `from` without a gap. `from` are bits of `mask` that begin or
/// continue a run of it. The carry of the addition passes through these bits and clears them.
inline std::uint64_t runs_from(std::uint64_t mask, std::uint64_t from) { return mask & ~(mask + from); }

/// Finds where ASCII tokens begin. A token is letters and then letters or digits, or digits and then digits
/// or points, or any other character alone.
inline std::uint64_t ascii_token_starts(std::uint64_t ascii, std::uint64_t letters, std::uint64_t digits,
                                        std::uint64_t points, ScanState& state) {
  const std::uint64_t word_digits = runs_from(digits, digits & (letters << 1 | state.in_word));
  const std::uint64_t words = letters | word_digits;
  const std::uint64_t word_starts = letters & ~(words << 1 | state.in_word);

  // Points before the first digit belong to no number.
  const std::uint64_t numeric = (digits & ~word_digits) | points;
  const std::uint64_t leading = runs_from(points, points & ~(numeric << 1 | state.in_number));
  const std::uint64_t numbers = numeric & ~leading;
  const std::uint64_t number_starts = numbers & ~(numbers << 1 | state.in_number);

  state.in_word = words >> 63;
  state.in_number = numbers >> 63;
  return word_starts | number_starts | (ascii & ~words & ~numbers);
}

/// The ASCII bytes that become symbols: the weight of a path includes everything up to the next separator,
/// which ends it. ASCII that no wide character precedes changes no word.
inline std::uint64_t ascii_symbols(std::uint64_t wide, std::uint64_t ascii, std::uint64_t separators,
                                   ScanState& state) {
  const std::uint64_t plain = ascii & ~separators;
  const std::uint64_t follows_wide = wide << 1 | state.wide | state.tail;
  unsigned long long sum;
  state.tail = static_cast<std::uint64_t>(__builtin_uaddll_overflow(plain, plain & follows_wide, &sum));
  state.wide = wide >> 63;
  return (plain & ~sum) | (separators & ((sum & ~plain) | follows_wide));
}

/// Fills symbols and byte bitmaps. Returns how many symbols, or ~place if dictionary words with ASCII may
/// stand at that byte. `Block` is one instruction set's 64 bytes:
///   Block(p)                  loads 64 bytes, and those one and two behind each
///   block.wide()              bit i: byte i isn't ASCII
///   block.continuation()      bit i: byte i continues a character
///   block.equal(c), .letters(), .digits()   only for ASCII bytes
///   block.triggers(tables)    bit i: bytes i and i + 1 have a trigger in common
///   block.symbols(tables, leads, count, out)   symbols of the characters at `leads`; may write 64 of them
template <class Block>
std::int64_t scan(const SegmentTables& tables, const std::uint8_t* text, std::size_t size, bool hmm,
                  CutBuffers& buffers) {
  ScanState state;
  Symbol* out = buffers.symbols;
  for (std::size_t at = 0, i = 0; at < size; at += 64, ++i) {
    const Block block(text + at);
    const std::size_t left = size - at;
    const std::uint64_t live = left >= 64 ? ~std::uint64_t{0} : ~std::uint64_t{0} >> (64 - left);
    const std::uint64_t wide = block.wide() & live;
    const std::uint64_t ascii = ~wide & live;
    std::uint64_t symbols = wide & ~block.continuation();
    std::uint64_t ascii_starts = 0;
    if (ascii != 0) {
      if (const std::uint64_t triggers = block.triggers(tables) & live)
        return ~static_cast<std::int64_t>(at + static_cast<unsigned>(__builtin_ctzll(triggers)));
      const std::uint64_t separators = (block.equal(' ') | block.equal('\t') | block.equal('\n')) & ascii;
      symbols |= ascii_symbols(wide, ascii, separators, state);
      ascii_starts = hmm ? ascii_token_starts(ascii, block.letters() & ascii, block.digits() & ascii,
                                              block.equal('.') & ascii, state)
                         : ascii;
    } else {
      state = {.wide = 1};
    }
    buffers.symbol_bytes[i] = symbols;
    buffers.wide_bytes[i] = wide;
    buffers.ascii_starts[i] = ascii_starts;
    if (const auto count = static_cast<unsigned>(__builtin_popcountll(symbols))) {
      block.symbols(tables, symbols, count, out);
      out += count;
    }
  }
  for (std::size_t i = 0; i < 64; ++i) out[i] = kUnknownSymbol;
  return out - buffers.symbols;
}

}  // namespace
}  // namespace leitong
