// Documents that belong together: families of one work, components of pairs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/pair.hpp"

namespace leitong {

/// A union-find structure. The number of a set is its first document, whatever the order of the joins. 4
/// bytes a document.
class Kinship {
 public:
  explicit Kinship(std::uint64_t documents) : parent_(documents) {
    std::iota(parent_.begin(), parent_.end(), DocId{0});
  }

  /// Returns false if they were already joined. Amortised O(log documents).
  bool join(DocId a, DocId b) {
    a = shortened(a), b = shortened(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }
  /// Thread-safe while no thread joins.
  [[nodiscard]] DocId family(DocId document) const noexcept {
    while (parent_[document] != document) document = parent_[document];
    return document;
  }
  /// family() will be called for the document.
  void fetch(DocId document) const noexcept { __builtin_prefetch(&parent_[document]); }
  [[nodiscard]] bool together(DocId a, DocId b) const noexcept { return family(a) == family(b); }
  [[nodiscard]] std::uint64_t documents() const noexcept { return parent_.size(); }
  /// Makes every document point to its family directly.
  void shorten() {
    // A parent has the smaller number, so it already points to the family.
    for (DocId& parent : parent_) parent = parent_[parent];
  }
  /// Returns the family of each document and empties the structure.
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
