// Documents that belong together: families of one work, components of pairs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/pair.hpp"

namespace leitong {

/// Sets of documents that were joined. The number of a family is that of its first document, whatever the
/// order of the joins. 4 bytes a document.
class Kinship {
 public:
  explicit Kinship(std::uint64_t documents) : parent_(documents) {
    std::iota(parent_.begin(), parent_.end(), DocId{0});
  }

  /// Returns false if they were in one family. Amortised O(log documents).
  bool join(DocId a, DocId b) {
    a = shortened(a), b = shortened(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }
  /// Thread-safe while nobody joins.
  [[nodiscard]] DocId family(DocId document) const noexcept {
    while (parent_[document] != document) document = parent_[document];
    return document;
  }
  [[nodiscard]] bool together(DocId a, DocId b) const noexcept { return family(a) == family(b); }
  [[nodiscard]] std::uint64_t documents() const noexcept { return parent_.size(); }
  /// Leads every document to its family by one step.
  void shorten() {
    // A parent has the smaller number, so it leads to the family already.
    for (DocId& parent : parent_) parent = parent_[parent];
  }
  /// The family of each document; the sets are gone.
  [[nodiscard]] std::vector<DocId> take() {
    shorten();
    return std::move(parent_);
  }

 private:
  DocId shortened(DocId document) {
    while (parent_[document] != document) document = parent_[document] = parent_[parent_[document]];
    return document;
  }

  std::vector<DocId> parent_;
};

}  // namespace leitong
