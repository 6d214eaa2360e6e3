// Finds the parts of documents that repeat: the first pass of trimming, and for passages a second one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/document_table.hpp"
#include "corpus/documents.hpp"
#include "dedup/kept_units.hpp"
#include "io/artifact_folder.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "leitong/trim.hpp"
#include "trim/base_parts.hpp"
#include "trim/key_store.hpp"
#include "trim/part_groups.hpp"
#include "trim/run_groups.hpp"

namespace leitong {

/// The number of units that a part needs. Fails with invalid_argument for settings that contradict each
/// other.
Result<std::size_t> least_units(const TrimSettings& settings);

/// Fails with limit if the run may not use the memory that trimming takes at least.
Result<void> check_trim_memory(const RunContext& run);

/// The equal parts of all documents of a source.
class RepeatedParts {
 public:
  /// All of these outlive it. `least`: least_units(). `base`: parts that are none; runs of passages neither
  /// hold nor overlap with one. `stages`: where finished stages are stored and those of an earlier run are
  /// found; may be null.
  RepeatedParts(const TrimSettings& settings, std::size_t least, const BaseParts& base,
                const ArtifactFolder* stages, RunContext& run)
      : settings_(settings),
        least_(least),
        base_(base),
        stages_(stages),
        run_(run),
        groups_(run),
        keys_(run) {
    kept_.emplace(table_, run);
  }

  /// Streams the source to its end.
  Result<void> read(DocumentSource& source);
  /// Says what is equal. Passages that may repeat are read again for it.
  Result<void> group(const DocumentSource& source);

  [[nodiscard]] PartGroups& groups() noexcept { return groups_; }
  /// Bytes of the texts that were read.
  [[nodiscard]] std::uint64_t text_bytes() const noexcept { return text_bytes_; }

 private:
  struct Space;
  /// Has an earlier run said what is equal?
  [[nodiscard]] bool is_grouped() const { return stages_ != nullptr && stages_->has(kGroupsStage); }
  [[nodiscard]] bool by_runs() const noexcept { return settings_.part == TextPart::passage; }
  /// Finds the groups, from what was read.
  Result<void> find_groups(const DocumentSource& source);
  [[nodiscard]] Space new_space(const DocumentSource& source) const;
  /// Adds the runs with repeated keys to `runs`.
  Result<void> add_segments(const DocumentSource& source, RunGroups& runs);
  /// Adds the runs that have to be compared one by one.
  Result<void> add_single_runs(const DocumentSource& source, RunGroups& runs);

  static constexpr std::string_view kGroupsStage = "groups";

  const TrimSettings& settings_;
  std::size_t least_;
  const BaseParts& base_;
  const ArtifactFolder* stages_;
  RunContext& run_;
  PartGroups groups_;
  // Of passages:
  KeyStore keys_;
  DocumentTable table_;
  std::optional<KeptUnits> kept_;
  std::uint64_t text_bytes_ = 0;
};

}  // namespace leitong
