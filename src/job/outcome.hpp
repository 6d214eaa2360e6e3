// The results of a finished run, from which outputs and report are written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cluster/settle.hpp"
#include "dedup/pair_result.hpp"
#include "leitong/result.hpp"
#include "similarity/relation.hpp"

namespace leitong {

/// The number of documents in each of `clusters` clusters, with cluster n at n - 1. `cluster` is the number
/// of each document's cluster, 0 for none. O(documents).
[[nodiscard]] PodVector<std::uint32_t> cluster_sizes(std::span<const std::uint32_t> cluster,
                                                     std::uint64_t clusters);

struct Outcome {
  PairResult found;
  /// The number of each document's cluster. A cluster is a kept document and the documents that are similar
  /// to it, at least two in all; where everything similar leaves, the others are those that leave for it.
  /// Clusters are numbered 1.. in the order of their kept documents; 0 for documents in none.
  PodVector<std::uint32_t> cluster;
  PodVector<Measure> measure;  ///< of the pair that removed each, or of its kept copy
  PodVector<float> score;
  PodVector<float> loss;         ///< by that pair; empty if losses do not decide
  PodVector<Relation> relation;  ///< relation to the kept document; empty in the same case
  std::uint64_t clusters = 0, largest_cluster = 0;
  std::uint64_t components = 0;  ///< of at least two documents
  std::uint64_t largest_component = 0;
  std::uint64_t chained_components =
      0;  ///< components with more than one kept document, unless all of these are references
  std::uint64_t removed = 0;
  std::uint64_t relatives = 0;  ///< similar documents that stay because of what would be lost
  /// The units of the documents that leave, and the number of these that none of the kept documents holds,
  /// including reworded ones. Both are 0 if losses were not requested.
  std::uint64_t removed_units = 0, lost_units = 0;
  std::uint64_t removed_copies = 0;  ///< of these, copies of an earlier document

  [[nodiscard]] std::uint64_t documents() const noexcept { return found.table.units.size(); }
  /// The number of each document's connected component of at least two, 1.. in the order of its first
  /// document, 0 for documents that are alone.
  [[nodiscard]] PodVector<std::uint32_t> component_numbers() const;

  /// True if the document stays because of what would be lost, though it is similar to another one that
  /// stays.
  [[nodiscard]] bool is_relative(DocId document) const noexcept {
    return found.settlement.stays(document) && found.settlement.leader(document) != document;
  }
  /// Why a document left: the measure and its value.
  [[nodiscard]] std::pair<Measure, float> reason(DocId document) const noexcept {
    return {measure[document], score[document]};
  }

  /// Calls each(document, pair, loss) for every original that a pair removed, with that pair. The loss is an
  /// optional one, and empty if losses were not requested. Reads all pairs.
  template <class Each>
  Result<void> for_each_removal(Each each) const {
    std::uint32_t number = 0;
    return found.pairs->for_each([&](const VerifiedPair& pair, const PairLosses& losses) {
      if (found.settlement.pair[pair.a] == number) each(pair.a, pair, losses.a);
      if (found.settlement.pair[pair.b] == number) each(pair.b, pair, losses.b);
      ++number;
    });
  }
};

/// The reasons why documents left.
class RemovalReasons {
 public:
  /// Reads all pairs.
  static Result<RemovalReasons> read(const Outcome& outcome);
  /// The reason as a sentence. For a copy it is that of the text that it equals, if that left, too. REQUIRES
  /// that the document left.
  [[nodiscard]] std::string of(DocId document) const;
  /// What is lost of the document, or nothing if losses were not requested. A copy of the kept text loses
  /// nothing.
  [[nodiscard]] std::optional<Loss> loss(DocId document) const;

 private:
  struct Removal {
    VerifiedPair pair;
    std::optional<Loss> loss;
  };
  std::unordered_map<DocId, Removal> removals_;  // removals of originals
  bool losses_ = false;                          // true if losses were requested
  NumberUnits numbers_ = NumberUnits::same;
  std::vector<DocId> original_;              // original of each document
  std::unordered_set<DocId> in_other_form_;  // copies that are not the same text as the kept one
};

/// For the documents that stay beside similar ones, what each has that the others lack.
class Relatives {
 public:
  /// Of the documents that stay and were compared with it, the one that lacks least of it.
  struct Nearest {
    DocId document = 0;
    Loss loss;
  };
  /// Reads all pairs.
  static Result<Relatives> read(const Outcome& outcome);
  /// REQUIRES outcome.is_relative(document). Null if all documents that are similar to it left.
  [[nodiscard]] const Nearest* of(DocId document) const;

 private:
  std::unordered_map<DocId, Nearest> nearest_;
};

/// Counts, and finds the reasons. The first `references` documents are never removed.
Result<Outcome> conclude(PairResult found, DocId references = 0);

}  // namespace leitong
