#include "job/outcome.hpp"

#include <fmt/core.h>

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
    // A component gets its number at its smallest document, which comes first.
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
  reasons.losses_ = outcome.found.settlement.by_losses();
  reasons.numbers_ = outcome.found.folding.numbers;
  LEITONG_TRY(
      outcome.for_each_removal([&](DocId d, const VerifiedPair& pair, const std::optional<Loss>& loss) {
        reasons.removals_.emplace(d, Removal{pair, loss});
      }));
  for (DocId d = 0; d < outcome.documents(); ++d)
    if (outcome.measure[d] == Measure::copy) reasons.in_other_form_.insert(d);
  return reasons;
}

std::string RemovalReasons::of(DocId document) const {
  const auto removal = removals_.find(original_[document]);
  if (removal == removals_.end())
    return reason_of(copies_of_one(0, 1, !in_other_form_.contains(document)), true, numbers_);
  const auto& [pair, loss] = removal->second;
  const std::string reason = reason_of(pair, true, numbers_);
  return loss ? fmt::format("{}; {}", reason, loss_words(*loss)) : reason;
}

std::optional<Loss> RemovalReasons::loss(DocId document) const {
  const auto removal = removals_.find(original_[document]);
  if (removal != removals_.end()) return removal->second.loss;
  return losses_ ? std::optional(Loss()) : std::nullopt;
}

namespace {

/// The documents that stay in each group of copies with different signs, the original first.
std::unordered_map<DocId, std::vector<DocId>> staying_by_signs(const PairResult& found) {
  std::unordered_map<DocId, std::vector<DocId>> groups;
  if (found.copies_apart) return groups;
  for (const Copy& c : found.copies)
    if (c.form.signs != 0 && groups.try_emplace(c.original).second && found.settlement.stays(c.original))
      groups[c.original].push_back(c.original);
  if (groups.empty()) return groups;
  for (const Copy& c : found.copies)
    if (const auto group = groups.find(c.original); group != groups.end() && found.settlement.stays(c.copy))
      group->second.push_back(c.copy);
  return groups;
}

/// The number of copies that are no references, except those that stay because of their signs.
std::uint64_t count_removed_copies(const PairResult& found, DocId references) {
  if (found.copies_apart) return 0;  // what leaves for an equal text leaves by a pair
  auto removed = static_cast<std::uint64_t>(
      std::ranges::count_if(found.copies, [&](const Copy& copy) { return copy.copy >= references; }));
  for (const auto& [original, group] : staying_by_signs(found)) {
    const auto staying = static_cast<std::uint64_t>(
        std::ranges::count_if(group, [&](DocId document) { return document >= references; }));
    // One document stays for the group, unless it is a reference.
    removed -= staying - (staying > 0 && original >= references ? 1 : 0);
  }
  return removed;
}

}  // namespace

Result<Relatives> Relatives::read(const Outcome& outcome) {
  Relatives relatives;
  const Settlement& settlement = outcome.found.settlement;
  const std::vector<DocId> original = originals(outcome.documents(), outcome.found.copies);
  const auto consider = [&](DocId of, DocId other, const std::optional<Loss>& loss) {
    // The best document of a group of copies represents the group, if that stays.
    const DocId document = settlement.kept[of], beside = settlement.kept[other];
    if (!loss || original[document] != of || original[beside] != other || !outcome.is_relative(document))
      return;
    const auto [nearest, is_new] = relatives.nearest_.try_emplace(document, Nearest{beside, *loss});
    if (!is_new &&
        std::pair(loss->share(), beside) < std::pair(nearest->second.loss.share(), nearest->second.document))
      nearest->second = {beside, *loss};
  };
  LEITONG_TRY(outcome.found.pairs->for_each([&](const VerifiedPair& pair, const PairLosses& losses) {
    consider(pair.a, pair.b, losses.a);
    consider(pair.b, pair.a, losses.b);
  }));
  for (const auto& [group, staying] : staying_by_signs(outcome.found))
    for (const DocId document : staying)
      if (staying.size() > 1 && outcome.is_relative(document))
        relatives.nearest_.insert_or_assign(
            document, Nearest{staying[staying[0] == document ? 1 : 0], {.other_signs = true}});
  return relatives;
}

const Relatives::Nearest* Relatives::of(DocId document) const {
  const auto nearest = nearest_.find(document);
  return nearest == nearest_.end() ? nullptr : &nearest->second;
}

Result<Outcome> conclude(PairResult found, DocId references) {
  Outcome outcome;
  const std::uint64_t documents = found.table.units.size();
  const Settlement& s = found.settlement;
  std::vector<bool> leads(documents);      // true for documents for which others left
  std::vector<bool> keeps_own(documents);  // components in which a document stays that is no reference
  PodVector<std::uint32_t> component_size, component_kept;
  component_size.resize(documents, 0);
  component_kept.resize(documents, 0);
  for (DocId d = 0; d < documents; ++d) {
    const bool is_leader = s.leader(d) == d;
    if (!is_leader) leads[s.leader(d)] = true;
    outcome.removed += !s.stays(d);
    outcome.relatives += s.stays(d) && !is_leader;
    ++component_size[s.component[d]];
    component_kept[s.component[d]] += is_leader;
    if (is_leader && d >= references) keeps_own[s.component[d]] = true;
  }
  outcome.relatives -= found.kept_for_value.size();
  outcome.removed_copies = count_removed_copies(found, references);
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
    if (s.leader(d) != d) outcome.cluster[d] = outcome.cluster[s.leader(d)];
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
  // And of its copies.
  std::vector<std::uint32_t> like(outcome.found.settlement.by_losses() ? documents : 0, 1);
  outcome.loss.resize(like.size(), 0);
  outcome.relation.resize(like.size(), Relation::copy);
  if (!like.empty())
    for (const Copy& c : outcome.found.copies) ++like[c.original];
  LEITONG_TRY(
      outcome.for_each_removal([&](DocId d, const VerifiedPair& pair, const std::optional<Loss>& loss) {
        outcome.measure[d] = pair.measure;
        outcome.score[d] = pair.score;
        if (!loss || like.empty()) return;
        outcome.loss[d] = static_cast<float>(loss->share());
        const PodVector<std::uint32_t>& units = outcome.found.table.units;
        outcome.relation[d] = relation_of(*loss, units[d], units[outcome.found.settlement.kept[d]]);
        outcome.lost_units += like[d] * (std::uint64_t{loss->lost} + loss->reworded);
      }));
  for (const Copy& c : outcome.found.copies) {
    if (outcome.found.settlement.pair[c.copy] == Settlement::kNoPair) continue;
    outcome.measure[c.copy] = outcome.measure[c.original];
    outcome.score[c.copy] = outcome.score[c.original];
    if (like.empty()) continue;
    outcome.loss[c.copy] = outcome.loss[c.original];
    outcome.relation[c.copy] = outcome.relation[c.original];
  }
  if (outcome.found.settlement.by_losses())
    for (DocId d = 0; d < documents; ++d)
      if (!outcome.found.settlement.stays(d)) outcome.removed_units += outcome.found.table.units[d];
  return outcome;
}

}  // namespace leitong
