// Which shingles do texts of many works share? What an index learned of templates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "base/pod_vector.hpp"

namespace leitong::online {

/// Works that hold a shingle, as far as they were met: up to TemplateRule::kFamilies, from which it is a
/// template.
using Works = std::uint8_t;

/// Shingles that two texts of different works were seen to share. 8 bytes each, in a table that is half full
/// at most. One thread changes it; any number may read meanwhile only if nobody changes it.
class TemplateTable {
 public:
  /// Shingles that it takes: 128 MB. Beyond them no new ones are learned.
  static constexpr std::size_t kMost = std::size_t{1} << 23;

  /// 0: of at most one that is known of.
  [[nodiscard]] Works works(std::uint32_t shingle) const noexcept;
  /// Has works() of it soon find what it reads in the cache.
  void prefetch(std::uint32_t shingle) const noexcept {
    if (!slots_.empty()) __builtin_prefetch(&slots_[first_place(shingle)]);
  }
  /// False if it isn't a template: a look at few bytes, most of which are in the cache.
  [[nodiscard]] bool may_be_template(std::uint32_t shingle) const noexcept {
    if (filter_.empty()) return false;
    const FilterBits bits = bits_of(shingle);
    return (filter_[bits.word] & bits.both) == bits.both;
  }
  /// Is one of these in it? REQUIRES that all that it has are templates.
  [[nodiscard]] bool holds_any(std::span<const std::uint32_t> shingles) const noexcept {
    return std::ranges::any_of(
        shingles, [&](std::uint32_t shingle) { return may_be_template(shingle) && works(shingle) != 0; });
  }
  /// Calls each(shingle, works) for all of them.
  template <class Each>
  void for_each(Each each) const {
    for (const std::uint64_t slot : slots_)
      if (slot != 0) each(static_cast<std::uint32_t>(slot >> 8), static_cast<Works>(slot));
  }
  /// REQUIRES works > 0, and room for a new one.
  void set(std::uint32_t shingle, Works works);

  /// Takes over what another table says of its shingles. REQUIRES room for them.
  void set_all(const TemplateTable& changes) {
    changes.for_each([&](std::uint32_t shingle, Works works) { set(shingle, works); });
  }

  /// Its shingles as bytes, 5 for each.
  [[nodiscard]] std::string bytes_of_all() const;
  /// Takes over what these bytes say; false if they are of no table, or of more than there is room for. Adds
  /// to `became` how many shingles became templates.
  [[nodiscard]] bool take(std::string_view bytes, std::uint64_t& became);

  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  [[nodiscard]] bool full() const noexcept { return used_ >= kMost; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return slots_.size() * sizeof slots_[0] + filter_.size() * sizeof filter_[0];
  }

 private:
  [[nodiscard]] std::size_t first_place(std::uint32_t shingle) const noexcept {
    return mix64(shingle) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t place(std::uint32_t shingle) const noexcept;
  void grow();
  /// Two bits of one word.
  struct FilterBits {
    std::size_t word;
    std::uint64_t both;
  };
  [[nodiscard]] FilterBits bits_of(std::uint32_t shingle) const noexcept {
    const std::uint64_t hash = shingle * std::uint64_t{0x9E3779B97F4A7C15};
    const auto bit = [&](unsigned from) { return std::uint64_t{1} << (hash >> from & 63); };
    return {hash >> (64 - filter_bits_), bit(20) | bit(26)};
  }
  void make_filter();

  PodVector<std::uint64_t> slots_;  // shingle << 8 | works; 0: free
  std::size_t used_ = 0;
  PodVector<std::uint64_t> filter_;  // 2^filter_bits_ words, with 8 bits and more for each template
  unsigned filter_bits_ = 0;
  std::size_t templates_ = 0;
};

}  // namespace leitong::online
