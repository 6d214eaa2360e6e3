#include "feature/terms.hpp"

#include "base/try.hpp"
#include "feature/heaviest.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {

Result<TermExtractor> TermExtractor::open(std::shared_ptr<const SegmentModel> model, Simd level) {
  LEITONG_TRY(model->verify());
  return TermExtractor(JiebaCutter(std::move(model), level));
}

void TermExtractor::top(std::string_view utf8, std::size_t count, TermScratch& scratch,
                        PodVector<Feature>& features) const {
  const SegmentModel& model = cutter_.model();
  scratch.counts.count(cutter_, Scripts::all, utf8);
  features.clear();
  if (count == 0) return;

  // Most words are too light to be among the heaviest, so only their weight is computed.
  Heaviest heaviest(count, features);
  const auto known = scratch.counts.known();
  for (const KnownWord& word : known) __builtin_prefetch(&model.term(word.id));
  const auto median = static_cast<float>(model.numbers().median_idf);
  for (const UnknownWord& word : scratch.counts.unknown()) {
    const float weight = static_cast<float>(word.count) * median;
    if (heaviest.wants(weight) && is_term(utf8.substr(word.begin, word.length)))
      heaviest.add({word.hash, weight});
  }
  for (const KnownWord& word : known) {
    const WordTerm& term = model.term(word.id);
    const float weight = static_cast<float>(word.count) * term.idf;
    if (heaviest.wants(weight)) heaviest.add({term.hash, weight});
  }
  heaviest.finish();
}

}  // namespace leitong
