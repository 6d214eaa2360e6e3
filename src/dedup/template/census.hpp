// Counts exactly how many families hold each shingle, for the shingles of the documents where it matters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cluster/kinship.hpp"
#include "corpus/documents.hpp"
#include "dedup/template/marks.hpp"
#include "dedup/template/shingled_texts.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The site of each document, numbered from 0. Documents of unknown site have numbers of their own.
using Sites = std::vector<std::uint32_t>;

/// Reads all documents once more and lists for every shingle of the requested documents which documents hold
/// it. Shingles that cannot matter are left out: those that no requested document holds (a filter of 8 to 16
/// bits a shingle), and those of so few families that they are neither a template nor common (FamilyCounts,
/// for a part of all shingles at a time). What these two let through by chance changes nothing. Meanwhile the
/// shingles of the requested documents, and what the filter lets through, are in memory (ShingleLists, 4
/// bytes each). The result is the holders of few shingles. Of families without a requested document only the
/// number is kept if sites are not known.
class ShingleCensus {
 public:
  /// `sites` gives the site of each document and may be null. `is_copy` marks documents that are left out,
  /// since they are equal to others. The shingles in `base`, ascending, are template in every document.
  ShingleCensus(const ShingledTexts& texts, const std::vector<bool>& is_copy, const Sites* sites,
                std::span<const std::uint32_t> base, RunContext& run);

  /// Called once. `asked` marks the documents whose shingles are counted; for those in `wants_common` every
  /// shingle that three families hold is kept. `families` are the families now; some may be joined later.
  Result<void> count(const Kinship& families, const std::vector<bool>& asked,
                     const std::vector<bool>& wants_common);

  /// Fills `marks` for the requested documents: with their templates, and for those in `wants_common` with
  /// every shingle that at least three families hold. Called whenever families were joined. `asked` and
  /// `wants_common` are those of count().
  Result<void> mark(const Kinship& families, const std::vector<bool>& asked,
                    const std::vector<bool>& wants_common, TemplateMarks& marks);

  /// After the last mark(): frees the memory that only mark() needs.
  void forget_holders() noexcept { holders_.reset(); }

  /// The number of distinct shingles of a requested document.
  Result<std::size_t> shingles_of(DocId document, ShingledTexts::Reader& reader) const;
  /// The number of requested documents that hold nothing but shingles of the base.
  [[nodiscard]] std::uint64_t only_base() const noexcept { return only_base_; }
  /// The number of shingles that are a template for some document, as the last mark() found.
  [[nodiscard]] std::uint64_t templates() const noexcept { return templates_; }

 private:
  struct Counting;

  const ShingledTexts& texts_;
  const std::vector<bool>& is_copy_;
  const Sites* sites_;
  std::span<const std::uint32_t> base_;
  RunContext& run_;
  std::vector<DocId> asked_;           // ascending, without copies
  PodVector<std::uint32_t> shingles_;  // the number of distinct shingles of each
  std::optional<Partitions> holders_;  // partitioned by the first bits of the shingle
  std::uint64_t templates_ = 0, only_base_ = 0;
};

}  // namespace leitong
