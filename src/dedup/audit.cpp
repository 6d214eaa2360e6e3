#include "dedup/audit.hpp"

#include <algorithm>
#include <tuple>

#include "base/hash.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kEmpty = UINT64_MAX;
constexpr unsigned kSlotBits = 20, kFilterBits = 20;
constexpr std::uint64_t kSalt = 0x5851f42d4c957f2dULL;
// Steps in the table per selected shingle from which the sample is too dear: templates that all documents
// share make long chains.
constexpr std::uint64_t kMaxWork = 6;
// Of the shingles that a pair at the rule's edge shares, this part suffices to look at it.
constexpr double kSlack = .25;

std::size_t slot_of(std::uint32_t shingle) { return shingle * 0x9E3779B1u >> (32 - kSlotBits); }
std::size_t filter_bit(std::uint32_t shingle) { return shingle >> (32 - kFilterBits); }

}  // namespace

RecallSample::RecallSample(const Rule& rule, const DocumentTable& table)
    : table_(table), least_share_(rule.least_share()) {
  slots_.resize(1u << kSlotBits, kEmpty);
  filter_.resize((1u << kFilterBits) / 64, 0);
}

void RecallSample::select(std::span<const std::uint32_t> shingles, PodVector<std::uint32_t>& selected) {
  const bool all = shingles.size() < kAllBelow;
  const std::size_t old = selected.size();
  selected.resize_for_overwrite(old + shingles.size());
  std::uint32_t* out = selected.data() + old;
  for (const std::uint32_t shingle : shingles) {
    *out = shingle;
    out += all || (shingle & 3) == 0;
  }
  selected.resize_for_overwrite(static_cast<std::size_t>(out - selected.data()));
}

bool RecallSample::in_sample(DocId document) const noexcept {
  return mix64(table_.content[document] ^ kSalt) <= limit_;
}

void RecallSample::observe(DocId document, std::span<const std::uint32_t> selected) {
  observed_ += selected.size();
  touched_.clear();
  for (const std::uint32_t shingle : selected) {
    const std::size_t bit = filter_bit(shingle);
    if ((filter_[bit / 64] >> bit % 64 & 1) == 0) continue;
    for (std::size_t i = slot_of(shingle); slots_[i] != kEmpty; i = (i + 1) & (slots_.size() - 1)) {
      ++work_;
      if (slots_[i] >> 32 != shingle) continue;
      const auto member = static_cast<std::uint32_t>(slots_[i]);
      if (members_[member].shared++ == 0) touched_.push_back(member);
    }
  }
  const std::uint32_t units = table_.units[document];
  for (const std::uint32_t m : touched_) {
    Member& member = members_[m];
    const std::uint32_t smaller = std::min(units, table_.units[member.document]);
    const bool sparse = std::max(units, table_.units[member.document]) >= kAllBelow;
    if (member.shared >= kSlack * least_share_ * smaller * (sparse ? .25 : 1))
      found_.push_back({member.document, document});
    member.shared = 0;
  }

  if (in_sample(document)) {
    shingles_ += selected.size();
    members_.push_back({document, {}});
    members_.back().shingles.append(selected);
    if (shingles_ <= kMaxShingles) insert(static_cast<std::uint32_t>(members_.size() - 1));
  }
  while (limit_ > 0 && (members_.size() > kMaxDocuments || shingles_ > kMaxShingles ||
                        work_ > kMaxWork * (observed_ + kMaxShingles)))
    halve();
}

void RecallSample::insert(std::uint32_t member) {
  for (const std::uint32_t shingle : members_[member].shingles) {
    const std::size_t bit = filter_bit(shingle);
    filter_[bit / 64] |= 1ull << bit % 64;
    std::size_t i = slot_of(shingle);
    while (slots_[i] != kEmpty) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = static_cast<std::uint64_t>(shingle) << 32 | member;
  }
}

void RecallSample::halve() {
  limit_ /= 2;
  work_ /= 2;
  std::erase_if(members_, [&](const Member& m) { return !in_sample(m.document); });
  std::erase_if(found_, [&](const Candidate& c) { return !in_sample(c.a); });
  std::fill(slots_.begin(), slots_.end(), kEmpty);
  std::fill(filter_.begin(), filter_.end(), 0);
  shingles_ = 0;
  for (const Member& member : members_) shingles_ += member.shingles.size();
  if (shingles_ > kMaxShingles) return;  // the next halving builds the table
  for (std::uint32_t m = 0; m < members_.size(); ++m) insert(m);
}

std::vector<Candidate> RecallSample::take_candidates() {
  std::sort(found_.begin(), found_.end(), [](const Candidate& x, const Candidate& y) {
    return std::tuple(x.a, x.b) < std::tuple(y.a, y.b);
  });
  return std::move(found_);
}

}  // namespace leitong
