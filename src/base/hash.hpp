// Hashes of 64-bit values, the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace leitong {

/// A bijection of 64-bit values in which every output bit depends on every input bit.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  return x;
}

/// The bytes of these values, for a hash.
template <class T>
[[nodiscard]] std::string_view bytes_of(std::span<const T> values) noexcept {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace leitong
