#include "dedup/audit.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "base/hash.hpp"
#include "feature/shingles.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kNoMember = UINT32_MAX;
constexpr DocId kNobody = UINT32_MAX;
constexpr unsigned kFirstSlotBits = 16, kFilterBitsASlot = 3;
constexpr std::uint64_t kSalt = 0x5851f42d4c957f2dULL;
// A run takes 20 to 60 ns for a unit of the input, and a step in the table some 10 ns. So many units are
// worth a step. What is free at the beginning takes some milliseconds.
constexpr std::uint64_t kUnitsAStep = 10, kFreeSteps = 100'000;
// To select the shingles of a document and look them up takes a fifth of the time of the run. So one document
// in so many is drawn, but of the first batch those before so many units, which takes a millisecond or two.
constexpr std::uint64_t kOneIn = 4, kWholeUnits = 250'000;
// A sample of so many texts and so many pairs that are independent of each other is halved. Half of the pairs
// make an interval of 0.05 even if one of twenty is missed and a quarter of them are none.
constexpr std::size_t kEnoughDocuments = 1'000;
constexpr double kEnoughPairs = 800;
// A pair is a candidate if its documents share this part of the shingles that a pair at the threshold of the
// rule shares: nearly all of them where all shingles are looked up, half where only some are.
constexpr double kSlack = .8, kSparseSlack = .5;

// Of a document of this size one shingle in so many is looked up: 128 to 256 remain, up to kSparsest. The
// values are powers of two, so that what is looked up of a long document is looked up of a short one too.
constexpr std::uint32_t sparsity(std::size_t units) {
  constexpr std::size_t kSparsest = 16;
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(std::bit_floor(units / 128), 1, kSparsest));
}

}  // namespace

SampleBounds SampleBounds::within(const MemoryBudget& memory, std::size_t documents) noexcept {
  constexpr std::uint64_t kPart = 8, kBytes = 30;
  if (memory.limit() == 0) return {documents, kMostShingles};
  return {documents, std::clamp<std::size_t>(memory.limit() / kPart / kBytes, kLeastShingles, kMostShingles)};
}

RecallSample::RecallSample(const Rule& rule, const DocumentTable& table, SampleBounds bounds,
                           MemoryBudget& memory)
    : rule_(rule),
      table_(table),
      bounds_(bounds),
      least_share_(rule.least_share()),
      slot_bits_(kFirstSlotBits),
      held_(memory) {
  rebuild();
}

std::size_t RecallSample::slot_of(std::uint32_t shingle) const noexcept {
  return shingle * 0x9E3779B1u >> (32 - slot_bits_);
}
std::size_t RecallSample::filter_bit(std::uint32_t shingle) const noexcept {
  return shingle >> (32 - slot_bits_ - kFilterBitsASlot);
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

std::uint64_t RecallSample::drawn_until(const Place& place) const noexcept {
  const bool all = bounds_.documents > 0 || (place.batch == 0 && place.units < kWholeUnits);
  return all ? UINT64_MAX : UINT64_MAX / kOneIn;
}

bool RecallSample::draws(std::uint64_t content_hash, const Place& place) const noexcept {
  return mix64(content_hash ^ kSalt) <= drawn_until(place);
}

std::uint64_t RecallSample::order_of(DocId document) const noexcept {
  return mix64(table_.content[document] ^ kSalt);
}

bool RecallSample::in_sample(DocId document) const noexcept { return order_of(document) <= limit_; }

bool RecallSample::too_much() const noexcept {
  if (shingles_.size() > bounds_.shingles) return true;
  // There are up to twice as many until the end, since each change of the sample builds the table again.
  if (bounds_.documents > 0) return members_.size() > 2 * bounds_.documents;
  return kUnitsAStep * work_ > units_ + kUnitsAStep * kFreeSteps ||
         (members_.size() > kEnoughDocuments && pairs_ * pairs_ > kEnoughPairs * squares_);
}

void RecallSample::count_pair(Member& member) noexcept {
  squares_ += 2.0 * member.pairs++ + 1;
  ++pairs_;
}

void RecallSample::halve() { shrink(limit_ / 2); }

void RecallSample::observe(DocId document, const Place& place, std::uint32_t extent,
                           std::span<const std::uint32_t> selected) {
  if (drawn_until(place) != drawn_) {
    drawn_ = drawn_until(place);
    shrink(std::min(limit_, drawn_));
    rebuild();
  }
  units_ += extent;
  touched_.clear();
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
    for (std::size_t i = slot_of(shingle); slots_[i].member != kNoMember; i = (i + 1) & (slots_.size() - 1)) {
      ++work_;
      // A shingle that the document repeats counts once.
      if (slots_[i].shingle != shingle || slots_[i].looked == document) continue;
      slots_[i].looked = document;
      const std::uint32_t member = slots_[i].member;
      if (shared_[member]++ == 0) touched_.push_back(member);
    }
  }
  for (const std::uint32_t m : touched_) {
    Member& member = members_[m];
    // The shorter text may have somewhat fewer distinct shingles than its extent says. The slack covers that,
    // too.
    const std::uint32_t one_in = sparsity(std::max(extent, member.extent));
    const double part = one_in == 1 ? kSlack : kSparseSlack / one_in;
    const std::uint32_t shared = std::exchange(shared_[m], 0);
    if (shared < part * least_share_ * shingle_count(std::min(extent, member.extent))) continue;
    const auto needed = rule_.shared_needed_of_units(extent, member.extent);
    if (!needed || shared < part * static_cast<double>(*needed)) continue;
    found_.push_back({member.document, document});
    count_pair(member);
  }

  if (in_sample(document)) {
    const auto begin = static_cast<std::uint32_t>(shingles_.size());
    shingles_.append(selected);
    members_.push_back({document, extent, begin, static_cast<std::uint32_t>(shingles_.size())});
    shared_.push_back(0);
    if (shingles_.size() > bounds_.shingles) {
      // the next halving builds the table
    } else if (2 * shingles_.size() > slots_.size()) {
      rebuild();
    } else {
      insert(static_cast<std::uint32_t>(members_.size() - 1));
    }
  }
  while (limit_ > 0 && too_much()) {
    // A half might be fewer than were asked for.
    if (bounds_.documents > 0 && shingles_.size() <= bounds_.shingles)
      shrink_to_asked();
    else
      halve();
    work_ /= 2;
    if (shingles_.size() <= bounds_.shingles) rebuild();
  }
}

void RecallSample::insert(std::uint32_t member) {
  for (std::uint32_t at = members_[member].begin; at < members_[member].end; ++at) {
    const std::uint32_t shingle = shingles_[at];
    const std::size_t bit = filter_bit(shingle);
    filter_[bit / 64] |= 1ull << bit % 64;
    std::size_t i = slot_of(shingle);
    while (slots_[i].member != kNoMember && (slots_[i].shingle != shingle || slots_[i].member != member)) {
      i = (i + 1) & (slots_.size() - 1);
      ++work_;
    }
    slots_[i] = {shingle, member, kNobody};
  }
}

void RecallSample::rebuild() {
  while (2 * shingles_.size() > std::size_t{1} << slot_bits_) ++slot_bits_;
  slots_.clear();
  slots_.resize(std::size_t{1} << slot_bits_, Slot{0, kNoMember, kNobody});
  filter_.clear();
  filter_.resize((slots_.size() << kFilterBitsASlot) / 64, 0);
  shared_.clear();
  shared_.resize(members_.size(), 0);
  for (std::uint32_t m = 0; m < members_.size(); ++m) insert(m);
  // A shingle stands in the table and with its member.
  held_.set((slots_.size() - (std::size_t{1} << kFirstSlotBits)) *
            (sizeof(Slot) + 1 + sizeof(std::uint32_t) / 2));
}

void RecallSample::shrink(std::uint64_t limit) {
  limit_ = limit;
  std::erase_if(members_, [&](const Member& m) { return !in_sample(m.document); });
  std::erase_if(found_, [&](const Candidate& c) { return !in_sample(c.a) || order_of(c.b) > drawn_; });
  std::uint32_t* end = shingles_.data();
  for (Member& member : members_) {
    const auto begin = static_cast<std::uint32_t>(end - shingles_.data());
    end = std::copy_n(shingles_.data() + member.begin, member.end - member.begin, end);
    member.begin = begin;
    member.end = static_cast<std::uint32_t>(end - shingles_.data());
    member.pairs = 0;
  }
  shingles_.resize_for_overwrite(static_cast<std::size_t>(end - shingles_.data()));
  pairs_ = squares_ = 0;
  for (const Candidate& pair : found_)
    count_pair(*std::ranges::lower_bound(members_, pair.a, {}, &Member::document));
}

void RecallSample::shrink_to_asked() {
  std::vector<std::uint64_t> order;
  for (const Member& member : members_) order.push_back(order_of(member.document));
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(bounds_.documents - 1);
  std::nth_element(order.begin(), last, order.end());
  shrink(*last);
}

std::vector<Candidate> RecallSample::take_candidates() {
  if (bounds_.documents > 0 && members_.size() > bounds_.documents) shrink_to_asked();
  slots_ = {};
  filter_ = {};
  held_.set(0);
  std::sort(found_.begin(), found_.end(), by_documents);
  return std::move(found_);
}

}  // namespace leitong
