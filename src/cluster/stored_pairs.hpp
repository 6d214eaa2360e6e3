// A file of pairs that is decided again: its documents and its pairs.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "base/stop.hpp"
#include "cluster/settle.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Documents are renumbered 0, 1, .. in the order of their numbers in the file, so that 1e6 pairs of a corpus
/// of 1e9 documents cost no more than the pairs.
struct StoredPairs {
  std::vector<std::string> ids;      ///< for each document
  std::vector<DocId> numbers;        ///< for each document, its number in the file
  std::vector<std::uint32_t> units;  ///< for each document
  std::vector<VerifiedPair> pairs;   ///< at or above the threshold, between originals
  /// For each pair the number of its sentence in `reasons`; empty if the file has none (version 1).
  std::vector<std::uint32_t> reason;
  std::vector<std::string> reasons;  ///< the sentences, each once
  std::vector<PairLosses> losses;    ///< for each pair; empty if the file has none
  bool has_losses = false;           ///< does the file have losses, even if only those of copies?
  bool has_reasons = false;          ///< does it have sentences, even if only those of copies?
  std::vector<Copy>
      copies;              ///< from rows of `identical` and `copy`, each with the first document of its group
  std::uint64_t rows = 0;  ///< rows of the file, without those of copies
  /// Smallest value of the measure in the file, without copies.
  float least = std::numeric_limits<float>::infinity();
};

/// The value of a stored pair that counts.
struct StoredMeasure {
  /// Jaccard or containment; nothing: the measure that decided the pair.
  std::optional<Measure> measure = {};
  bool own_text = false;  ///< true: the value for the two texts without their templates

  [[nodiscard]] float of(const VerifiedPair& pair) const noexcept;
};

/// Reads a file of `leitong pairs` (path as in read_pairs()) and keeps the pairs whose value is at least
/// `threshold`: that of `measure` (Jaccard or containment), or else of the measure that decided each pair.
/// Identical documents always belong together. Fails if two rows give one document number two ids, and with
/// invalid_argument for a measure without templates if the file has none (version 1).
Result<StoredPairs> read_stored_pairs(const std::string& path, const StoredMeasure& measure, double threshold,
                                      StopToken stop = {});

}  // namespace leitong
