// What a finished run knows: the value that outputs and report are written from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cluster/settle.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/result.hpp"
#include "similarity/relation.hpp"

namespace leitong {

/// Documents of each of `clusters` clusters, that of number n at n - 1. `cluster` is the number of each
/// document's cluster, 0 for none. O(documents).
[[nodiscard]] PodVector<std::uint32_t> cluster_sizes(std::span<const std::uint32_t> cluster,
                                                     std::uint64_t clusters);

struct Outcome {
  PairResult found;
  /// Number of each document's cluster (a document with those that are similar to it, two and more: those
  /// that leave for it where all that is similar does), 1.. in the order of these documents; 0 for documents
  /// that are in none.
  PodVector<std::uint32_t> cluster;
  PodVector<Measure> measure;  ///< of the pair that removed each, or what it is to the kept copy
  PodVector<float> score;
  PodVector<float> loss;         ///< by that pair; empty where losses don't decide
  PodVector<Relation> relation;  ///< to the kept one; the same
  std::uint64_t clusters = 0, largest_cluster = 0;
  std::uint64_t components = 0;  ///< of two documents and more
  std::uint64_t largest_component = 0;
  std::uint64_t chained_components =
      0;  ///< components that hold more than one kept document, not of references alone
  std::uint64_t removed = 0;
  std::uint64_t relatives = 0;  ///< similar documents that stay for what would be lost
  /// Units of the documents that leave, and those of them that stand nowhere in the kept ones, reworded ones
  /// included; both 0 where nobody asked for losses.
  std::uint64_t removed_units = 0, lost_units = 0;
  std::uint64_t removed_copies = 0;  ///< of these, copies of an earlier one

  [[nodiscard]] std::uint64_t documents() const noexcept { return found.table.units.size(); }
  /// Number of each document's connected component of two and more, 1.. in order of its first document, 0 for
  /// documents that are alone.
  [[nodiscard]] PodVector<std::uint32_t> component_numbers() const;

  /// Does it stay, though similar to one that does, for what would be lost?
  [[nodiscard]] bool is_relative(DocId document) const noexcept {
    return found.settlement.stays(document) && found.settlement.leader(document) != document;
  }
  /// Why a document left: the measure and its value.
  [[nodiscard]] std::pair<Measure, float> reason(DocId document) const noexcept {
    return {measure[document], score[document]};
  }

  /// Calls each(document, pair, loss) for every original that a pair removed, with that pair; the loss is an
  /// optional one, and nothing where nobody asked for it. Reads all pairs.
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

/// Why documents left.
class RemovalReasons {
 public:
  /// Reads all pairs.
  static Result<RemovalReasons> read(const Outcome& outcome);
  /// In a sentence. Of a copy it is that of the text that it equals, if that left, too. REQUIRES that the
  /// document left.
  [[nodiscard]] std::string of(DocId document) const;
  /// What is lost of it, or nothing where nobody asked. A copy of the kept text loses nothing.
  [[nodiscard]] std::optional<Loss> loss(DocId document) const;

 private:
  struct Removal {
    VerifiedPair pair;
    std::optional<Loss> loss;
  };
  std::unordered_map<DocId, Removal> removals_;  // of originals
  bool losses_ = false;                          // were any asked for?
  NumberUnits numbers_ = NumberUnits::same;
  std::vector<DocId> original_;              // of each document
  std::unordered_set<DocId> in_other_form_;  // copies that aren't the same text as the kept one
};

/// Of the documents that stay beside similar ones, what each has of its own.
class Relatives {
 public:
  /// The document that stays, of those that were asked about, that lacks least of it.
  struct Nearest {
    DocId document = 0;
    Loss loss;
  };
  /// Reads all pairs.
  static Result<Relatives> read(const Outcome& outcome);
  /// REQUIRES outcome.is_relative(document). Null where all that it is similar to left.
  [[nodiscard]] const Nearest* of(DocId document) const;

 private:
  std::unordered_map<DocId, Nearest> nearest_;
};

/// Counts, and looks up the reasons. The first `references` documents are never removed.
Result<Outcome> conclude(PairResult found, DocId references = 0);

}  // namespace leitong
