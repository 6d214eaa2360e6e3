#include "leitong/compare.hpp"

#include <bit>
#include <vector>

#include "base/hash.hpp"
#include "base/pair.hpp"
#include "base/try.hpp"
#include "feature/shingles.hpp"
#include "leitong/feature.hpp"
#include "signature/simhash.hpp"
#include "similarity/edit.hpp"
#include "similarity/loss.hpp"
#include "similarity/overlap.hpp"
#include "similarity/passages.hpp"
#include "similarity/relation.hpp"

namespace leitong {
namespace {

/// Takes distinct shingles, each of weight 1, so that SimHash uses the same sets as the Jaccard value.
std::optional<std::uint64_t> simhash_of(std::span<const std::uint32_t> shingles) {
  std::vector<Feature> features;
  features.reserve(shingles.size());
  for (const std::uint32_t shingle : shingles) features.push_back({mix64(shingle), 1});
  return simhash(features);
}

/// What each text lacks of the other one. Without a corpus, two texts have no templates.
PairLosses losses_of(const ComparedFeatures& a, const ComparedFeatures& b, const Overlap& overlap,
                     const Folding& folding) {
  const auto own = [](const ComparedFeatures& text) { return own_units(text.units.size(), {}); };
  if (overlap.identical || overlap.similar_by == measure_name(Measure::copy)) {
    const Loss loss{.own = own(a), .other_signs = overlap.other_signs};
    return {loss, loss};
  }
  PodVector<std::uint32_t> shingles_a, shingles_b;
  shingle_hashes(a.units, shingles_a);
  shingle_hashes(b.units, shingles_b);
  const LossText text_a{a.units, shingles_a, {}, own(a)}, text_b{b.units, shingles_b, {}, own(b)};
  ShinglePlaces places_a(shingles_a), places_b(shingles_b);
  LossFinder finder;
  PairLosses losses;
  losses.a = loss_of(finder.find(text_a, text_b, places_b), a.text, b.text, folding);
  losses.b = loss_of(finder.find(text_b, text_a, places_a), b.text, a.text, folding);
  return losses;
}

}  // namespace

Result<CompareResult> compare(std::string_view a, std::string_view b, const CompareOptions& options) {
  LEITONG_TRY(check_compared(options.name_a, a));
  LEITONG_TRY(check_compared(options.name_b, b));
  ComparedFeatures of_a, of_b;
  {
    PodVector<std::uint32_t> scratch;
    of_a.take(a, options.folding, scratch);
    of_b.take(b, options.folding, scratch);
  }
  const Overlap overlap = overlap_of(of_a, of_b);

  CompareResult result;
  result.folding = options.folding;
  result.a = {a.size(), of_a.units.size(), of_a.shingles.size(), overlap.containment};
  result.b = {b.size(), of_b.units.size(), of_b.shingles.size(), overlap.other_containment};
  result.shared_shingles = overlap.shared_shingles;
  result.jaccard = overlap.jaccard;
  result.identical = overlap.identical;
  result.other_signs = overlap.other_signs;
  result.similar_by = overlap.similar_by;
  const PairLosses losses = losses_of(of_a, of_b, overlap, options.folding);
  result.a.loss = losses.a->share();
  result.b.loss = losses.b->share();
  if (!result.similar_by.empty())
    result.relation = relation_name(relation_of(losses, static_cast<std::uint32_t>(result.a.units),
                                                static_cast<std::uint32_t>(result.b.units)));
  if (std::uint64_t{result.a.units} * result.b.units <= options.edit_cells)
    result.edit = edit_similarity(of_a.units, of_b.units);
  const auto simhash_a = simhash_of(of_a.shingles), simhash_b = simhash_of(of_b.shingles);
  if (simhash_a && simhash_b)
    result.shingle_simhash_distance = static_cast<unsigned>(std::popcount(*simhash_a ^ *simhash_b));

  SharedPassages shared = shared_passages(a, b, options.folding);
  const bool copies = overlap.similar_by == measure_name(Measure::copy);
  result.a.coverage = result.identical || copies ? 1 : shared.coverage_a();
  result.b.coverage = result.identical || copies ? 1 : shared.coverage_b();
  result.passages = std::move(shared.passages);
  result.passage_units = shared.at_least;
  return result;
}

}  // namespace leitong
