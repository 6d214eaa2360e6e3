// The window of a document that holds most shingles of an item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/units.hpp"

namespace leitong {

/// Where, and how many different shingles.
struct Window {
  std::uint32_t shingles = 0;
  std::size_t begin = 0;  ///< the first unit of a shingle in it
  std::size_t end = 0;    ///< behind the last one
};

/// The shingles of one item, ready to be looked for.
class ItemShingles {
 public:
  /// Replaces them by those of an item (ItemShape::parts).
  void set(std::span<const Unit> parts);
  /// The number of different ones.
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(counts_.size()); }
  /// The best window of `width` units within [begin, end) of a document: with most different shingles, of
  /// these the first one, as short as it can be. O(end - begin).
  [[nodiscard]] Window best(std::span<const Unit> document, std::size_t begin, std::size_t end,
                            std::size_t width);

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Slot {
    std::uint64_t shingle = 0;
    std::uint32_t number = kNone;
  };
  [[nodiscard]] std::uint32_t number_of(std::uint64_t shingle) const noexcept;

  std::vector<Slot> slots_;            // a power of two of them
  std::vector<std::uint32_t> counts_;  // of each shingle, in the window
  std::vector<std::uint32_t> seen_;    // the shingle at each place of the range, or kNone
  std::size_t mask_ = 0;
};

/// All shingles of a document, to see at once that it lacks those of an item.
class ShinglesOf {
 public:
  /// Replaces them. O(n).
  void set(std::span<const Unit> document);
  /// How many of an item's shingles (ItemShape::parts) are there at most. One that the item has twice counts
  /// twice, and one in some 16 that are not there counts.
  [[nodiscard]] std::size_t count(std::span<const Unit> parts) const noexcept;

 private:
  std::vector<std::uint64_t> bits_;  // a power of two of them, by hash
  unsigned shift_ = 63;
};

}  // namespace leitong
