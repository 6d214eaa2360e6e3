// The second decision about all pairs: families, templates, and what remains of a pair without them.
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

/// Figures of the second decision.
struct TemplateFigures {
  /// Accepted by the rule, but of two families: perhaps only a template is shared.
  std::uint64_t asked_pairs = 0;
  std::uint64_t aside_pairs = 0;      ///< refused by the rule, but within reach of the second decision
  std::uint64_t asked_documents = 0;  ///< whose shingles were counted
  std::uint64_t templates = 0;        ///< shingles that are a template
  std::uint64_t refused = 0;          ///< pairs that the rule accepts and the second decision refuses
  std::uint64_t only_base = 0;        ///< documents whose shingles all are in Input::base
  std::uint64_t won = 0;              ///< pairs that the rule refuses and the second decision accepts
  std::uint64_t doubtful = 0;         ///< accepted: PairStanding::doubtful
};

/// The number of pairs that are decided at once, so that they fit into memory: more if each time all units
/// may be read from disk. `units` may be null.
[[nodiscard]] std::size_t pairs_at_once(const MemoryBudget& memory, const KeptUnits* units) noexcept;

/// Decides pairs a second time. Only pairs with a document that is in question are decided again; the others
/// stand as the rule decided them. The decisions do not depend on threads, memory or the order of documents.
class TemplateStage {
 public:
  struct Input {
    const DocumentSource& source;
    const DocumentTable& table;
    const Rule& rule;
    std::span<const Copy> copies;
    const Sites* sites = nullptr;  ///< may be null
    KeptUnits* units = nullptr;    ///< units of some documents; may be null
    /// Size of the corpus of which these documents are a part; 0: these are all.
    std::uint64_t corpus = 0;
    /// Shingles, ascending, that are template in every document. All pairs are then decided a second time.
    std::span<const std::uint32_t> base = {};
  };
  TemplateStage(const Input& input, RunContext& run);

  /// Learns the templates. `pairs` are those that the rule accepts, with same_work; `aside` are those that it
  /// refuses and that are worth deciding again. `also` are pairs that are decided later and must not change
  /// the decisions about the others. Reads all documents once more if any pair is in question. Called once.
  Result<void> learn(const PairStore& pairs, const PairStore& aside, std::span<const VerifiedPair> also);

  /// What learn() found for these documents in a larger corpus of which they are a part.
  struct Learned {
    std::vector<bool> in_question;  ///< whose pairs are decided a second time
    /// Calls each(document, mark) for all templates and all other marked shingles.
    std::function<Result<void>(const std::function<Result<void>(DocId, const ShingleMark&)>& each)> marks;
  };
  /// Replaces learn(). `aside` is that of learn(): all such pairs of these documents.
  Result<void> take_over(const Learned& learned, const PairStore& aside);

  using Accept = std::function<Result<void>(const VerifiedPair&)>;
  using Refuse = std::function<void(const VerifiedPair&, double closeness)>;
  /// Decides `pairs`, which are sorted by (a, b), each once. Calls come from one thread; their order depends
  /// on memory.
  Result<void> decide(std::span<const VerifiedPair> pairs, const Accept& accept, const Refuse& refuse);
  /// Does the same for some of the pairs that learn() took as `also`.
  Result<void> decide_also(std::span<const VerifiedPair> pairs, const Accept& accept, const Refuse& refuse);
  /// Does the same for all pairs of two stores, which learn() took.
  Result<void> decide_all(const PairStore& pairs, const PairStore& aside, const Accept& accept,
                          const Refuse& refuse);

  /// Finds which pairs of `accepted`, all that decide_all() accepted, are doubtful, and returns whether any
  /// are: pairs of two families where accepted pairs join at least kSiteFamilies families. They may share one
  /// template that too few families hold to be known as one. Finds none where sites are known, since these
  /// decide it, and none after take_over().
  Result<bool> find_doubtful(const PairStore& accepted);
  /// Returns the pair, as PairStanding::doubtful if find_doubtful() found it so. All pairs that are decided
  /// from then on have their doubt already.
  [[nodiscard]] VerifiedPair with_doubt(VerifiedPair pair) const noexcept;

  using EachTemplates = std::function<void(std::size_t index, std::span<const std::uint32_t> shingles)>;
  /// Calls each(i, template shingles of documents[i], ascending) for those of `documents` (ascending) that
  /// have templates and whose pairs are decided a second time, from any thread.
  Result<void> templates_of(std::span<const DocId> documents, const EachTemplates& each) const;

  [[nodiscard]] const TemplateFigures& figures() const noexcept { return figures_; }
  /// Returns what was learned, to be shown to users. No decision may follow.
  [[nodiscard]] std::unique_ptr<TemplateMarks> take_marks() noexcept { return std::move(marks_); }

 private:
  struct Features;
  struct Comparison;

  Result<void> mark();
  Result<bool> join_bare(const PairStore& pairs);
  [[nodiscard]] LeastRun least_run() const noexcept { return least_template_run(corpus_); }
  [[nodiscard]] bool is_in_question(const VerifiedPair& pair, const std::vector<bool>& among) const noexcept;
  void want_common(const VerifiedPair& pair);
  Result<void> decide_among(std::span<const VerifiedPair> pairs, const std::vector<bool>& among,
                            const std::vector<bool>& knows_common, const Accept& accept,
                            const Refuse& refuse);

  Input input_;
  RunContext& run_;
  std::uint64_t corpus_;  // the size on which rare passages and the least run of a template depend
  std::vector<bool> is_copy_;
  Kinship families_;
  std::vector<bool> decided_;       // whose pairs are decided a second time
  std::vector<bool> asked_;         // whose shingles are counted: these, and those of `also`
  std::vector<bool> wants_common_;  // documents of a pair that rare passages may decide
  std::vector<bool> asked_common_;  // documents whose common shingles are marked: these, and those of `also`
  bool knows_families_ = false;
  // Documents in at least kSiteFamilies joined families; empty before find_doubtful().
  std::vector<bool> crowded_;
  ShingledTexts texts_;
  ShingleCensus census_;
  std::unique_ptr<TemplateMarks> marks_;
  TemplateFigures figures_;
};

}  // namespace leitong
