// Which fingerprints occur in some pair? A bitmap that may say yes too often and never no too often.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "base/hash.hpp"
#include "base/huge_array.hpp"
#include "index/hamming/fingerprint.hpp"

namespace leitong::hamming {

[[nodiscard]] constexpr std::uint64_t hash_of(Fingerprint64 x) noexcept { return mix64(x); }
[[nodiscard]] constexpr std::uint64_t hash_of(Fingerprint128 x) noexcept {
  return mix64(x.low ^ mix64(x.high));
}

/// One bit a hash, one to two times as many bits as fingerprints: where one in five occurs in a pair, one in
/// ten to five of the others is taken for one. More bits would leave the caches earlier, and a look-up beyond
/// them costs more than what it saves. Adding is thread-safe.
class ValueFilter {
 public:
  explicit ValueFilter(std::uint64_t fingerprints)
      : shift_(64u - static_cast<unsigned>(std::bit_width(fingerprints + 63))), words_(words(fingerprints)) {}

  /// Bytes that a filter for so many fingerprints takes.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t fingerprints) noexcept {
    return 8 * words(fingerprints);
  }

  void add(std::uint64_t hash) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (hash >> shift_ & 63);
    std::atomic_ref<std::uint64_t> word(words_[hash >> shift_ >> 6]);
    // Most bits of a crowd are set already; reading costs less than a locked write.
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }
  void prefetch_to_add(std::uint64_t hash) const noexcept {
    __builtin_prefetch(words_.data() + (hash >> shift_ >> 6), 1);
  }
  void prefetch(std::uint64_t hash) const noexcept {
    __builtin_prefetch(words_.data() + (hash >> shift_ >> 6));
  }
  /// REQUIRES that no thread is adding.
  [[nodiscard]] bool may_hold(std::uint64_t hash) const noexcept {
    return (words_[hash >> shift_ >> 6] >> (hash >> shift_ & 63) & 1) != 0;
  }

 private:
  [[nodiscard]] static std::uint64_t words(std::uint64_t fingerprints) noexcept {
    return std::uint64_t{1} << (std::bit_width(fingerprints + 63) - 6);
  }

  unsigned shift_;
  HugeArray<std::uint64_t> words_;
};

}  // namespace leitong::hamming
