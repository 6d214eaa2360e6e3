#include "cluster/stored_pairs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "base/try.hpp"
#include "cluster/kinship.hpp"
#include "cluster/pairs_file.hpp"
#include "similarity/reason.hpp"

namespace leitong {
namespace {

/// The documents, in the order in which rows name them.
class Documents {
 public:
  explicit Documents(StoredPairs& stored) : stored_(stored) {}

  Result<DocId> add(DocId number, const std::string& id, std::uint32_t units) {
    const auto [entry, is_new] = places_.try_emplace(number, static_cast<DocId>(stored_.ids.size()));
    if (is_new) {
      stored_.ids.push_back(id);
      stored_.numbers.push_back(number);
      stored_.units.push_back(units);
    } else if (stored_.ids[entry->second] != id) {
      return fail(ErrorCode::corrupt,
                  fmt::format("document {} is \"{}\" here and \"{}\" in an earlier row; are these two runs?",
                              number, id, stored_.ids[entry->second]));
    }
    return entry->second;
  }

 private:
  StoredPairs& stored_;
  std::unordered_map<DocId, DocId> places_;
};

template <class T>
void permute(std::vector<T>& values, const std::vector<DocId>& new_place) {
  std::vector<T> moved(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) moved[new_place[i]] = std::move(values[i]);
  values = std::move(moved);
}

struct CopyRow {
  VerifiedPair pair;
  bool other_signs = false;
};

/// Renumbers the documents by their numbers in the file.
void sort_documents(StoredPairs& stored, std::vector<CopyRow>& copies) {
  std::vector<DocId> order(stored.numbers.size()), new_place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<DocId>(i);
  std::sort(order.begin(), order.end(),
            [&](DocId x, DocId y) { return stored.numbers[x] < stored.numbers[y]; });
  for (std::size_t i = 0; i < order.size(); ++i) new_place[order[i]] = static_cast<DocId>(i);
  permute(stored.ids, new_place);
  permute(stored.numbers, new_place);
  permute(stored.units, new_place);
  const auto renumber = [&](VerifiedPair& pair) {
    pair.a = new_place[pair.a];
    pair.b = new_place[pair.b];
  };
  for (VerifiedPair& pair : stored.pairs) renumber(pair);
  for (CopyRow& row : copies) renumber(row.pair);
}

/// Merges copies into one document: their pairs become those of the first one.
void contract(StoredPairs& stored, const std::vector<CopyRow>& copies) {
  Kinship groups(stored.ids.size()), texts(stored.ids.size()), signs(stored.ids.size());
  for (const auto& [pair, other_signs] : copies) {
    groups.join(pair.a, pair.b);
    if (pair.measure == Measure::identical) texts.join(pair.a, pair.b);
    if (!other_signs) signs.join(pair.a, pair.b);
  }
  const std::vector<DocId> original = groups.take(), text = texts.take(), sign = signs.take();
  const auto form = [&](const std::vector<DocId>& first, DocId d) {
    return first[d] == first[original[d]] ? 0 : first[d] + 1;
  };
  for (DocId d = 0; d < original.size(); ++d)
    if (original[d] != d) stored.copies.push_back({d, original[d], {form(text, d), form(sign, d)}});
  std::size_t left = 0;
  for (std::size_t i = 0; i < stored.pairs.size(); ++i) {
    VerifiedPair pair = stored.pairs[i];
    const DocId original_a = original[pair.a], original_b = original[pair.b];
    const auto [a, b] = std::minmax(original_a, original_b);
    if (a == b) continue;
    pair.a = a;
    pair.b = b;
    stored.pairs[left] = pair;
    if (!stored.reason.empty()) stored.reason[left] = stored.reason[i];
    if (!stored.losses.empty()) {
      stored.losses[left] = stored.losses[i];
      // The order of the two may have changed.
      if (original_a > original_b) std::swap(stored.losses[left].a, stored.losses[left].b);
    }
    ++left;
  }
  stored.pairs.resize(left);
  if (!stored.losses.empty()) stored.losses.resize(left);
  if (!stored.reason.empty()) stored.reason.resize(left);
}

/// Numbers each distinct sentence once. Most sentences recur, since they give a measure with two digits.
class Reasons {
 public:
  explicit Reasons(StoredPairs& stored) : stored_(stored) {}

  void add(const std::string& reason) {
    const auto [entry, is_new] =
        numbers_.try_emplace(reason, static_cast<std::uint32_t>(stored_.reasons.size()));
    if (is_new) stored_.reasons.push_back(reason);
    stored_.reason.push_back(entry->second);
  }

 private:
  StoredPairs& stored_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

float StoredMeasure::of(const VerifiedPair& pair) const noexcept {
  if (!measure) return pair.score;
  if (own_text) {
    const WithoutTemplate own = own_measures(pair);
    return *measure == Measure::containment ? own.containment : own.jaccard;
  }
  return *measure == Measure::containment ? pair.containment : pair.jaccard;
}

Result<StoredPairs> read_stored_pairs(const std::string& path, const StoredMeasure& measure, double threshold,
                                      StopToken stop) {
  StoredPairs stored;
  Documents documents(stored);
  Reasons reasons(stored);
  std::vector<CopyRow> copies;
  LEITONG_TRY(read_pairs(
      path,
      [&](const PairRow& row) -> Result<void> {
        if (measure.own_text && !row.reason)
          return fail(
              ErrorCode::invalid_argument,
              "the columns own_jaccard and own_containment are missing: templates counted in the run "
              "that wrote this file; make the pairs anew with templates left out, or choose the measure "
              "jaccard or containment",
              "template_text");
        VerifiedPair pair = row.pair;
        LEITONG_ASSIGN(pair.a, documents.add(row.pair.a, row.id_a, row.units_a));
        LEITONG_ASSIGN(pair.b, documents.add(row.pair.b, row.id_b, row.units_b));
        stored.has_losses |= row.losses.a.has_value();
        stored.has_reasons |= row.reason.has_value();
        if (are_copies(pair.measure)) {
          copies.push_back({pair, row.losses.a && row.losses.a->other_signs});
          return {};
        }
        ++stored.rows;
        const float value = measure.of(pair);
        stored.least = std::min(stored.least, value);
        // The file holds floats: a threshold of 0.8 must find a pair that is stored as 0.8.
        if (value < static_cast<float>(threshold)) return {};
        stored.pairs.push_back(pair);
        if (row.reason) reasons.add(*row.reason);
        if (row.losses.a) stored.losses.push_back(row.losses);
        if (!stored.losses.empty() && stored.losses.size() != stored.pairs.size())
          return fail(ErrorCode::corrupt, "some rows have losses and others none; are these two runs?");
        return {};
      },
      stop));
  sort_documents(stored, copies);
  contract(stored, copies);
  return stored;
}

}  // namespace leitong
