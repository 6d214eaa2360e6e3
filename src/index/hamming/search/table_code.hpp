// Divides a fingerprint into the key and the value of a table, and joins them again.
#pragma once

#include <array>
#include <cstdint>

#include "index/hamming/fingerprint.hpp"

namespace leitong::hamming {

/// How a key is made from the bits by which a table groups.
enum class BucketCode : std::uint8_t {
  plain = 0,      ///< the bits are the key
  hamming31 = 1,  ///< 31 bits; the key is the 26 information bits of the nearest word of the Hamming code
};

/// The form of a table on disk and in memory.
template <Fingerprint F>
struct TableShape {
  F mask{};             ///< the bits by which it groups, at most 32
  unsigned radius = 0;  ///< it finds two fingerprints whose masked bits differ in at most so many places
  BucketCode code = BucketCode::plain;

  [[nodiscard]] unsigned key_bits() const noexcept {
    return code == BucketCode::plain ? count_ones(mask) : 26;
  }
  /// The bits that are stored of a fingerprint.
  [[nodiscard]] unsigned value_bits() const noexcept {
    return kBits<F> - count_ones(mask) + (code == BucketCode::plain ? 0 : 5);
  }
  [[nodiscard]] unsigned entry_bytes() const noexcept {
    return value_bits() < 25 ? 4 : (value_bits() + 7) / 8;
  }

  friend bool operator==(const TableShape&, const TableShape&) noexcept = default;
};

/// A set of bit positions as runs, for machines without an instruction that gathers bits.
struct BitRuns {
  struct Run {
    std::uint8_t word, from, length, to;
  };
  Run runs[66] = {};
  unsigned count = 0;
};

template <Fingerprint F>
[[nodiscard]] BitRuns runs_of(F mask) noexcept;

/// The bits of the runs, packed, the lowest one first.
template <Fingerprint F>
[[nodiscard]] F gather(F x, const BitRuns& runs) noexcept;
/// The inverse of gather(); the other bits are zero.
template <Fingerprint F>
[[nodiscard]] F scatter(F bits, const BitRuns& runs) noexcept;

/// Key and value of a fingerprint in one table. Ordered by (key, value), fingerprints have the order in which
/// the table stores them.
template <Fingerprint F>
struct Coded {
  std::uint32_t key = 0;
  F value{};

  friend constexpr auto operator<=>(const Coded&, const Coded&) noexcept = default;
};

template <Fingerprint F>
class TableCode {
 public:
  explicit TableCode(const TableShape<F>& shape) noexcept
      : code_(shape.code),
        mask_(runs_of(shape.mask)),
        rest_(runs_of(~shape.mask)),
        rest_bits_(kBits<F> - count_ones(shape.mask)) {}
  [[nodiscard]] Coded<F> encode(F fingerprint) const noexcept;
  [[nodiscard]] F decode(Coded<F> coded) const noexcept;
  [[nodiscard]] const BitRuns& mask_runs() const noexcept { return mask_; }
  [[nodiscard]] const BitRuns& rest_runs() const noexcept { return rest_; }

 private:
  BucketCode code_;
  BitRuns mask_, rest_;
  unsigned rest_bits_;
};

// The Hamming code [31, 26]: the columns of its check matrix are the numbers 1 to 31, and column i + 1
// belongs to bit i. Every 31-bit word is a codeword or differs from exactly one codeword in exactly one bit.
// So the words within one bit of a word that is no codeword are near only 16 codewords.

/// The number (from 1) of the bit in which `word` differs from the nearest codeword; 0 if it is one.
[[nodiscard]] std::uint32_t hamming31_syndrome(std::uint32_t word) noexcept;
/// The 26 information bits of `word`.
[[nodiscard]] std::uint32_t hamming31_information(std::uint32_t word) noexcept;
[[nodiscard]] std::uint32_t hamming31_codeword(std::uint32_t information) noexcept;

/// The buckets that hold all words within one bit of a word with a given syndrome.
struct Hamming31Ball {
  std::uint32_t count;
  std::uint32_t words[16];  ///< codeword ^ word; plain arrays for the kernels
  std::uint32_t keys[16];   ///< their information bits
};
/// One ball for each of the 32 syndromes.
[[nodiscard]] const std::array<Hamming31Ball, 32>& hamming31_balls() noexcept;

}  // namespace leitong::hamming
