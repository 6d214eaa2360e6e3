#include "feature/ngrams.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

#include "base/hash.hpp"
#include "feature/rolling.hpp"

namespace leitong {
namespace {

/// Calls `each(run)` for every run of n values, or once for all values of a shorter sequence.
template <class T, class Each>
void for_each_run(std::span<const T> values, std::size_t n, const Each& each) {
  assert(n >= 1 && n <= kMaxNgram);
  if (values.empty()) return;
  const std::size_t length = std::min(n, values.size());
  for (std::size_t i = 0; i + length <= values.size(); ++i) each(values.subspan(i, length));
}

template <class T>
Occurrence occurrence_of(std::span<const T> run, TermHash hash) {
  const std::uint64_t id = term_hash(TermHash::xxh3, bytes_of(run));
  if (hash == TermHash::xxh3) return {id, id};
  if (hash == TermHash::codepoint) return {id, multiplicative_hash(run)};  // the bytes of a run are not UTF-8
  return {id, term_hash(hash, bytes_of(run))};
}

}  // namespace

void unit_ngrams(std::span<const Unit> units, std::size_t n, TermHash hash,
                 PodVector<Occurrence>& occurrences) {
  for_each_run(units, n, [&](std::span<const Unit> run) { occurrences.push_back(occurrence_of(run, hash)); });
}

void word_ngrams(std::span<const Occurrence> words, std::size_t n, TermHash hash,
                 PodVector<Occurrence>& occurrences) {
  for_each_run(words, n, [&](std::span<const Occurrence> run) {
    std::array<std::uint64_t, kMaxNgram> ids;
    std::transform(run.begin(), run.end(), ids.begin(), [](const Occurrence& word) { return word.id; });
    occurrences.push_back(occurrence_of(std::span<const std::uint64_t>(ids.data(), run.size()), hash));
  });
}

void ngram_set(std::span<const Unit> units, std::size_t n, PodVector<std::uint32_t>& set) {
  PodVector<std::uint64_t> hashes;
  rolling_ngrams(units, {.n = n}, hashes);
  set.resize_for_overwrite(hashes.size());
  std::transform(hashes.begin(), hashes.end(), set.begin(),
                 [](std::uint64_t hash) { return static_cast<std::uint32_t>(hash); });
  std::sort(set.begin(), set.end());
  set.resize_for_overwrite(static_cast<std::size_t>(std::unique(set.begin(), set.end()) - set.begin()));
}

}  // namespace leitong
