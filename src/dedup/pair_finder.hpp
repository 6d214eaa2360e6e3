// A finder: how the sketches of many documents become candidate pairs. Adding one takes one file in finders/
// and a line of registry.cpp, which says of which scheme.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/candidates.hpp"
#include "base/document_table.hpp"
#include "base/pair.hpp"
#include "leitong/result.hpp"
#include "scheme/scheme.hpp"
#include "similarity/rule.hpp"

namespace leitong {

struct RunContext;  // io/run_context.hpp

/// Figures that a finder reports, in order, for the summary.
using MethodFigures = std::vector<std::pair<std::string, double>>;

class PairFinder {
 public:
  virtual ~PairFinder() = default;

  /// Takes the sketches of distinct documents (copies are left out) in rising order of document; called by
  /// one thread.
  virtual Result<void> add(DocId document, std::span<const std::uint64_t> words) = 0;

  /// Finds the candidate pairs. Called once, after the last add().
  virtual Result<void> find(CandidateSink& sink) = 0;

  /// After find(): the pairs that may share a passage (Candidate::passage), where the rule counts passages.
  /// `family`: a number for each document, equal for those that are one work; what many families hold is a
  /// template, and leads to nobody. Empty where templates count.
  virtual Result<void> find_passages(CandidateSink&, std::span<const DocId> /*family*/) { return {}; }

  /// After find(): links to families, which are components of many documents, what find() left beside them.
  /// `family`: a number for each document, kNoDocument for those in none. Each `round` looks at other
  /// members.
  virtual Result<void> find_strays(CandidateSink&, std::span<const DocId> /*family*/, unsigned /*round*/) {
    return {};
  }

  /// After find(): looks for pairs among some documents only, those whose `likeness` (one a document) isn't
  /// 0, and with those of most likeness first.
  virtual Result<void> find_among(CandidateSink&, std::span<const std::uint32_t> /*likeness*/) { return {}; }

  /// After find(): is the document made of what many others hold too, so that its pairs must pass the
  /// stricter rule?
  [[nodiscard]] virtual bool is_common(DocId) const { return false; }

  /// The part of the document's keys that several documents hold (Candidate::frame), if find() told.
  [[nodiscard]] virtual std::uint8_t frame(DocId) const { return Candidate::kAnyFrame; }

  [[nodiscard]] virtual MethodFigures figures() const { return {}; }
};

/// What a finder is built with, beside its scheme and the parameters.
struct FinderContext {
  const Rule& rule;
  const DocumentTable& table;  ///< grows while documents are added
  RunContext& run;
  bool verify =
      true;  ///< false: nothing is verified behind find(), so a finder offers only what it would accept
  std::string_view method = {};  ///< for messages; make_method() fills it in
  /// Are templates looked for? Then what the second decision may accept is a candidate, too.
  bool templates = false;
  bool sites = false;    ///< and are the sites of documents known?
  Folding folding = {};  ///< of the texts that are sketched
};

using MadeFinder = Result<std::unique_ptr<PairFinder>>;

}  // namespace leitong
