#include "dedup/audit.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "base/hash.hpp"
#include "feature/shingles.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kEmpty = UINT64_MAX;
constexpr unsigned kSlotBits = 18, kFilterBits = 21;
constexpr std::uint64_t kSalt = 0x5851f42d4c957f2dULL;
// If a selected shingle takes more steps in the table than this on average, the sample is too expensive:
// templates that all documents share make long chains.
constexpr std::uint64_t kMaxWork = 1;
// A pair is a candidate if its documents share this part of the shingles that a pair at the threshold of the
// rule shares: nearly all of them where all shingles are looked up, half where only some are.
constexpr double kSlack = .8, kSparseSlack = .5;

// A slot of the table holds a shingle (32 bits), the stamp of the document that looked at it last (22) and a
// member (10).
constexpr std::uint64_t kMemberMask = 1023;
constexpr std::uint32_t kStampMask = (1u << 22) - 1;
static_assert(RecallSample::kMaxDocuments < kMemberMask);
constexpr std::uint64_t slot(std::uint32_t shingle, std::uint32_t stamp, std::uint32_t member) {
  return static_cast<std::uint64_t>(shingle) << 32 | static_cast<std::uint64_t>(stamp) << 10 | member;
}
constexpr std::uint32_t stamp_of(std::uint64_t slot) {
  return static_cast<std::uint32_t>(slot >> 10) & kStampMask;
}

// Of a document of this size one shingle in so many is looked up: 128 to 256 remain, up to kSparsest. The
// values are powers of two, so that what is looked up of a long document is looked up of a short one too.
constexpr std::uint32_t sparsity(std::size_t units) {
  constexpr std::size_t kSparsest = 16;
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(std::bit_floor(units / 128), 1, kSparsest));
}

std::size_t slot_of(std::uint32_t shingle) { return shingle * 0x9E3779B1u >> (32 - kSlotBits); }
std::size_t filter_bit(std::uint32_t shingle) { return shingle >> (32 - kFilterBits); }

}  // namespace

RecallSample::RecallSample(const Rule& rule, const DocumentTable& table)
    : rule_(rule), table_(table), least_share_(rule.least_share()) {
  slots_.resize(1u << kSlotBits, kEmpty);
  filter_.resize((1u << kFilterBits) / 64, 0);
}

std::uint32_t RecallSample::select(std::span<const Unit> units, Scratch& scratch,
                                   PodVector<std::uint32_t>& selected) {
  const std::size_t old = selected.size();
  // Appends one shingle in n, and returns n.
  const auto append_of = [&](std::span<const std::uint32_t> shingles) {
    const std::uint32_t one_in = sparsity(shingles.size());
    selected.resize_for_overwrite(old + shingles.size());
    std::uint32_t* out = selected.data() + old;
    for (const std::uint32_t shingle : shingles) {
      *out = shingle;
      out += (shingle & (one_in - 1)) == 0;
    }
    selected.resize_for_overwrite(static_cast<std::size_t>(out - selected.data()));
    return one_in;
  };
  shingle_hashes(units, scratch.shingles);
  std::size_t extent = units.size();
  const std::uint32_t one_in = append_of(scratch.shingles);
  const std::span<const std::uint32_t> appended(selected.data() + old, selected.size() - old);
  const bool too_few = 3 * appended.size() * one_in < scratch.shingles.size();  // each one occurs often
  if (too_few || may_repeat(appended)) {
    if (const auto set = repetitive_set(units, scratch.repetition); !set.empty()) {
      append_of(set);
      extent = set.size() + kShingleUnits - 1;
    }
  }
  return static_cast<std::uint32_t>(std::min<std::size_t>(extent, UINT32_MAX));
}

bool RecallSample::in_sample(DocId document) const noexcept {
  return mix64(table_.content[document] ^ kSalt) <= limit_;
}

void RecallSample::observe(DocId document, std::uint32_t extent, std::span<const std::uint32_t> selected) {
  observed_ += selected.size();
  touched_.clear();
  const std::uint32_t stamp = document & kStampMask;
  // Most shingles belong to no member. The others are looked up when their slots are in the cache.
  likely_.resize_for_overwrite(selected.size());
  std::size_t likely = 0;
  for (const std::uint32_t shingle : selected) {
    const std::size_t bit = filter_bit(shingle);
    likely_[likely] = shingle;
    likely += filter_[bit / 64] >> bit % 64 & 1;
  }
  for (std::size_t n = 0; n < likely; ++n) {
    constexpr std::size_t kAhead = 8;
    if (n + kAhead < likely) __builtin_prefetch(&slots_[slot_of(likely_[n + kAhead])]);
    const std::uint32_t shingle = likely_[n];
    for (std::size_t i = slot_of(shingle); slots_[i] != kEmpty; i = (i + 1) & (slots_.size() - 1)) {
      ++work_;
      // A shingle that the document repeats counts once: the slot stores which document looked at it last.
      if (slots_[i] >> 32 != shingle || stamp_of(slots_[i]) == stamp) continue;
      const auto member = static_cast<std::uint32_t>(slots_[i] & kMemberMask);
      slots_[i] = slot(shingle, stamp, member);
      if (members_[member].shared++ == 0) touched_.push_back(member);
    }
  }
  for (const std::uint32_t m : touched_) {
    Member& member = members_[m];
    // The shorter text may have somewhat fewer distinct shingles than its extent says. The slack covers that,
    // too.
    const std::uint32_t one_in = sparsity(std::max(extent, member.extent));
    const double part = one_in == 1 ? kSlack : kSparseSlack / one_in;
    const std::uint32_t shared = std::exchange(member.shared, 0);
    if (shared < part * least_share_ * shingle_count(std::min(extent, member.extent))) continue;
    const auto needed = rule_.shared_needed_of_units(extent, member.extent);
    if (needed && shared >= part * static_cast<double>(*needed))
      found_.push_back({member.document, document});
  }

  if (in_sample(document)) {
    shingles_ += selected.size();
    members_.push_back({document, extent, {}});
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
    const std::uint64_t value = slot(shingle, members_[member].document & kStampMask, member);
    while (slots_[i] != kEmpty && (slots_[i] >> 32 != shingle || (slots_[i] & kMemberMask) != member))
      i = (i + 1) & (slots_.size() - 1);
    slots_[i] = value;
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
  std::sort(found_.begin(), found_.end(), by_documents);
  return std::move(found_);
}

}  // namespace leitong
