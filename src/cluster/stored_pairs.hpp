// A file of pairs as a problem to be decided anew: the documents that it names, and what joins them.
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

/// Documents are numbered anew, 0, 1, .. in the order of their numbers in the file, so that a corpus of 1e9
/// with 1e6 pairs costs no more than its pairs.
struct StoredPairs {
  std::vector<std::string> ids;      ///< of each document
  std::vector<DocId> numbers;        ///< of each document, in the file
  std::vector<std::uint32_t> units;  ///< length of each document
  std::vector<VerifiedPair> pairs;   ///< at or above the threshold, between originals
  /// Of each pair the number of its sentence in `reasons`; empty where the file has none (version 1).
  std::vector<std::uint32_t> reason;
  std::vector<std::string> reasons;  ///< the sentences, each once
  std::vector<PairLosses> losses;    ///< of each pair; empty where the file has none
  bool has_losses = false;           ///< has the file losses, be it of copies alone?
  std::vector<Copy> copies;  ///< from rows of `identical` and `copy`, each with the first of its group
  std::uint64_t rows = 0;    ///< in the file, those of copies apart
  float least =
      std::numeric_limits<float>::infinity();  ///< smallest value of the measure in the file, copies apart
};

/// Which value of a stored pair counts.
struct StoredMeasure {
  std::optional<Measure> measure = {};  ///< Jaccard or containment; none: the one that decided the pair
  bool own_text = false;                ///< of the two texts without their templates

  [[nodiscard]] float of(const VerifiedPair& pair) const noexcept;
};

/// Reads a file of `leitong pairs` (path as in read_pairs()) and keeps the pairs whose value is at least
/// `threshold`: that of `measure` (Jaccard or containment), or of the measure that decided each pair where
/// none is given. Identical documents always belong together. Fails if two rows give one document number two
/// ids, and with invalid_argument if a measure of own text is asked of a file that holds none (version 1).
Result<StoredPairs> read_stored_pairs(const std::string& path, const StoredMeasure& measure, double threshold,
                                      StopToken stop = {});

}  // namespace leitong
