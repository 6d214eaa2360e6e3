#include "job/annotations.hpp"

#include "job/row_file.hpp"

namespace leitong {

ClusterSizes::ClusterSizes(const Outcome& outcome)
    : cluster_(outcome.cluster.data(), outcome.cluster.size()),
      sizes_(cluster_sizes(cluster_, outcome.clusters)) {}

std::vector<AddedField> size_field() { return {{"cluster_size", AddedField::Type::integer}}; }

std::vector<AddedField> annotation_fields() {
  using Type = AddedField::Type;
  return {{"cluster", Type::integer}, {"cluster_size", Type::integer}, {"kept", Type::truth},
          {"kept_id", Type::text},    {"measure", Type::text},         {"score", Type::number}};
}

std::span<const AddedValue> Annotations::of(DocId document) {
  values_.fill(std::monostate());
  if (const std::uint32_t cluster = outcome_.cluster[document]; cluster != 0)
    values_[0] = std::uint64_t{cluster};
  values_[1] = std::uint64_t{sizes_[document]};
  const bool stays = outcome_.found.settlement.stays(document);
  values_[2] = stays;
  if (stays) return values_;
  const auto [measure, score] = outcome_.reason(document);
  values_[3] = shown_text(ids_[outcome_.found.settlement.kept[document]], id_);
  values_[4] = measure_name(measure);
  values_[5] = double{score};
  return values_;
}

}  // namespace leitong
