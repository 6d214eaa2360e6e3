// What a removal loses: computed only for pairs by which a document may leave.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/document_table.hpp"
#include "cluster/pair_store.hpp"
#include "cluster/settle.hpp"
#include "corpus/documents.hpp"
#include "dedup/grouped_texts.hpp"
#include "dedup/kept_units.hpp"
#include "dedup/pair_result.hpp"
#include "dedup/template/stage.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Reads both texts of a pair again and finds what each lacks of the other (similarity/loss.hpp). The result
/// depends only on the two texts and their templates.
class LossReader {
 public:
  struct Input {
    const DocumentSource& source;
    const DocumentTable& table;
    const TemplateStage* templates = nullptr;  ///< may be null: then nothing is a template
    KeptUnits* units = nullptr;                ///< units of some documents; may be null
    /// Names the text of a document that is a copy; null if all pairs are between originals.
    const GroupedTexts* groups = nullptr;
  };
  LossReader(const Input& input, RunContext& run) : input_(input), run_(run) {}

  /// Adds both losses of every pair to `pairs`, and sorts it.
  Result<void> read_all(PairStore& pairs);
  /// Adds the open losses to `pairs`, which is to be sorted then, and tells them to `learn` if that is not
  /// empty. Reads every text as rarely as memory allows (dedup/text_bands.hpp).
  Result<void> read(std::span<const OpenLoss> open, PairStore& pairs, const LearnLoss& learn);
  /// The number of losses read so far.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  struct Features;
  struct Comparison;

  /// The number of losses that are read at once, so that they fit into memory.
  [[nodiscard]] std::size_t at_once() const noexcept;
  Result<void> add(std::span<const OpenLoss> open, PairStore& pairs, const LearnLoss& learn);

  Input input_;
  RunContext& run_;
  std::uint64_t count_ = 0;   // read
  std::uint64_t needed_ = 0;  // as far as it is known; a decision may need more
};

/// Decides which documents leave by `limits`. REQUIRES `found` to be settled by similarity alone.
Result<void> settle_removals(const LossLimits& limits, const Precedence& precedence, LossReader& reader,
                             PairResult& found);

}  // namespace leitong
