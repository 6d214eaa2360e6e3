// What a finished run knows: the value that outputs and report are written from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cluster/settle.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Documents of each of `clusters` clusters, that of number n at n - 1. `cluster` is the number of each
/// document's cluster, 0 for none. O(documents).
[[nodiscard]] PodVector<std::uint32_t> cluster_sizes(std::span<const std::uint32_t> cluster,
                                                     std::uint64_t clusters);

struct Outcome {
  Found found;
  /// Number of each document's cluster (a kept document with those that left for it, two and more), 1.. in
  /// the order of the kept documents; 0 for documents that are in none.
  PodVector<std::uint32_t> cluster;
  PodVector<Measure> measure;  ///< of the pair that removed each, or what it is to the kept copy
  PodVector<float> score;
  std::uint64_t clusters = 0, largest_cluster = 0;
  std::uint64_t components = 0;  ///< of two documents and more
  std::uint64_t largest_component = 0;
  std::uint64_t chained_components =
      0;  ///< components that hold more than one kept document, not of references alone
  std::uint64_t removed = 0;
  std::uint64_t removed_copies = 0;  ///< of these, copies of an earlier one

  [[nodiscard]] std::uint64_t documents() const noexcept { return found.table.units.size(); }
  /// Number of each document's connected component of two and more, 1.. in order of its first document, 0 for
  /// documents that are alone.
  [[nodiscard]] PodVector<std::uint32_t> component_numbers() const;

  /// Why a document left: the measure and its value.
  [[nodiscard]] std::pair<Measure, float> reason(DocId document) const noexcept {
    return {measure[document], score[document]};
  }

  /// Calls each(document, pair) for every original that a pair removed, with that pair. Reads all pairs.
  template <class Each>
  Result<void> for_each_removal(Each each) const {
    std::uint32_t number = 0;
    return found.pairs->for_each([&](const VerifiedPair& pair) {
      for (const DocId d : {pair.a, pair.b})
        if (found.settlement.pair[d] == number) each(d, pair);
      ++number;
    });
  }
};

/// Why documents left, each in a sentence.
class RemovalReasons {
 public:
  /// Reads all pairs.
  static Result<RemovalReasons> read(const Outcome& outcome);
  /// Of a copy it is that of the text that it equals, if that left, too. REQUIRES that the document left.
  [[nodiscard]] std::string of(DocId document) const;

 private:
  std::unordered_map<DocId, VerifiedPair> pairs_;  // that removed originals
  std::vector<DocId> original_;                    // of each document
  std::unordered_set<DocId> in_other_form_;        // copies that aren't the same text as the kept one
};

/// Counts, and looks up the reasons. The first `references` documents are never removed.
Result<Outcome> conclude(Found found, DocId references = 0);

}  // namespace leitong
