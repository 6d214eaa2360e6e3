// Finds the setting of a method that suits texts whose truth is known: chosen on one half of the truth,
// measured on the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/method.hpp"
#include "evaluate/curve.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct TuneOptions {
  InputOptions input;
  std::string method = "default";
  /// "name=value": parameters that stay fixed; the tuned one is not among them.
  std::vector<std::string> params;
};

/// The tuned parameter: the method's own `distance` or `threshold` if it has one; otherwise the threshold of
/// the Jaccard measure that verifies, for which the name is empty.
[[nodiscard]] std::string_view tuned_param(const MethodInfo& method);

/// The best setting, and all that were compared.
struct Tuned {
  std::vector<CurvePoint> curve;  ///< thresholds of the pairs' scores, descending
  /// Place in the curve of the best F1 on the half that is used for tuning.
  std::size_t best = 0;
  std::string setting;                  ///< that point as a parameter: "distance=7", "threshold=0.65"
  Interval interval;                    ///< for F1 at the best point on the other half
  std::uint64_t repeated_ids = 0;       ///< documents whose id an earlier one has; an id counts once
  std::uint64_t without_signature = 0;  ///< documents of which only copies are ever found
  std::uint64_t absent = 0;             ///< ids of the truth that no document has, which do not count
};

/// Runs the method once with its loosest setting, whose pairs hold the result of every stricter one, and
/// measures these against the truth in the file `gold` (evaluate/gold.hpp). Fails with invalid_argument if
/// the truth names no two documents of the input that belong together, since then all settings would be
/// equally good. `stop` is polled.
Result<Tuned> tune(const TuneOptions& options, const std::string& gold, const Context& context);

/// Without truth: about `count` pairs of ids for a person to label, an even choice of each tenth of the
/// scores that the loosest setting finds, in a random order that is always the same.
Result<std::vector<std::pair<std::string, std::string>>> pairs_to_label(const TuneOptions& options,
                                                                        std::uint64_t count,
                                                                        const Context& context);

}  // namespace leitong
