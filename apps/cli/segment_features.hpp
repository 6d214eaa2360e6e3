// `leitong segment --features`: each line's words, and the features that the method "simhash" makes of them.
#pragma once

#include <string>
#include <vector>

#include "leitong/result.hpp"
#include "text/segment/model_store.hpp"
#include "text_lines.hpp"

namespace leitong::cli {

struct FeatureFlags {
  std::vector<std::string> params;  ///< of simhash, "name=value"
  std::string separator = " ";
  bool json = false;
};

/// Prints a line for each line: features as word:weight:hash, the heaviest first, or with `json` an object of
/// the words and the features. The hash and the weight are those that `leitong sign` uses (with jieba's own
/// dictionary, unless `choice` is another). Fails with invalid_argument for features that are no words.
Result<void> segment_features(const LineJob& job, const FeatureFlags& flags, const ModelChoice& choice);

}  // namespace leitong::cli
