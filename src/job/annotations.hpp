// What a run says about its records, as fields of these.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "job/id_table.hpp"
#include "job/outcome.hpp"

namespace leitong {

/// The number of documents in the cluster of each; 1 for a document that is alone.
class ClusterSizes {
 public:
  /// The outcome must outlive it.
  explicit ClusterSizes(const Outcome& outcome);
  [[nodiscard]] std::uint32_t operator[](DocId document) const noexcept {
    const std::uint32_t cluster = cluster_[document];
    return cluster == 0 ? 1 : sizes_[cluster - 1];
  }

 private:
  std::span<const std::uint32_t> cluster_;
  PodVector<std::uint32_t> sizes_;
};

/// The field that kept records get.
[[nodiscard]] std::vector<AddedField> size_field();
/// The fields that all records get: cluster (null for a document that is alone), cluster_size, kept, and for
/// documents that left the id of the one that stays, the measure that decided and its value.
[[nodiscard]] std::vector<AddedField> annotation_fields();

/// Their values.
class Annotations {
 public:
  /// `ids` are those of the documents of clusters. All must outlive it.
  Annotations(const Outcome& outcome, const IdTable& ids) : outcome_(outcome), ids_(ids), sizes_(outcome) {}
  /// Valid until the next call.
  [[nodiscard]] std::span<const AddedValue> of(DocId document);

 private:
  const Outcome& outcome_;
  const IdTable& ids_;
  ClusterSizes sizes_;
  std::string id_;
  std::array<AddedValue, 6> values_;
};

}  // namespace leitong
