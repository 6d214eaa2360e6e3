// The documents that lose something, in their order, and what is cut of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus/documents.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "leitong/trim.hpp"
#include "trim/cut_rule.hpp"
#include "trim/cuttable_text.hpp"

namespace leitong {

/// A document with parts that may be cut.
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
  std::vector<KeptPart> kept_parts;  ///< one for each cut with Cut::kept, if Places::parts are wanted
  std::string spans, removed_row;    ///< what the caller makes of it
};

/// Reads documents some at a time on all threads, and decides about them in their order. What they lose, a
/// derived class knows.
class CutDocuments {
 public:
  /// What is wanted of the places that stay.
  enum class Places : std::uint8_t {
    none,       ///< nothing
    documents,  ///< Cut::kept
    parts       ///< also TrimmedDocument::kept_parts, for which documents are read again
  };
  /// Called on any thread for each document before next() returns it. May be empty.
  using Describe = std::function<void(TrimmedDocument&)>;

  virtual ~CutDocuments();
  CutDocuments(const CutDocuments&) = delete;
  CutDocuments& operator=(const CutDocuments&) = delete;

  /// The next one; null at the end. Valid until the next call.
  Result<const TrimmedDocument*> next();

 protected:
  /// All of these outlive it.
  CutDocuments(const RunContext& run, const DocumentSource& source, const TrimSettings& settings,
               Places places, Describe describe);

  /// Begins the next block. Returns the number of its documents, 0 at the end, and at most kDocumentsAtOnce.
  virtual Result<std::size_t> begin_block() = 0;
  [[nodiscard]] virtual DocId document_of(std::size_t i) const = 0;
  /// Must document i be read to decide about it? Otherwise it loses nothing.
  [[nodiscard]] virtual bool is_read(std::size_t i) const = 0;
  /// Learns what its text holds. On any thread, for each i at most once.
  virtual void prepare(std::size_t i, const TrimmedDocument& document, CuttableText& cuttable) = 0;
  /// Fills the cuts, and returns true if the document is removed. In the order of i.
  virtual bool decide(std::size_t i, CuttableText& cuttable, std::vector<Cut>& cuts) = 0;
  /// The bytes of a part that stays in a text: of its units, unless a derived class says otherwise. On any
  /// thread. `parts` is empty for the first question about a text, and what the answer leaves there for the
  /// next ones.
  [[nodiscard]] virtual ByteRange kept_bytes(const KeptPlaceOfPart& kept, const std::string& text,
                                             std::vector<ByteRange>& parts) const;

  /// Documents that are in memory at once, unless their texts are large.
  static constexpr std::size_t kDocumentsAtOnce = 64;
  const TrimSettings& settings_;

 private:
  struct Reader;
  struct Item;

  [[nodiscard]] Reader new_reader() const;
  Result<void> fill();
  Result<void> read(std::size_t i, Reader& reader);
  /// Fills TrimmedDocument::kept_parts of all documents that are in memory.
  Result<void> find_kept_parts();

  const RunContext& run_;
  const DocumentSource& source_;
  bool kept_parts_;  // are wanted
  Describe describe_;
  std::vector<std::unique_ptr<Item>> items_;
  std::size_t filled_ = 0, taken_ = 0;
};

}  // namespace leitong
