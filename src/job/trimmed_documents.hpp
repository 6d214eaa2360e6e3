// The documents that lose something, in their order, and what is cut of each.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/documents.hpp"
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
  std::uint64_t cut_bytes = 0;  ///< all bytes of its text if it is removed
  std::string id, text;         ///< as they were read
  /// A part that stays, equal to a cut.
  struct KeptPart {
    std::string id;   ///< of its document
    ByteRange bytes;  ///< in the text of Cut::kept
  };
  std::vector<KeptPart> kept_parts;  ///< one for each cut, if Cut::kept is wanted
  std::string spans, removed_row;    ///< what the caller makes of it
};

/// Reads the documents of groups again, some at a time on all threads, and has the rule decide about them in
/// their order.
class TrimmedDocuments {
 public:
  /// Called on any thread for each document before next() returns it. May be empty.
  using Describe = std::function<void(TrimmedDocument&)>;

  /// All of these outlive it. `least` as CutRule; `places`: is Cut::kept wanted?
  TrimmedDocuments(const RunContext& run, const DocumentSource& source, const TrimSettings& settings,
                   std::size_t least, PartGroups& groups, bool places, Describe describe);

  ~TrimmedDocuments();

  /// The next one; null at the end. Valid until the next call.
  Result<const TrimmedDocument*> next();

 private:
  struct Reader;
  struct Item;

  Result<void> fill();
  Result<void> prepare(Item& item, Reader& reader) const;
  Result<void> find_kept_parts(TrimmedDocument& document, Reader& reader) const;

  const RunContext& run_;
  const DocumentSource& source_;
  const TrimSettings& settings_;
  PartGroups& groups_;
  bool places_;
  Describe describe_;
  CutRule rule_;

  unsigned block_ = 0;               // the next one
  std::vector<RepeatedPart> parts_;  // of the present block
  std::size_t parts_done_ = 0;
  std::vector<std::unique_ptr<Item>> items_;
  std::size_t filled_ = 0, taken_ = 0;
};

}  // namespace leitong
