// Fingerprints of 64 and 128 bits, and the results of a search for them.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace leitong::hamming {

/// 64 bits in one word.
using Fingerprint64 = std::uint64_t;

/// 128 bits as two words, the low one first, in memory and in files. Ordered by the number that they form.
struct Fingerprint128 {
  std::uint64_t low = 0;   ///< bits 0 to 63
  std::uint64_t high = 0;  ///< bits 64 to 127

  /// Equal in all bits.
  friend constexpr bool operator==(const Fingerprint128&, const Fingerprint128&) noexcept = default;
  /// By the numbers that they form.
  friend constexpr std::strong_ordering operator<=>(const Fingerprint128& x,
                                                    const Fingerprint128& y) noexcept {
    return x.high != y.high ? x.high <=> y.high : x.low <=> y.low;
  }
  /// The bits that differ.
  friend constexpr Fingerprint128 operator^(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low ^ y.low, x.high ^ y.high};
  }
  /// The bits that both have.
  friend constexpr Fingerprint128 operator&(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low & y.low, x.high & y.high};
  }
  /// The bits that at least one of them has.
  friend constexpr Fingerprint128 operator|(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low | y.low, x.high | y.high};
  }
  /// All bits inverted.
  friend constexpr Fingerprint128 operator~(Fingerprint128 x) noexcept { return {~x.low, ~x.high}; }
};

/// Fingerprint64 or Fingerprint128.
template <class F>
concept Fingerprint = std::same_as<F, Fingerprint64> || std::same_as<F, Fingerprint128>;

/// The number of bits of a fingerprint type.
template <Fingerprint F>
inline constexpr unsigned kBits = 8 * sizeof(F);

/// The number of 64-bit words of a fingerprint type.
template <Fingerprint F>
inline constexpr unsigned kWords = kBits<F> / 64;

/// The number of bits of a fingerprint that are 1.
[[nodiscard]] constexpr unsigned count_ones(Fingerprint64 x) noexcept {
  return static_cast<unsigned>(std::popcount(x));
}
/// The number of bits of a fingerprint that are 1.
[[nodiscard]] constexpr unsigned count_ones(Fingerprint128 x) noexcept {
  return count_ones(x.low) + count_ones(x.high);
}

/// The number of bits in which two fingerprints differ.
template <Fingerprint F>
[[nodiscard]] constexpr unsigned distance(F x, F y) noexcept {
  return count_ones(x ^ y);
}

/// Two rows and the number of bits in which their fingerprints differ.
struct RowPair {
  std::uint64_t a = 0;         ///< position of the first
  std::uint64_t b = 0;         ///< position of the second
  std::uint32_t distance = 0;  ///< in bits

  /// Equal in all three.
  friend bool operator==(const RowPair&, const RowPair&) = default;
};

/// A row of an index: a fingerprint and the id of its owner.
template <Fingerprint F>
struct Row {
  F fingerprint{};       ///< the searched value
  std::uint64_t id = 0;  ///< the id of its owner

  /// Rows are ordered by fingerprint, then by id.
  friend constexpr auto operator<=>(const Row&, const Row&) noexcept = default;
};

/// A row within the distance of a query.
template <Fingerprint F>
struct Hit {
  F fingerprint{};             ///< of the row
  std::uint64_t id = 0;        ///< of the row
  std::uint32_t query = 0;     ///< position of the query in its batch
  std::uint32_t distance = 0;  ///< in bits

  /// Equal in all four.
  friend constexpr bool operator==(const Hit&, const Hit&) noexcept = default;
};

/// Which of the rows within the distance of a query a search returns.
enum class HitRule : std::uint8_t {
  all,      ///< all of them
  nearest,  ///< one of the least distance, among these the one with the least id
  any,      ///< the one that is found first
};

}  // namespace leitong::hamming
