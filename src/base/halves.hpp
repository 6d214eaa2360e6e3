// Two 32-bit numbers in one word, which sorts like the pair.
#pragma once

#include <cstdint>

namespace leitong {

constexpr std::uint64_t join_halves(std::uint32_t high, std::uint32_t low) noexcept {
  return static_cast<std::uint64_t>(high) << 32 | low;
}
constexpr std::uint32_t high_half(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(word >> 32);
}
constexpr std::uint32_t low_half(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word); }

}  // namespace leitong
