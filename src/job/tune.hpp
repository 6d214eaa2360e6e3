// Which setting of a method suits texts whose truth is known: chosen on one half of the truth, measured on
// the other.
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
  std::vector<std::string> params;  ///< "name=value": what stays as it is; the tuned one is none of them
};

/// What is tuned: the method's own `distance` or `threshold`, where it has one; else the threshold of the
/// Jaccard measure that verifies, for which this is empty.
[[nodiscard]] std::string_view tuned_param(const MethodInfo& method);

/// The best setting, and all that were weighed.
struct Tuned {
  std::vector<CurvePoint> curve;        ///< thresholds of the pairs' scores, falling
  std::size_t best = 0;                 ///< place in the curve of the best F1 on the half that is tuned on
  std::string setting;                  ///< that point as a parameter: "distance=7", "threshold=0.65"
  Interval interval;                    ///< of F1 at the best point on the other half
  std::uint64_t repeated_ids = 0;       ///< documents with an id that an earlier one has; an id counts once
  std::uint64_t without_signature = 0;  ///< documents of which nothing but copies is ever found
  std::uint64_t absent = 0;             ///< ids of the truth that no document has; they don't count
};

/// Runs the method once, at its loosest setting, whose pairs hold the result of every stricter one, and
/// measures these against the truth in the file `gold` (evaluate/gold.hpp). Fails with invalid_argument where
/// the truth names no two documents of the input that belong together: then every setting is as good as the
/// others. `stop` is polled.
Result<Tuned> tune(const TuneOptions& options, const std::string& gold, const Context& context);

/// Without truth: about `count` pairs for a person to label, as ids, an even choice of each tenth of the
/// scores that the loosest setting finds, in a random order that is the same each time.
Result<std::vector<std::pair<std::string, std::string>>> pairs_to_label(const TuneOptions& options,
                                                                        std::uint64_t count,
                                                                        const Context& context);

}  // namespace leitong
