// The documents that lose something, in their order: what is cut of each, and its rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "leitong/trim.hpp"
#include "trim/cut_rule.hpp"
#include "trim/part_groups.hpp"

namespace leitong {

/// A document with parts that are in groups.
struct TrimmedDocument {
  DocId document = 0;
  bool removed = false;
  std::vector<Cut> cuts;
  std::size_t units = 0, units_left = 0;
  std::uint64_t cut_bytes = 0;     ///< all bytes of its text if it is removed
  std::string spans, removed_row;  ///< lines of JSON, if wanted
};

/// Reads the documents of groups again, some at a time on all threads, and has the rule decide about them in
/// their order.
class TrimmedDocuments {
 public:
  /// All of these outlive it. `least` as CutRule.
  TrimmedDocuments(const RunContext& run, const Corpus& corpus, const TrimJob& job, std::size_t least,
                   PartGroups& groups);

  ~TrimmedDocuments();

  /// The next one; null at the end. Valid until the next call.
  Result<const TrimmedDocument*> next();

 private:
  struct Reader;
  struct Item;

  Result<void> fill();
  Result<void> prepare(Item& item, Reader& reader) const;
  Result<void> write_rows(Item& item, Reader& reader) const;
  Result<void> append_span(const Cut& cut, const Item& item, Reader& reader, std::size_t& characters,
                           std::size_t& counted, std::string& out) const;

  const RunContext& run_;
  const Corpus& corpus_;
  const TrimJob& job_;
  std::size_t least_;
  PartGroups& groups_;
  CutRule rule_;

  unsigned block_ = 0;               // the next one
  std::vector<RepeatedPart> parts_;  // of the present block
  std::size_t parts_done_ = 0;
  std::vector<std::unique_ptr<Item>> items_;
  std::size_t filled_ = 0, taken_ = 0;
};

}  // namespace leitong
