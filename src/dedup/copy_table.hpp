// Exact copies: documents whose unit sequences have one hash.
#pragma once

#include <cstdint>

#include "base/document_table.hpp"
#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "cluster/settle.hpp"

namespace leitong {

/// A hash table from a content hash to the first document that has it. A slot takes 4 bytes; the hashes stay
/// in the DocumentTable.
class CopyTable {
 public:
  explicit CopyTable(const DocumentTable& table) : table_(table) { slots_.resize(1 << 10, kNoDocument); }

  /// Returns the first document with the content hash and length of `document`, which is `document` itself if
  /// it is new. Expected O(1).
  DocId first_like(DocId document) {
    if (++used_ * 3 > slots_.size() * 2) grow();
    DocId& slot = find(document);
    if (slot == kNoDocument)
      slot = document;
    else
      --used_;
    return slot;
  }

 private:
  DocId& find(DocId document) {
    const std::uint64_t content = table_.content[document];
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = content & mask;
    while (slots_[i] != kNoDocument &&
           (table_.content[slots_[i]] != content || table_.units[slots_[i]] != table_.units[document]))
      i = (i + 1) & mask;
    return slots_[i];
  }
  void grow() {
    PodVector<DocId> old = std::move(slots_);
    slots_ = PodVector<DocId>();
    slots_.resize(old.size() * 2, kNoDocument);
    for (const DocId document : old)
      if (document != kNoDocument) find(document) = document;
  }

  const DocumentTable& table_;
  PodVector<DocId> slots_;
  std::size_t used_ = 0;
};

}  // namespace leitong
