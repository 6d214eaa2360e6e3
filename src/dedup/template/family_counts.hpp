// Counts how many families hold each shingle of a set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// A set of shingles with the number of families that hold each. A family that comes again after another one
/// is counted again: the count is never too low, and it is exact if the documents of each family come one
/// after the other. A hash table of 16 bytes a slot, which is at most three quarters full.
class FamilyCounts {
 public:
  struct Count {
    std::uint32_t shingle = 0;
    std::uint32_t alone = 0;  ///< documents that are a whole family each, of which only the number is known
    DocId last = kNoDocument;
    std::uint32_t others : 31 = 0;  ///< other families
    std::uint32_t wanted : 1 = 0;

    [[nodiscard]] std::uint64_t families() const noexcept { return std::uint64_t{alone} + others; }
    void add(DocId family) noexcept {
      others += last != family ? 1 : 0;
      last = family;
    }
  };

  /// The most bytes that a table for so many shingles takes.
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t shingles) noexcept {
    return shingles * 8 / 3 * sizeof(Count);
  }

  /// Starts again, for about so many shingles.
  void clear(std::size_t shingles) {
    counts_.clear();
    counts_.resize(std::bit_ceil(std::max<std::size_t>(shingles + shingles / 3, 64)), Count{});
    set_shift();
    size_ = 0;
  }
  /// Inserts the shingle unless the set holds it, and adds `family` to the families that hold it.
  void insert(std::uint32_t shingle, DocId family, bool wanted) {
    if (4 * size_ >= 3 * counts_.size()) grow();
    Count& count = counts_[place(shingle)];
    size_ += count.others == 0;
    count.shingle = shingle;
    count.wanted |= wanted;
    count.add(family);
  }
  /// Returns null if the set does not hold it. Valid until the next insertion.
  [[nodiscard]] Count* find(std::uint32_t shingle) noexcept {
    Count& count = counts_[place(shingle)];
    return count.others == 0 ? nullptr : &count;
  }

 private:
  // The slot of the shingle, or a free slot for it.
  [[nodiscard]] std::size_t place(std::uint32_t shingle) const noexcept {
    std::size_t at = shingle * 0x9E3779B1U >> shift_;
    while (counts_[at].others != 0 && counts_[at].shingle != shingle) at = (at + 1) & (counts_.size() - 1);
    return at;
  }
  void set_shift() { shift_ = 32 - static_cast<unsigned>(std::bit_width(counts_.size() - 1)); }
  void grow() {
    PodVector<Count> smaller;
    std::swap(smaller, counts_);
    counts_.resize(2 * smaller.size(), Count{});
    set_shift();
    for (const Count& count : smaller)
      if (count.others != 0) counts_[place(count.shingle)] = count;
  }

  PodVector<Count> counts_;
  std::size_t size_ = 0;
  unsigned shift_ = 0;
};

}  // namespace leitong
