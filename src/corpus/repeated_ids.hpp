// Ids that occur more than once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// A 64-bit hash, never 0.
[[nodiscard]] std::uint64_t hash_id(std::string_view id) noexcept;

/// A document with the id of an earlier one.
struct Repetition {
  DocId first, second;
};

/// 8 bytes a document, none while no document has an id.
class IdHashes {
 public:
  /// Adds the next document; 0 if it has no id.
  void push_back(std::uint64_t hash);

  struct Repeated {
    std::uint64_t count = 0;           ///< documents with the id of an earlier one
    std::vector<Repetition> examples;  ///< the first ones in input order, each with the id's first document
  };
  /// O(n log n), 8 bytes a document during the call. Equal hashes count as equal ids (among 1e8 different
  /// ids, two share a hash once in 4,000 corpora); `is_same` confirms the examples.
  [[nodiscard]] Repeated find(std::size_t most_examples,
                              const std::function<bool(const Repetition&)>& is_same) const;

 private:
  std::uint64_t documents_ = 0;
  PodVector<std::uint64_t> hashes_;
};

/// Tells at once whether an id has occurred before; 32 to 64 bytes a document. For runs that stop at the
/// first repetition.
class IdSet {
 public:
  /// The first document with this hash; if there is none, returns nothing and `document` becomes the first.
  std::optional<DocId> insert(std::uint64_t hash, DocId document);
  /// The first document with this hash, or nothing.
  [[nodiscard]] std::optional<DocId> find(std::uint64_t hash) const;

 private:
  struct Slot {
    std::uint64_t hash;  // 0: free
    DocId document;
  };
  void grow();
  PodVector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace leitong
