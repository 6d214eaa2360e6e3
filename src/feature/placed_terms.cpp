#include "feature/placed_terms.hpp"

#include <cassert>
#include <utility>

#include "feature/heaviest.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

// The role of a word: no term, a term, or the chosen term of this number.
constexpr std::uint32_t kNoTerm = UINT32_MAX, kTerm = UINT32_MAX - 1;

}  // namespace

PlacedTerms::PlacedTerms(std::shared_ptr<const WordList> words, TermHash hash,
                         std::shared_ptr<const TermModel> model)
    : words_(std::move(words)), hash_(hash), model_(std::move(model)) {
  assert(words_->synonyms() == nullptr || model_ != nullptr);
  if (words_->synonyms() != nullptr)
    every_word_.emplace(ExtractorOptions{.hash = hash_, .top = 0}, words_, model_);
}

/// Several numbers of the dictionary may belong to one word after replacement, so every occurrence is
/// collected by its hash.
void PlacedTerms::extract_replaced(std::string_view utf8, std::size_t count, PlacedSpace& space) const {
  every_word_->gather(utf8, {}, space.all);
  every_word_->weigh(WeightScheme::tf_idf, count, space.all);
  std::swap(space.bag, space.all.bag);
  std::swap(space.weights, space.all.weights);
}

/// Fills space.chosen, the role of every word and the number of terms.
void PlacedTerms::choose(std::string_view utf8, std::size_t count, PlacedSpace& space) const {
  const SegmentModel& dictionary = words_->model();
  const auto known = space.counts.known();
  const auto unknown = space.counts.unknown();
  for (const KnownWord& word : known) __builtin_prefetch(&dictionary.term(word.id));
  space.role.resize_for_overwrite(known.size() + unknown.size());
  const auto median = static_cast<float>(dictionary.numbers().median_idf);
  Heaviest heaviest(count == 0 ? space.role.size() + 1 : count, space.chosen);
  std::uint32_t occurrences = 0;
  const auto add = [&](std::uint32_t word, std::uint64_t hash, std::uint32_t times, float idf) {
    if (model_) idf = model_->idf(hash);
    space.role[word] = kTerm;
    occurrences += times;
    const float weight = static_cast<float>(times) * idf;
    if (heaviest.wants(weight)) heaviest.add({hash, weight, word});
  };
  if (model_)
    for (const KnownWord& word : known) model_->prefetch(dictionary.term(word.id).hash);
  for (std::uint32_t i = 0; i < known.size(); ++i) {
    const WordTerm& term = dictionary.term(known[i].id);
    space.role[i] = kNoTerm;
    if (term.idf > 0) add(i, term.hash, known[i].count, term.idf);
  }
  for (std::uint32_t i = 0; i < unknown.size(); ++i) {
    const UnknownWord& word = unknown[i];
    const auto number = static_cast<std::uint32_t>(known.size()) + i;
    space.role[number] = kNoTerm;
    if (is_term(utf8.substr(word.begin, word.length))) add(number, word.hash, word.count, median);
  }
  heaviest.finish();
  space.bag.occurrences = occurrences;
}

/// Fills space.bag.places from the order of the tokens.
void PlacedTerms::place(PlacedSpace& space) {
  const auto known = static_cast<std::uint32_t>(space.counts.known().size());
  const auto order = space.counts.in_order();
  const std::size_t chosen = space.chosen.size();
  std::uint32_t place = 0;
  for (std::uint32_t token = 0; token < order.size(); ++token) {
    if (order[token] == WordCounts::kNotCounted) continue;
    const std::uint32_t word =
        order[token] & WordCounts::kUnknown ? (order[token] & ~WordCounts::kUnknown) + known : order[token];
    const std::uint32_t role = space.role[word];
    if (role < chosen) {
      space.token[role] = token;
      space.bag.places[space.next[role]++] = place;
    }
    place += role != kNoTerm;
  }
}

void PlacedTerms::extract(std::string_view utf8, std::size_t count, PlacedSpace& space) const {
  if (every_word_) return extract_replaced(utf8, count, space);
  space.counts.count_in_order(words_->cutter(), Scripts::all, utf8);
  choose(utf8, count, space);
  const auto known = space.counts.known();
  const auto unknown = space.counts.unknown();
  const std::size_t chosen = space.chosen.size();
  space.next.resize_for_overwrite(chosen);
  space.token.resize_for_overwrite(chosen);
  space.bag.terms.resize_for_overwrite(chosen);
  space.weights.resize_for_overwrite(chosen);
  std::uint32_t places = 0;
  for (std::uint32_t i = 0; i < chosen; ++i) {
    const auto& [hash, weight, word] = space.chosen[i];
    const std::uint32_t times = word < known.size() ? known[word].count : unknown[word - known.size()].count;
    space.role[word] = i;
    space.bag.terms[i] = {hash, hash, times, places};
    space.weights[i] = {i, weight};
    space.next[i] = places;
    places += times;
  }
  space.bag.places.resize_for_overwrite(places);
  place(space);
  if (hash_ == TermHash::xxh3) return;
  for (std::size_t i = 0; i < chosen; ++i)
    space.bag.terms[i].hash = term_hash(hash_, space.counts.token(utf8, space.token[i]));
}

void PlacedTerms::share_weights(PlacedSpace& space) const {
  space.ids.clear();
  for (const Weighted& each : space.weights) space.ids.push_back(space.bag.terms[each.term].id);
  model_->partners(space.ids, space.partners);
  leitong::share_weights(space.ids, space.partners, space.weights);
}

void PlacedTerms::list_placed(PlacedSpace& space) {
  space.placed.clear();
  for (const Weighted& each : space.weights) {
    const BagTerm& term = space.bag.terms[each.term];
    space.placed.push_back({term.hash, each.weight, space.bag.places_of(term)});
  }
}

}  // namespace leitong
