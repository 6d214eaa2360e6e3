// Finds the parts of documents that repeat: the first pass of trimming, and for passages a second one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "corpus/documents.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "leitong/trim.hpp"
#include "trim/base_parts.hpp"
#include "trim/part_groups.hpp"

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
  /// hold nor overlap with one.
  RepeatedParts(const TrimSettings& settings, std::size_t least, const BaseParts& base, RunContext& run)
      : settings_(settings), least_(least), base_(base), run_(run), groups_(run), keys_(run) {}

  /// Streams the source to its end.
  Result<void> read(DocumentSource& source);
  /// Says what is equal. Passages that may repeat are read again for it.
  Result<void> group(const DocumentSource& source);

  [[nodiscard]] PartGroups& groups() noexcept { return groups_; }
  /// Bytes of the texts that were read.
  [[nodiscard]] std::uint64_t text_bytes() const noexcept { return text_bytes_; }

 private:
  struct Space;
  [[nodiscard]] bool by_runs() const noexcept { return settings_.part == TextPart::passage; }
  [[nodiscard]] Space new_space(const DocumentSource& source) const;
  Result<void> add_runs(const DocumentSource& source);

  const TrimSettings& settings_;
  std::size_t least_;
  const BaseParts& base_;
  RunContext& run_;
  PartGroups groups_;
  Partitions keys_;  // key and document
  std::uint64_t text_bytes_ = 0;
};

}  // namespace leitong
