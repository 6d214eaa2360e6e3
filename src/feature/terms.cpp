#include "feature/terms.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

// Without a branch: which is heavier can't be foretold.
constexpr auto kHeavier = [](const Feature& a, const Feature& b) {
  return (a.weight > b.weight) | ((a.weight == b.weight) & (a.hash < b.hash));
};

/// Room for as many more than are kept.
constexpr std::size_t kRoom = 32;

/// So few are sorted by counting for each how many are heavier.
constexpr std::size_t kFew = 24;
void sort_heaviest_first(PodVector<Feature>& features) {
  const std::size_t count = features.size();
  if (count > kFew) return std::sort(features.begin(), features.end(), kHeavier);
  features.reserve(2 * count);
  features.append(features);
  const Feature* const unsorted = features.begin() + count;
  std::array<std::uint8_t, kFew> heavier{};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool first = kHeavier(unsorted[j], unsorted[i]);
      heavier[i] += first;
      heavier[j] += !first;
    }
  }
  for (std::size_t i = 0; i < count; ++i) features[heavier[i]] = unsorted[i];
  features.resize_for_overwrite(count);
}

}  // namespace

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

  // No more than some are kept at a time, and most words are too light to come among them: nothing but their
  // weight is looked at.
  const std::size_t room = count + std::max(count, kRoom);
  float least = std::numeric_limits<float>::denorm_min();  // above 0: terms
  const auto keep_heaviest = [&] {
    std::nth_element(features.begin(), features.begin() + (count - 1), features.end(), kHeavier);
    features.resize_for_overwrite(count);
    least = features.back().weight;
  };
  const auto add = [&](std::uint64_t hash, float weight) {
    features.push_back({hash, weight});
    if (features.size() == room) keep_heaviest();
  };
  const auto known = scratch.counts.known();
  for (const KnownWord& word : known) __builtin_prefetch(&model.term(word.id));
  const auto median = static_cast<float>(model.numbers().median_idf);
  for (const UnknownWord& word : scratch.counts.unknown()) {
    const float weight = static_cast<float>(word.count) * median;
    if (weight >= least && is_term(utf8.substr(word.begin, word.length))) add(word.hash, weight);
  }
  for (const KnownWord& word : known) {
    const WordTerm& term = model.term(word.id);
    const float weight = static_cast<float>(word.count) * term.idf;
    if (weight >= least) add(term.hash, weight);
  }
  if (features.size() > count) keep_heaviest();
  sort_heaviest_first(features);
}

}  // namespace leitong
