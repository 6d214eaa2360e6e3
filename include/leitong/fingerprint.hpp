// Fingerprints of 64 and 128 bits, and what is found about them.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace leitong::hamming {

using Fingerprint64 = std::uint64_t;

/// 128 bits as two words, in memory and in files the low one first. Ordered as the number that they form.
struct Fingerprint128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend constexpr bool operator==(const Fingerprint128&, const Fingerprint128&) noexcept = default;
  friend constexpr std::strong_ordering operator<=>(const Fingerprint128& x,
                                                    const Fingerprint128& y) noexcept {
    return x.high != y.high ? x.high <=> y.high : x.low <=> y.low;
  }
  friend constexpr Fingerprint128 operator^(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low ^ y.low, x.high ^ y.high};
  }
  friend constexpr Fingerprint128 operator&(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low & y.low, x.high & y.high};
  }
  friend constexpr Fingerprint128 operator|(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low | y.low, x.high | y.high};
  }
  friend constexpr Fingerprint128 operator~(Fingerprint128 x) noexcept { return {~x.low, ~x.high}; }
};

template <class F>
concept Fingerprint = std::same_as<F, Fingerprint64> || std::same_as<F, Fingerprint128>;

/// Bits of a fingerprint type.
template <Fingerprint F>
inline constexpr unsigned kBits = 8 * sizeof(F);

/// 64-bit words of a fingerprint type.
template <Fingerprint F>
inline constexpr unsigned kWords = kBits<F> / 64;

[[nodiscard]] constexpr unsigned count_ones(Fingerprint64 x) noexcept {
  return static_cast<unsigned>(std::popcount(x));
}
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
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint32_t distance = 0;

  friend bool operator==(const RowPair&, const RowPair&) = default;
};

/// An index is a set of rows: fingerprints, each with the id of whom it belongs to.
template <Fingerprint F>
struct Row {
  F fingerprint{};
  std::uint64_t id = 0;

  friend constexpr auto operator<=>(const Row&, const Row&) noexcept = default;
};

/// A row within the wanted distance of a query.
template <Fingerprint F>
struct Hit {
  F fingerprint{};
  std::uint64_t id = 0;
  std::uint32_t query = 0;  ///< position of the query in its batch
  std::uint32_t distance = 0;

  friend constexpr bool operator==(const Hit&, const Hit&) noexcept = default;
};

/// Which of the rows within the wanted distance of a query a search is to give.
enum class HitRule : std::uint8_t {
  all,
  nearest,  ///< one of the least distance, of these the one with the least id
  any,      ///< one, whichever is found first
};

}  // namespace leitong::hamming
