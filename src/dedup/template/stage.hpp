// The second decision over all pairs: families, templates, and what is left of a pair without them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/document_table.hpp"
#include "base/pair.hpp"
#include "cluster/kinship.hpp"
#include "cluster/pair_store.hpp"
#include "cluster/settle.hpp"
#include "corpus/documents.hpp"
#include "dedup/template/census.hpp"
#include "dedup/template/marks.hpp"
#include "dedup/template/shingled_texts.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {

/// What the second decision did.
struct TemplateFigures {
  std::uint64_t asked_pairs = 0;      ///< accepted by the rule, but of two families: a template may be all
  std::uint64_t aside_pairs = 0;      ///< refused by the rule, but within reach of the second decision
  std::uint64_t asked_documents = 0;  ///< whose shingles were counted
  std::uint64_t templates = 0;        ///< shingles that are a template
  std::uint64_t refused = 0;          ///< pairs that the rule accepts, and the second decision doesn't
  std::uint64_t won = 0;              ///< the other way round
  std::uint64_t doubtful = 0;         ///< accepted: PairStanding::doubtful
};

/// Pairs that are decided at once, so that memory holds them.
[[nodiscard]] std::size_t pairs_at_once(const MemoryBudget& memory) noexcept;

/// Decides pairs a second time. Only pairs that touch a document of which a pair is in question are decided
/// anew; the others stand as the rule decided them. What is decided doesn't depend on threads, memory or the
/// order of documents.
class TemplateStage {
 public:
  struct Input {
    const DocumentSource& source;
    const DocumentTable& table;
    const Rule& rule;
    std::span<const Copy> copies;
    const Sites* sites = nullptr;      ///< may be null
    const KeptUnits* units = nullptr;  ///< of some documents; may be null
    std::uint64_t corpus = 0;          ///< documents of the corpus that these are a part of; 0: these are all
  };
  TemplateStage(const Input& input, RunContext& run);

  /// Learns the templates. `pairs`: those that the rule accepts, with same_work; `aside`: those that it
  /// refuses and that are worth deciding again. `also`: pairs to be decided later of which nothing must
  /// change what becomes of the others. Reads all documents once more if any pair is in question. Once.
  Result<void> learn(const PairStore& pairs, const PairStore& aside, std::span<const VerifiedPair> also);

  /// What learn() came to for these documents in a larger corpus, of which they are a part.
  struct Learned {
    std::vector<bool> in_question;  ///< whose pairs are decided a second time
    /// Calls each(document, mark) for all templates, and what else has a mark.
    std::function<Result<void>(const std::function<Result<void>(DocId, const ShingleMark&)>& each)> marks;
  };
  /// In the place of learn(). `aside`: as there, all pairs of these documents.
  Result<void> take_over(const Learned& learned, const PairStore& aside);

  using Accept = std::function<Result<void>(const VerifiedPair&)>;
  using Refuse = std::function<void(const VerifiedPair&, double closeness)>;
  /// Decides `pairs`, sorted by (a, b), each once. Calls from one thread; the order of the calls rests on
  /// memory.
  Result<void> decide(std::span<const VerifiedPair> pairs, const Accept& accept, const Refuse& refuse);
  /// The same for some of those that were given to learn() as `also`.
  Result<void> decide_also(std::span<const VerifiedPair> pairs, const Accept& accept, const Refuse& refuse);
  /// The same for all pairs of two stores, which learn() saw.
  Result<void> decide_all(const PairStore& pairs, const PairStore& aside, const Accept& accept,
                          const Refuse& refuse);

  /// Learns which pairs of `accepted`, all that decide_all() accepted, are doubtful, and returns whether any
  /// are: those of two families where accepted pairs join kSiteFamilies families and more. These may hold one
  /// template of too few families to be one. None where sites are known, which tell, and after take_over().
  Result<bool> find_doubtful(const PairStore& accepted);
  /// The pair, which is PairStanding::doubtful if find_doubtful() found it so. What is decided from then on
  /// is.
  [[nodiscard]] VerifiedPair with_doubt(VerifiedPair pair) const noexcept;

  using EachTemplates = std::function<void(std::size_t index, std::span<const std::uint32_t> shingles)>;
  /// Calls each(i, template shingles of documents[i], ascending) for those of `documents` (ascending) that
  /// have any and whose pairs are decided a second time.
  Result<void> templates_of(std::span<const DocId> documents, const EachTemplates& each) const;

  [[nodiscard]] const TemplateFigures& figures() const noexcept { return figures_; }
  /// What was learned, for those who show it. Nothing is decided afterwards.
  [[nodiscard]] std::unique_ptr<TemplateMarks> take_marks() noexcept { return std::move(marks_); }

 private:
  struct Features;
  struct Comparison;

  Result<void> mark();
  Result<bool> join_bare(const PairStore& pairs);
  [[nodiscard]] std::uint32_t least_run() const noexcept { return least_template_run(corpus_); }
  [[nodiscard]] bool is_in_question(const VerifiedPair& pair, const std::vector<bool>& among) const noexcept;
  void want_common(const VerifiedPair& pair);
  Result<void> decide_among(std::span<const VerifiedPair> pairs, const std::vector<bool>& among,
                            const std::vector<bool>& knows_common, const Accept& accept,
                            const Refuse& refuse);

  Input input_;
  RunContext& run_;
  std::uint64_t corpus_;  // documents among which passages are rare and runs of templates are long
  std::vector<bool> is_copy_;
  Kinship families_;
  std::vector<bool> decided_;       // whose pairs are decided a second time
  std::vector<bool> asked_;         // whose shingles are counted: these, and those of `also`
  std::vector<bool> wants_common_;  // in a pair that rare passages may win
  std::vector<bool> asked_common_;  // whose common shingles are marked: these, and those of `also`
  bool knows_families_ = false;
  std::vector<bool> crowded_;  // joined to kSiteFamilies families and more; empty before find_doubtful()
  ShingledTexts texts_;
  ShingleCensus census_;
  std::unique_ptr<TemplateMarks> marks_;
  TemplateFigures figures_;
};

}  // namespace leitong
