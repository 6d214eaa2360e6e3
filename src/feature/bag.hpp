// The features of one document, counted, with the places where they stand.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "feature/word_table.hpp"

namespace leitong {

/// One occurrence of a feature, in text order.
struct Occurrence {
  std::uint64_t id = 0;    ///< tells features apart (their XXH3)
  std::uint64_t hash = 0;  ///< what signatures are summed up from; the same as `id` for XXH3
};

/// One distinct feature of a document.
struct BagTerm {
  std::uint64_t id = 0;
  std::uint64_t hash = 0;
  std::uint32_t count = 0;
  std::uint32_t first = 0;  ///< its places are [first, first + count) of Bag::places
};

/// A document as a bag of features.
struct Bag {
  PodVector<BagTerm> terms;         ///< by rising id
  PodVector<std::uint32_t> places;  ///< of the occurrences: 0, 1, .. among all occurrences; rising in a term
  std::uint32_t occurrences = 0;

  [[nodiscard]] std::span<const std::uint32_t> places_of(const BagTerm& term) const noexcept {
    return {places.data() + term.first, term.count};
  }
};

/// Working space of gather(), one per thread.
struct BagScratch {
  WordTable table;
  PodVector<std::uint32_t> number, next;
};

/// Replaces `bag` by the features of a document. O(n + d log d) for d distinct ones.
void gather(std::span<const Occurrence> occurrences, BagScratch& scratch, Bag& bag);

}  // namespace leitong
