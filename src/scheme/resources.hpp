// What schemes are made with beside their parameters: dictionaries that several of them share.
#pragma once

#include <memory>
#include <mutex>

#include "feature/words.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

/// Opens each dictionary at first use and keeps it for all that is made later. Owned by whoever runs jobs,
/// one for as long as dictionaries shall stay open; what was made with it holds on to its dictionaries
/// itself. Thread-safe.
class SchemeResources {
 public:
  /// `dictionaries`: which ones; jieba's own unless something is chosen.
  explicit SchemeResources(ModelChoice dictionaries = {}) : dictionaries_(std::move(dictionaries)) {}

  /// The compiled dictionary. Fails as open_segment_model(); a failure isn't remembered.
  Result<std::shared_ptr<const SegmentModel>> dictionary();
  /// Its words, less its stop words. Kept for WordCut::mix only.
  Result<std::shared_ptr<const WordList>> words(WordCut cut = WordCut::mix);

  /// Fails with invalid_argument if something was chosen and nothing opened it: then the choice has no
  /// effect.
  Result<void> check_used();

 private:
  Result<std::shared_ptr<const SegmentModel>> open_dictionary();

  const ModelChoice dictionaries_;
  std::mutex mutex_;
  std::shared_ptr<const SegmentModel> dictionary_;
  std::shared_ptr<const WordList> words_;
};

/// Those of a context, which keeps them open for all its runs: jieba's own dictionaries, of its data folder.
[[nodiscard]] SchemeResources& resources_of(const Context& context);
/// The same where nothing is chosen; else dictionaries of the user's choice, kept open by whoever holds the
/// result. REQUIRES that the context outlives it.
[[nodiscard]] std::shared_ptr<SchemeResources> resources_of(const Context& context, ModelChoice choice);

}  // namespace leitong
