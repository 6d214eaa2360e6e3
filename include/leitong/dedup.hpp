// START HERE: which of these texts are the same, nearly the same, and which would you keep?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// How deduplicate() decides. The defaults are those of the command line.
struct DedupSettings {
  /// A name from `leitong methods`: how candidates are found.
  std::string method = "default";
  /// Its parameters, "name=value"; `leitong methods` lists them with their defaults.
  std::vector<std::string> params;
  /// "jaccard", "containment" or "edit" with `threshold` in [0, 1]; unset for the default rule, which is
  /// Jaccard of 5-unit shingles at least .35 (texts of 100 shingles and fewer) rising to .40 (300 and more),
  /// or containment at least .70.
  std::optional<std::pair<std::string, double>> measure;
  /// .40 for short texts too: fewer sentences that differ in one decisive word.
  bool strict_match = false;
};

/// Two similar texts by their positions, a < b.
struct SimilarTexts {
  std::uint32_t a = 0, b = 0;
  double jaccard = 0;      ///< common shingles of all shingles of the two
  double containment = 0;  ///< common shingles of those of the smaller text
};

/// The answer, positions referring to the input.
struct DedupResult {
  /// For every text the one that is kept in its place: itself if it stays. A text leaves only for one that it
  /// is directly similar to; of a group the longest stays, of equals the first.
  std::vector<std::uint32_t> kept;
  /// All verified pairs, by (a, b). Of texts that are identical after folding, each is paired with the first
  /// of them only.
  std::vector<SimilarTexts> pairs;
  /// Seconds by stage, in order: "read", "match", "copies", "cluster".
  std::vector<std::pair<std::string, double>> stage_seconds;
};

/// Finds the near-duplicates among texts in memory. Texts must be valid UTF-8 (Error::corrupt names the first
/// that isn't) and outlive the call; an empty text is a document like others. Linear in the text plus the
/// pairs; about 400 bytes a text beside the texts themselves. Uses the context's threads, memory and work
/// folder, reports progress to it and ends with ErrorCode::cancelled when it is told to stop. The result
/// depends on none of these.
Result<DedupResult> deduplicate(const Context& context, std::span<const std::string_view> texts,
                                const DedupSettings& settings = {});
/// The same in a context of its own with one thread.
Result<DedupResult> deduplicate(std::span<const std::string_view> texts, const DedupSettings& settings = {});

}  // namespace leitong
