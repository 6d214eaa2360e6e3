// The dictionaries that schemes are made with in addition to their parameters, and that several schemes
// share.
#pragma once

#include <memory>
#include <mutex>

#include "feature/words.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

/// Opens each dictionary at first use and keeps it for all schemes that are made later. The owner keeps one
/// as long as dictionaries should stay open; schemes made with it keep their dictionaries themselves.
/// Thread-safe.
class SchemeResources {
 public:
  /// `dictionaries` is the choice; jieba's own if nothing is chosen.
  explicit SchemeResources(ModelChoice dictionaries = {}) : dictionaries_(std::move(dictionaries)) {}

  /// The compiled dictionary. Fails as open_segment_model(); a failure is not remembered, so the next call
  /// tries again.
  Result<std::shared_ptr<const SegmentModel>> dictionary();
  /// Its words without its stop words. Stored for WordCut::mix only.
  Result<std::shared_ptr<const WordList>> words(WordCut cut = WordCut::mix);

  /// Fails with invalid_argument if a dictionary was chosen but never opened: then the choice has no effect.
  Result<void> check_used();

 private:
  Result<std::shared_ptr<const SegmentModel>> open_dictionary();

  const ModelChoice dictionaries_;
  std::mutex mutex_;
  std::shared_ptr<const SegmentModel> dictionary_;
  std::shared_ptr<const WordList> words_;
};

/// The resources of a context, which keeps them open for all its runs: jieba's own dictionaries from its data
/// folder.
[[nodiscard]] SchemeResources& resources_of(const Context& context);
/// The same if nothing is chosen. Otherwise dictionaries of the user's choice, which stay open as long as the
/// result exists. REQUIRES that the context outlives it.
[[nodiscard]] std::shared_ptr<SchemeResources> resources_of(const Context& context, ModelChoice choice);

}  // namespace leitong
