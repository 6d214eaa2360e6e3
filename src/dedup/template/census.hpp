// How many families hold each shingle? Counted exactly, for the shingles of the documents where it matters.
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

/// The site of each document, numbered from 0; documents of which no site is known have numbers of their own.
using Sites = std::vector<std::uint32_t>;

/// Goes over all documents once more and lists, for every shingle of the documents that are asked for, who
/// holds it. What cannot matter is left out: shingles that nobody who is asked for holds (a filter, 8 to 16
/// bits a shingle), and those of so few families that they are neither template nor common (FamilyCounts, a
/// part of all shingles at a time). What these let through by chance changes nothing. Meanwhile the
/// shingles of the documents that are asked for, and what the filter lets through, are in memory
/// (ShingleLists, 4 bytes each). What is left are the holders of few shingles; of those whose families nobody
/// is asked for in only the number, where sites are not known.
class ShingleCensus {
 public:
  /// Of whom, in which sites. `sites` may be null. `is_copy`: documents that are left out, since they are
  /// equal to others.
  ShingleCensus(const ShingledTexts& texts, const std::vector<bool>& is_copy, const Sites* sites,
                RunContext& run);

  /// Once. `asked`: the documents whose shingles are counted; of those in `wants_common` whatever three
  /// families hold. `families`: as they are now; later some may be joined.
  Result<void> count(const Kinship& families, const std::vector<bool>& asked,
                     const std::vector<bool>& wants_common);

  /// Fills `marks` for the documents that were asked for: their templates, and for those in `wants_common`
  /// whatever three and more families hold. As often as families are joined; `asked` and `wants_common` as in
  /// count().
  Result<void> mark(const Kinship& families, const std::vector<bool>& asked,
                    const std::vector<bool>& wants_common, TemplateMarks& marks);

  /// After the last mark(): frees what only that needs.
  void forget_holders() noexcept { holders_.reset(); }

  /// The number of distinct shingles of a document that was asked for.
  Result<std::size_t> shingles_of(DocId document, ShingledTexts::Reader& reader) const;
  /// Shingles that are a template for somebody, as mark() found them last.
  [[nodiscard]] std::uint64_t templates() const noexcept { return templates_; }

 private:
  struct Counting;

  const ShingledTexts& texts_;
  const std::vector<bool>& is_copy_;
  const Sites* sites_;
  RunContext& run_;
  std::vector<DocId> asked_;           // ascending, without copies
  PodVector<std::uint32_t> shingles_;  // of each of these, distinct ones
  std::optional<Partitions> holders_;  // by the first bits of the shingle
  std::uint64_t templates_ = 0;
};

}  // namespace leitong
