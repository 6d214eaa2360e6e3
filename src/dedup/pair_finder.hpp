// A finder turns the sketches of many documents into candidate pairs. A new one takes one file in finders/
// and a line of registry.cpp, which names its scheme.
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

/// Figures that a finder reports for the summary, in order.
using MethodFigures = std::vector<std::pair<std::string, double>>;

class PairFinder {
 public:
  virtual ~PairFinder() = default;

  /// Takes the sketches of distinct documents (copies are left out) in ascending order of documents. Called
  /// by one thread.
  virtual Result<void> add(DocId document, std::span<const std::uint64_t> words) = 0;

  /// Finds the candidate pairs. Called once, after the last add().
  virtual Result<void> find(CandidateSink& sink) = 0;

  /// After find(): offers the pairs that may share a passage (Candidate::passage), where the rule counts
  /// passages. `family` is a number for each document, equal for the documents of one work. What many
  /// families hold is a template and leads to no pairs. `family` is empty where templates count.
  virtual Result<void> find_passages(CandidateSink&, std::span<const DocId> /*family*/) { return {}; }

  /// After find(): links documents that find() left out to families, which are components of many documents.
  /// `family` is a number for each document, kNoDocument for those in none. Each `round` looks at other
  /// members.
  virtual Result<void> find_strays(CandidateSink&, std::span<const DocId> /*family*/, unsigned /*round*/) {
    return {};
  }

  /// After find(): looks for pairs only among the documents whose `likeness` (one value a document) is not 0,
  /// and tries those of the highest likeness first.
  virtual Result<void> find_among(CandidateSink&, std::span<const std::uint32_t> /*likeness*/) { return {}; }

  /// After find(): true if the document consists of text that many others hold too, so that its pairs must
  /// pass the stricter rule.
  [[nodiscard]] virtual bool is_common(DocId) const { return false; }

  /// The part of the document's keys that several documents hold (Candidate::frame), if find() computed it.
  [[nodiscard]] virtual std::uint8_t frame(DocId) const { return Candidate::kAnyFrame; }

  [[nodiscard]] virtual MethodFigures figures() const { return {}; }
};

/// What a finder is constructed with, in addition to its scheme and parameters.
struct FinderContext {
  const Rule& rule;
  const DocumentTable& table;  ///< grows while documents are added
  RunContext& run;
  bool verify =
      true;  ///< false: nothing is verified after find(), so a finder offers only what it would accept
  std::string_view method = {};  ///< for messages; filled in by make_method()
  /// True if templates are looked for. Then what the second decision may accept is a candidate, too.
  bool templates = false;
  bool sites = false;    ///< true if the sites of documents are known as well
  Folding folding = {};  ///< how the sketched texts are folded
};

using MadeFinder = Result<std::unique_ptr<PairFinder>>;

}  // namespace leitong
