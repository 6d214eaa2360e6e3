// What the steps of a run that is spread have in common.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "api/check_texts.hpp"
#include "base/document_table.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "cluster/pair_store.hpp"
#include "corpus/memory_documents.hpp"
#include "dedup/find_pairs.hpp"
#include "similarity/rule.hpp"
#include "spread/steps.hpp"
#include "text/units.hpp"

namespace leitong::spread {

struct Steps::Impl {
  FindOptions options;  // options of the whole run
  Rule rule, wide;
  bool templates = false;
};

inline VerifiedPair to_verified(const ComparedPair& pair) {
  return {pair.a,           pair.b,     pair.jaccard,
          pair.containment, pair.score, static_cast<Measure>(pair.measure),
          pair.standing};
}

inline ComparedPair to_compared(const VerifiedPair& pair) {
  return {pair.a,           pair.b,     pair.jaccard,
          pair.containment, pair.score, static_cast<std::uint8_t>(pair.measure),
          pair.standing};
}

inline Result<void> check_pair(std::uint32_t a, std::uint32_t b, std::size_t texts) {
  if (a < b && b < texts) return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("a pair of the texts {} and {}, of {}; give the smaller position first", a, b, texts));
}

/// A part of a corpus in the form in which the engine sees a whole one.
struct Part {
  MemoryDocuments source;
  RunContext run;
  DocumentTable table;  // without content, since no document of a part leads

  Part(const Context& context, std::span<const std::string_view> texts, const Folding& folding)
      : source(texts), run(context) {
    source.fold_by(folding);
    run.memory.set_documents(texts.size());
  }

  Result<void> count_units(std::span<const std::string_view> texts) {
    table.units.resize(texts.size(), 0);
    table.content.resize(texts.size(), 0);
    return parallel_for_each(
        run.stop, texts.size(), [] { return PodVector<Unit>(); },
        [&](std::size_t i, PodVector<Unit>& units) -> Result<void> {
          LEITONG_TRY(check_texts(texts.subspan(i, 1), i));
          to_units(texts[i], source.folding(), units);
          table.units[i] = static_cast<std::uint32_t>(std::min<std::size_t>(units.size(), UINT32_MAX));
          return {};
        });
  }
};

/// `pairs` of `texts` texts, to the store of accepted ones and that of those that were put aside.
inline Result<void> add_pairs(std::span<const ComparedPair> known, std::size_t texts, PairStore& pairs,
                              PairStore* aside) {
  for (const ComparedPair& pair : known) {
    LEITONG_TRY(check_pair(pair.a, pair.b, texts));
    if (pair.standing == PairStanding::aside && aside == nullptr)
      return fail(ErrorCode::invalid_argument, "a pair was put aside where nobody looks for templates");
    LEITONG_TRY((pair.standing == PairStanding::aside ? *aside : pairs).add(to_verified(pair)));
  }
  LEITONG_TRY(pairs.sort());
  return aside == nullptr ? Result<void>() : aside->sort();
}

}  // namespace leitong::spread
