// What is lost by a removal: asked of the pairs that somebody may leave by, and of no others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/document_table.hpp"
#include "cluster/pair_store.hpp"
#include "cluster/settle.hpp"
#include "corpus/documents.hpp"
#include "dedup/find_pairs.hpp"
#include "dedup/kept_units.hpp"
#include "dedup/template/stage.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Reads both texts of a pair again and finds what one lacks of the other (similarity/loss.hpp). What is
/// found depends on the two texts and their templates alone.
class LossReader {
 public:
  struct Input {
    const DocumentSource& source;
    const DocumentTable& table;
    const TemplateStage* templates = nullptr;  ///< may be null: nothing is a template
    const KeptUnits* units = nullptr;          ///< of some documents; may be null
  };
  LossReader(const Input& input, RunContext& run) : input_(input), run_(run) {}

  /// Adds to `pairs` both losses of every pair.
  Result<void> read_all(PairStore& pairs);
  /// Adds to `pairs` the losses that are open, and sorts it. Reads every text as rarely as memory allows
  /// (dedup/text_bands.hpp).
  Result<void> read(std::span<const OpenLoss> open, PairStore& pairs);
  /// Losses that were read so far.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  struct Features;
  struct Comparison;

  Result<void> add(std::span<const OpenLoss> open, PairStore& pairs);

  Input input_;
  RunContext& run_;
  std::uint64_t count_ = 0;
};

/// Decides who leaves by `limits`, of what was found and settled by similarity alone.
Result<void> settle_removals(const LossLimits& limits, const Precedence& precedence, LossReader& reader,
                             PairResult& found);

}  // namespace leitong
