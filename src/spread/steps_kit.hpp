// What the steps of a run that is spread have in common.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "api/text_batches.hpp"
#include "base/document_table.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "cluster/pair_store.hpp"
#include "corpus/memory_documents.hpp"
#include "dedup/find_options.hpp"
#include "similarity/rule.hpp"
#include "spread/steps.hpp"
#include "text/units.hpp"

namespace leitong::spread {

struct Steps::Impl {
  FindOptions options;  // options of the whole run
  Rule rule, wide;
  bool templates = false;
};

inline ComparedPair to_compared(const VerifiedPair& pair) {
  return {pair.a, pair.b, pair.jaccard, pair.containment, pair.score, pair.measure, pair.standing};
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

/// Adds known pairs to the store of accepted ones and to that of those that were put aside, which is needed
/// where templates are looked for.
inline Result<void> add_pairs(std::span<const ComparedPair> known, PairStore& pairs, PairStore* aside) {
  for (const ComparedPair& pair : known)
    LEITONG_TRY(
        (pair.standing == PairStanding::aside ? *aside : pairs)
            .add({pair.a, pair.b, pair.jaccard, pair.containment, pair.score, pair.measure, pair.standing}));
  LEITONG_TRY(pairs.sort());
  return aside == nullptr ? Result<void>() : aside->sort();
}

}  // namespace leitong::spread
