// The features of one document, counted, with the places where they occur.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "feature/word_table.hpp"

namespace leitong {

/// One occurrence of a feature, in text order.
struct Occurrence {
  std::uint64_t id = 0;    ///< distinguishes features (their XXH3)
  std::uint64_t hash = 0;  ///< the hash that signatures add; the same as `id` for XXH3
};

/// One distinct feature of a document.
struct BagTerm {
  std::uint64_t id = 0;
  std::uint64_t hash = 0;
  std::uint32_t count = 0;
  /// The index of its first place: its places are [first, first + count) of Bag::places.
  std::uint32_t first = 0;
};

/// A document as a bag of features.
struct Bag {
  PodVector<BagTerm> terms;  ///< sorted by id
  /// Places of the occurrences, numbered 0, 1, .. over all; ascending in a term.
  PodVector<std::uint32_t> places;
  std::uint32_t occurrences = 0;

  [[nodiscard]] std::span<const std::uint32_t> places_of(const BagTerm& term) const noexcept {
    return {places.data() + term.first, term.count};
  }
};

/// The working space of gather(), one for each thread.
struct BagScratch {
  WordTable table;
  PodVector<std::uint32_t> number, next;
};

/// Replaces `bag` by the features of a document. O(n + d log d) for d distinct ones.
void gather(std::span<const Occurrence> occurrences, BagScratch& scratch, Bag& bag);

}  // namespace leitong
