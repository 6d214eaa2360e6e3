#include "job/outcome.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "similarity/reason.hpp"

namespace leitong {

PodVector<std::uint32_t> Outcome::component_numbers() const {
  const std::vector<DocId>& component = found.settlement.component;
  std::vector<bool> shared(component.size());
  for (DocId d = 0; d < component.size(); ++d)
    if (component[d] != d) shared[component[d]] = true;
  PodVector<std::uint32_t> number;
  number.resize(component.size(), 0);
  std::uint32_t next = 0;
  for (DocId d = 0; d < component.size(); ++d) {
    // A component's number is given at its smallest document, which comes first.
    if (component[d] != d)
      number[d] = number[component[d]];
    else if (shared[d])
      number[d] = ++next;
  }
  return number;
}

PodVector<std::uint32_t> cluster_sizes(std::span<const std::uint32_t> cluster, std::uint64_t clusters) {
  PodVector<std::uint32_t> sizes;
  sizes.resize(clusters, 0);
  for (const std::uint32_t number : cluster)
    if (number > 0) ++sizes[number - 1];
  return sizes;
}

Result<RemovalReasons> RemovalReasons::read(const Outcome& outcome) {
  RemovalReasons reasons;
  reasons.original_ = originals(outcome.documents(), outcome.found.copies);
  LEITONG_TRY(
      outcome.for_each_removal([&](DocId d, const VerifiedPair& pair) { reasons.pairs_.emplace(d, pair); }));
  for (DocId d = 0; d < outcome.documents(); ++d)
    if (outcome.measure[d] == Measure::copy) reasons.in_other_form_.insert(d);
  return reasons;
}

std::string RemovalReasons::of(DocId document) const {
  const auto pair = pairs_.find(original_[document]);
  return reason_of(
      pair == pairs_.end() ? copies_of_one(0, 1, !in_other_form_.contains(document)) : pair->second, true);
}

Result<Outcome> conclude(Found found, DocId references) {
  Outcome outcome;
  const std::uint64_t documents = found.table.units.size();
  const Settlement& s = found.settlement;
  std::vector<bool> leads(documents);      // somebody left for it
  std::vector<bool> keeps_own(documents);  // components of which a document stays that is no reference
  PodVector<std::uint32_t> component_size, component_kept;
  component_size.resize(documents, 0);
  component_kept.resize(documents, 0);
  for (DocId d = 0; d < documents; ++d) {
    if (!s.stays(d)) {
      leads[s.kept[d]] = true;
      ++outcome.removed;
    }
    ++component_size[s.component[d]];
    component_kept[s.component[d]] += s.stays(d);
    if (s.stays(d) && d >= references) keeps_own[s.component[d]] = true;
  }
  outcome.removed_copies = static_cast<std::uint64_t>(
      std::ranges::count_if(found.copies, [&](const Copy& copy) { return copy.copy >= references; }));
  outcome.cluster.resize(documents, 0);
  for (DocId d = 0; d < documents; ++d) {
    if (leads[d]) outcome.cluster[d] = static_cast<std::uint32_t>(++outcome.clusters);
    if (component_size[d] > 1) {
      ++outcome.components;
      outcome.largest_component = std::max<std::uint64_t>(outcome.largest_component, component_size[d]);
      outcome.chained_components += component_kept[d] > 1 && keeps_own[d];
    }
  }
  for (DocId d = 0; d < documents; ++d)
    if (!s.stays(d)) outcome.cluster[d] = outcome.cluster[s.kept[d]];
  for (const std::uint32_t size :
       cluster_sizes({outcome.cluster.data(), outcome.cluster.size()}, outcome.clusters))
    outcome.largest_cluster = std::max<std::uint64_t>(outcome.largest_cluster, size);
  outcome.found = std::move(found);
  outcome.measure.resize(documents, Measure::identical);
  const CopyForms forms(outcome.found.copies);
  for (DocId d = 0; d < documents; ++d)
    if (outcome.found.settlement.pair[d] == Settlement::kNoPair &&
        !forms.same_text(d, outcome.found.settlement.kept[d]))
      outcome.measure[d] = Measure::copy;
  outcome.score.resize(documents, 1.0F);
  LEITONG_TRY(outcome.for_each_removal([&](DocId d, const VerifiedPair& pair) {
    outcome.measure[d] = pair.measure;
    outcome.score[d] = pair.score;
  }));
  for (const Copy& c : outcome.found.copies) {
    if (outcome.found.settlement.pair[c.copy] == Settlement::kNoPair) continue;
    outcome.measure[c.copy] = outcome.measure[c.original];
    outcome.score[c.copy] = outcome.score[c.original];
  }
  return outcome;
}

}  // namespace leitong
