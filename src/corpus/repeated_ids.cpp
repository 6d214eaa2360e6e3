#include "corpus/repeated_ids.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace leitong {

std::uint64_t hash_id(std::string_view id) noexcept {
  return std::max<std::uint64_t>(mix64(std::hash<std::string_view>{}(id)), 1);
}

void IdHashes::push_back(std::uint64_t hash) {
  if (hash != 0 || !hashes_.empty()) {
    hashes_.resize(documents_, 0);
    hashes_.push_back(hash);
  }
  ++documents_;
}

IdHashes::Repeated IdHashes::find(std::size_t most_examples,
                                  const std::function<bool(const Repetition&)>& is_same) const {
  PodVector<std::uint64_t> sorted;
  sorted.append(hashes_);
  std::sort(sorted.begin(), sorted.end());
  Repeated result;
  std::vector<std::uint64_t> repeated;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] == 0 || sorted[i] != sorted[i - 1]) continue;
    ++result.count;
    if (repeated.empty() || repeated.back() != sorted[i]) repeated.push_back(sorted[i]);
  }
  std::vector<DocId> first(repeated.size(), kNoDocument);
  for (std::size_t i = 0;
       i < hashes_.size() && result.examples.size() < std::min<std::uint64_t>(most_examples, result.count);
       ++i) {
    const auto at = std::lower_bound(repeated.begin(), repeated.end(), hashes_[i]);
    if (hashes_[i] == 0 || at == repeated.end() || *at != hashes_[i]) continue;
    DocId& earlier = first[static_cast<std::size_t>(at - repeated.begin())];
    const Repetition repetition{earlier, static_cast<DocId>(i)};
    if (earlier == kNoDocument)
      earlier = repetition.second;
    else if (is_same(repetition))
      result.examples.push_back(repetition);
  }
  return result;
}

std::optional<DocId> IdSet::insert(std::uint64_t hash, DocId document) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].hash != 0; at = (at + 1) & mask)
    if (slots_[at].hash == hash) return slots_[at].document;
  slots_[at] = {hash, document};
  ++used_;
  return std::nullopt;
}

std::optional<DocId> IdSet::find(std::uint64_t hash) const {
  if (slots_.empty()) return std::nullopt;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].hash != 0; at = (at + 1) & mask)
    if (slots_[at].hash == hash) return slots_[at].document;
  return std::nullopt;
}

void IdSet::grow() {
  PodVector<Slot> old = std::move(slots_);
  slots_ = PodVector<Slot>();
  slots_.resize(std::max<std::size_t>(1024, 2 * old.size()), Slot{0, 0});
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.hash == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].hash != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace leitong
