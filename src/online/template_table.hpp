// The shingles that texts of many works share: what an index learned of templates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "base/huge_array.hpp"
#include "base/pod_vector.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {

/// The number of works that are known to hold a shingle, up to TemplateRule::kFamilies, from which it is a
/// template.
using Works = std::uint8_t;

/// The shingles that two texts of different works were found to share. It takes 8 bytes for each shingle, in
/// a table that is at most half full. One thread changes it; other threads may read only while nobody changes
/// it.
class TemplateTable {
 public:
  /// The most shingles: 128 MB. Beyond it no new ones are learned.
  static constexpr std::size_t kMost = std::size_t{1} << 23;
  /// Bytes of a shingle in bytes_of_all().
  static constexpr std::size_t kEntryBytes = sizeof(std::uint32_t) + sizeof(Works);

  /// 0: at most one work is known.
  [[nodiscard]] Works works(std::uint32_t shingle) const noexcept;
  /// Prefetches what works() of this shingle reads.
  void prefetch(std::uint32_t shingle) const noexcept {
    if (slots_.size() > 0) __builtin_prefetch(&slots_[first_place(shingle)]);
  }
  /// Do enough works hold the shingle? Templates are few, so what this reads stays in the cache, while
  /// works() would wait for memory.
  [[nodiscard]] bool is_template(std::uint32_t shingle) const noexcept {
    if (!filter().may_hold(shingle)) return false;
    return shingle == 0 ? works(0) >= TemplateRule::kFamilies : only_[template_place(shingle)] == shingle;
  }
  /// Excludes nearly every shingle that is no template, with one access and no branch. Keep it for many
  /// shingles: that is faster. Valid until the table changes.
  class Filter {
   public:
    Filter(const std::uint64_t* words, unsigned bits) noexcept : words_(words), shift_(64 - bits) {}
    [[nodiscard]] bool may_hold(std::uint32_t shingle) const noexcept {
      const Place place = place_of(shingle);
      return (words_[place.word] & place.bits) == place.bits;
    }

   private:
    friend class TemplateTable;
    /// Two bits of one word.
    struct Place {
      std::size_t word;
      std::uint64_t bits;
    };
    [[nodiscard]] Place place_of(std::uint32_t shingle) const noexcept {
      const std::uint64_t hash = shingle * std::uint64_t{0x9E3779B97F4A7C15};
      const auto bit = [&](unsigned from) { return std::uint64_t{1} << (hash >> from & 63); };
      return {hash >> shift_, bit(20) | bit(26)};
    }
    const std::uint64_t* words_;
    unsigned shift_;
  };
  [[nodiscard]] Filter filter() const noexcept {
    static constexpr std::uint64_t kNothing[2] = {};
    return filter_.empty() ? Filter(kNothing, 1) : Filter(filter_.data(), filter_bits_);
  }
  [[nodiscard]] bool any_template(std::span<const std::uint32_t> shingles) const noexcept {
    return std::ranges::any_of(shingles, [&](std::uint32_t shingle) { return is_template(shingle); });
  }
  /// Calls each(shingle, works) for all of them.
  template <class Each>
  void for_each(Each each) const {
    for (const std::uint64_t slot : slots_.span())
      if (slot != 0) each(static_cast<std::uint32_t>(slot >> 8), static_cast<Works>(slot));
  }
  /// Makes room for so many at once, within kMost.
  void reserve(std::size_t shingles);
  /// REQUIRES works > 0, and room for a new one.
  void set(std::uint32_t shingle, Works works);

  /// Copies the entries of another table. REQUIRES room for them.
  void set_all(const TemplateTable& changes) {
    changes.for_each([&](std::uint32_t shingle, Works works) { set(shingle, works); });
  }

  /// The shingles as bytes.
  [[nodiscard]] std::string bytes_of_all() const;
  /// Reads the entries of these bytes. False if they are no table, or if there is no room. Adds to `became`
  /// how many shingles became templates.
  [[nodiscard]] bool take(std::string_view bytes, std::uint64_t& became);

  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  [[nodiscard]] bool full() const noexcept { return used_ >= kMost; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return slots_.size() * sizeof slots_[0] + filter_.size() * sizeof filter_[0] +
           only_.size() * sizeof only_[0];
  }

 private:
  [[nodiscard]] std::size_t first_place(std::uint32_t shingle) const noexcept {
    return mix64(shingle) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t place(std::uint32_t shingle) const noexcept;
  /// Changes the number of slots, a power of two.
  void resize(std::size_t slots);
  [[nodiscard]] std::size_t template_place(std::uint32_t shingle) const noexcept {
    const std::size_t mask = only_.size() - 1;
    std::size_t at = mix64(shingle) & mask;
    while (only_[at] != 0 && only_[at] != shingle) at = (at + 1) & mask;
    return at;
  }
  void note_template(std::uint32_t shingle) noexcept {
    const Filter::Place place = filter().place_of(shingle);
    filter_[place.word] |= place.bits;
    only_[template_place(shingle)] = shingle;  // 0 marks a free place, so the table itself has to answer
  }
  /// Enlarges the next two members.
  void grow_templates();

  HugeArray<std::uint64_t> slots_;  // shingle << 8 | works; 0: free
  std::size_t used_ = 0;
  PodVector<std::uint64_t> filter_;  // 2^filter_bits_ words, with 8 bits and more for each template
  PodVector<std::uint32_t> only_;    // only the templates; at least half of the places are free
  unsigned filter_bits_ = 0;
  std::size_t templates_ = 0;
};

}  // namespace leitong::online
