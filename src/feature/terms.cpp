#include "feature/terms.hpp"

#include <algorithm>

#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr auto kHeavier = [](const Feature& a, const Feature& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.hash < b.hash;
};

}  // namespace

Result<TermExtractor> TermExtractor::open(std::shared_ptr<const SegmentModel> model, Simd level) {
  LEITONG_TRY(model->verify());
  return TermExtractor(JiebaCutter(std::move(model), level));
}

void TermExtractor::top(std::string_view utf8, std::size_t count, TermScratch& scratch,
                        PodVector<Feature>& features) const {
  const SegmentModel& model = cutter_.model();
  scratch.counts.count_all_scripts(cutter_, utf8);
  features.clear();
  if (count == 0) return;

  // A heap with the least of the best in front. Most words are too light for it, and nothing but their weight
  // is looked at.
  const auto offer = [&](float weight, const auto& hash_of_term) {
    const bool full = features.size() == count;
    if (full && weight < features[0].weight) return;
    Feature feature{0, weight};
    if (!hash_of_term(feature.hash) || (full && !kHeavier(feature, features[0]))) return;
    if (full) {
      std::pop_heap(features.begin(), features.end(), kHeavier);
      features.back() = feature;
    } else {
      features.push_back(feature);
    }
    std::push_heap(features.begin(), features.end(), kHeavier);
  };
  // A short text needs everything of every word; of a long one's few get as far as hash and flags.
  const bool is_short = scratch.counts.known().size() <= 2 * count;
  for (const std::uint32_t id : scratch.counts.known()) {
    __builtin_prefetch(&model.rank(id));
    if (is_short) model.prefetch_term(id);
  }
  const auto median = static_cast<float>(model.numbers().median_idf);
  for (const std::uint32_t id : scratch.counts.known()) {
    const double idf = model.rank(id).idf;
    if (idf == 0) continue;
    const float each = idf == kNoIdf ? median : static_cast<float>(idf);
    offer(static_cast<float>(scratch.counts.count_of(id)) * each, [&](std::uint64_t& hash) {
      hash = model.hash(id);
      return (model.flags(id) & kIsTerm) != 0;
    });
  }
  for (const UnknownWord& word : scratch.counts.unknown()) {
    offer(static_cast<float>(word.count) * median, [&](std::uint64_t& hash) {
      hash = word.hash;
      return is_term(utf8.substr(word.begin, word.length));
    });
  }
  std::sort_heap(features.begin(), features.end(), kHeavier);
}

}  // namespace leitong
