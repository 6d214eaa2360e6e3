// The fingerprints that occur in some pair, as a filter with false positives and without false negatives.
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

/// A Bloom filter of two bits for each hash, both in one word, with one to two bits of memory for each
/// fingerprint. If one fingerprint in five occurs in a pair, the filter wrongly accepts one in eight to
/// twenty of the others. With more bits it would exceed the caches earlier, and a look-up beyond them costs
/// more than it saves. Adding is thread-safe.
class ValueFilter {
 public:
  explicit ValueFilter(std::uint64_t fingerprints)
      : shift_(64 - number_bits(fingerprints)), words_(words(fingerprints)) {}

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t fingerprints) noexcept {
    return 8 * words(fingerprints);
  }

  void add(std::uint64_t hash) noexcept {
    const std::uint64_t bits = bits_of(hash);
    std::atomic_ref<std::uint64_t> word(words_[word_of(hash)]);
    // In a crowd most bits are set already, and a read costs less than an atomic write.
    if ((~word.load(std::memory_order_relaxed) & bits) != 0) word.fetch_or(bits, std::memory_order_relaxed);
  }
  void prefetch_to_add(std::uint64_t hash) const noexcept {
    __builtin_prefetch(words_.data() + word_of(hash), 1);
  }
  void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(words_.data() + word_of(hash)); }
  /// REQUIRES that no thread is adding.
  [[nodiscard]] bool may_hold(std::uint64_t hash) const noexcept {
    return (~words_[word_of(hash)] & bits_of(hash)) == 0;
  }

 private:
  [[nodiscard]] static std::uint64_t words(std::uint64_t fingerprints) noexcept {
    return std::uint64_t{1} << number_bits(fingerprints);
  }
  // The bits of a word's number: at least two words, so that a hash is never shifted out completely.
  [[nodiscard]] static unsigned number_bits(std::uint64_t fingerprints) noexcept {
    return static_cast<unsigned>(std::bit_width(fingerprints / 64 + 1));
  }
  [[nodiscard]] std::uint64_t word_of(std::uint64_t hash) const noexcept { return hash >> shift_; }
  [[nodiscard]] static std::uint64_t bits_of(std::uint64_t hash) noexcept {
    return std::uint64_t{1} << (hash >> 8 & 63) | std::uint64_t{1} << (hash >> 14 & 63);
  }

  unsigned shift_;
  HugeArray<std::uint64_t> words_;
};

}  // namespace leitong::hamming
