// How many families hold each shingle? Counted exactly, for the shingles of the documents where it matters.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/document_table.hpp"
#include "corpus/documents.hpp"
#include "dedup/template/kinship.hpp"
#include "dedup/template/marks.hpp"
#include "dedup/template/shingled_texts.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The site of each document, numbered from 0; documents of which no site is known have numbers of their own.
using Sites = std::vector<std::uint32_t>;

class ShingleCounts;

/// Looks at all documents once more and lists, for every shingle of the documents that are asked for, who
/// holds it. What cannot matter is left out by filters: shingles that nobody who is asked for holds (16 bits
/// a shingle), and those of so few documents that they are neither template nor common (a counter of 8 bits a
/// shingle). What the filters let through by chance is counted as well and changes nothing. 8 bytes an entry,
/// in memory while there is room.
class ShingleCensus {
 public:
  /// Of whom, in which sites. `sites` may be null. `is_copy`: documents that are left out, since they are
  /// equal to others.
  ShingleCensus(ShingledTexts& texts, const DocumentTable& table, const std::vector<bool>& is_copy,
                const Sites* sites, RunContext& run);
  ~ShingleCensus();

  /// Once. `asked`: the documents whose shingles are counted; of those in `wants_common` whatever three
  /// families hold.
  Result<void> count(const std::vector<bool>& asked, const std::vector<bool>& wants_common);

  /// Fills `marks` for the documents that were asked for: their templates, and for those in `wants_common`
  /// whatever three and more families hold. As often as families change; `asked` and `wants_common` as in
  /// count().
  Result<void> mark(const Kinship& families, const std::vector<bool>& asked,
                    const std::vector<bool>& wants_common, TemplateMarks& marks);

  /// Shingles that are a template for somebody, as mark() found them last.
  [[nodiscard]] std::uint64_t templates() const noexcept { return templates_; }

 private:
  ShingledTexts& texts_;
  const DocumentTable& table_;
  const std::vector<bool>& is_copy_;
  const Sites* sites_;
  RunContext& run_;
  std::unique_ptr<ShingleCounts> counts_;  // until the entries have been sorted
  Partitions entries_;                     // (shingle, document), by the first bits of the shingle
  std::uint64_t templates_ = 0;
};

}  // namespace leitong
