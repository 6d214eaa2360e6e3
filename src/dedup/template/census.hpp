// How many families hold each shingle? Counted exactly, for the shingles of the documents where it matters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/document_table.hpp"
#include "corpus/documents.hpp"
#include "dedup/template/kinship.hpp"
#include "dedup/template/marks.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The site of each document, numbered from 0; documents of which no site is known have numbers of their own.
using Sites = std::vector<std::uint32_t>;

/// Reads all documents once more and lists, for every shingle of the documents that are asked for and of at
/// least two documents, who holds it. What cannot matter (shingles of one document, or of nobody who is asked
/// for) is left out by filters of 16 bits a shingle; what they let through by chance is counted as well and
/// changes nothing. 8 bytes an entry, in memory while there is room.
class ShingleCensus {
 public:
  /// `is_copy`: documents that are left out, since they are equal to others.
  ShingleCensus(const DocumentSource& source, const DocumentTable& table, const std::vector<bool>& is_copy,
                RunContext& run);

  /// Once. `asked`: the documents whose shingles are counted.
  Result<void> count(const std::vector<bool>& asked);

  /// Fills `marks` for the documents that were asked for: their templates, and for those in `wants_common`
  /// whatever three and more families hold. `sites` may be null. As often as families change.
  Result<void> mark(const Kinship& families, const Sites* sites, const std::vector<bool>& asked,
                    const std::vector<bool>& wants_common, TemplateMarks& marks);

  /// Shingles that are a template for somebody, as mark() found them last.
  [[nodiscard]] std::uint64_t templates() const noexcept { return templates_; }

 private:
  const DocumentSource& source_;
  const DocumentTable& table_;
  const std::vector<bool>& is_copy_;
  RunContext& run_;
  Partitions entries_;  // (shingle, document), by the first bits of the shingle
  bool sorted_ = false;
  std::uint64_t templates_ = 0;
};

}  // namespace leitong
