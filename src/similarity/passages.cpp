#include "similarity/passages.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/hash.hpp"
#include "base/pod_vector.hpp"
#include "feature/shingles.hpp"
#include "similarity/bar.hpp"

namespace leitong {
namespace {

/// The bits that a unit is assumed to carry. Real texts carry more; with a higher value, chance runs of long
/// texts would count as passages.
constexpr std::size_t kBitsPerUnit = 4;

/// A rolling hash of a window of units: a polynomial modulo 2^61 - 1.
class RollingHash {
 public:
  explicit RollingHash(std::size_t window) {
    for (std::size_t i = 1; i < window; ++i) power_ = multiply(power_, kBase);
  }

  [[nodiscard]] std::uint64_t of(const Unit* units, std::size_t window) const noexcept {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < window; ++i) hash = add(multiply(hash, kBase), units[i]);
    return hash;
  }
  [[nodiscard]] std::uint64_t roll(std::uint64_t hash, Unit leaves, Unit enters) const noexcept {
    const std::uint64_t rest = add(hash, kModulus - multiply(power_, leaves));
    return add(multiply(rest, kBase), enters);
  }

 private:
  static constexpr std::uint64_t kModulus = (std::uint64_t{1} << 61) - 1;
  static constexpr std::uint64_t kBase = 0x1C3D8A5F96E7B421 % kModulus;

  static std::uint64_t add(std::uint64_t x, std::uint64_t y) noexcept {
    const std::uint64_t sum = x + y;
    return sum >= kModulus ? sum - kModulus : sum;
  }
  static std::uint64_t multiply(std::uint64_t x, std::uint64_t y) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(x) * y;
    return add(static_cast<std::uint64_t>(product) & kModulus, static_cast<std::uint64_t>(product >> 61));
  }

  std::uint64_t power_ = 1;  // kBase ^ (window - 1)
};

/// The places of B by the hash of the block that begins there. The places of one hash form a chain in the
/// order in which they were added.
class BlockTable {
 public:
  void clear(std::size_t blocks) {
    shift_ = 64 - static_cast<unsigned>(std::bit_width(blocks + blocks / 2));
    slots_.clear();
    slots_.resize(std::size_t{1} << (64 - shift_), Slot{0, kNever, kEnd});
    chain_.clear();
  }
  void add(std::uint64_t hash, std::size_t place) {
    Slot& slot = find(hash);
    const auto link = static_cast<std::uint32_t>(chain_.size());
    chain_.push_back({static_cast<std::uint32_t>(place), kEnd});
    if (slot.first == kNever) {
      slot = {static_cast<std::uint32_t>(mix64(hash)), link, link};
    } else {
      chain_[std::exchange(slot.last, link)].next = link;
    }
  }
  /// Returns the first place for which `fits` is true, or `none`. Places for which `dead` is true are removed
  /// on the way.
  template <class Dead, class Fits>
  std::size_t first(std::uint64_t hash, const Dead& dead, const Fits& fits, std::size_t none) {
    Slot& slot = find(hash);
    if (slot.first == kNever) return none;
    for (std::uint32_t* link = &slot.first; *link != kEnd;) {
      Block& block = chain_[*link];
      if (dead(block.place)) {
        *link = block.next;
      } else if (fits(block.place)) {
        return block.place;
      } else {
        link = &block.next;
      }
    }
    return none;
  }

 private:
  static constexpr std::uint32_t kNever = UINT32_MAX;  // a slot that no hash has used; probing ends there
  static constexpr std::uint32_t kEnd = UINT32_MAX - 1;
  struct Slot {
    std::uint32_t check, first, last;
  };
  struct Block {
    std::uint32_t place, next;
  };

  Slot& find(std::uint64_t hash) {
    const std::uint64_t mixed = mix64(hash);
    std::size_t i = mixed >> shift_;
    while (slots_[i].first != kNever && slots_[i].check != static_cast<std::uint32_t>(mixed))
      i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }

  PodVector<Slot> slots_;
  PodVector<Block> chain_;
  unsigned shift_ = 0;
};

class Tiling {
 public:
  Tiling(std::span<const Unit> a, std::span<const Unit> b) : a_(a), b_(b) {
    taken_a_.resize(a.size(), 0);
    taken_b_.resize(b.size(), 0);
  }

  /// Takes runs of at least `block` units. Every free run of `block` + `step` - 1 units that the texts share
  /// loses some of its units to such a run.
  void take_runs(std::size_t block, std::size_t step);

  std::vector<UnitRun> runs;

 private:
  // Every run so far is at least as long as a block, so a run that overlaps a block covers its first or its
  // last unit.
  [[nodiscard]] bool free_a(std::size_t at, std::size_t block) const {
    return !taken_a_[at] && !taken_a_[at + block - 1];
  }
  [[nodiscard]] bool free_b(std::size_t at, std::size_t block) const {
    return !taken_b_[at] && !taken_b_[at + block - 1];
  }
  UnitRun take_extended(UnitRun run);

  std::span<const Unit> a_, b_;
  PodVector<std::uint8_t> taken_a_, taken_b_;
  BlockTable blocks_;
};

UnitRun Tiling::take_extended(UnitRun run) {
  while (run.a > 0 && run.b > 0 && !taken_a_[run.a - 1] && !taken_b_[run.b - 1] &&
         a_[run.a - 1] == b_[run.b - 1]) {
    --run.a;
    --run.b;
    ++run.length;
  }
  for (std::size_t i = run.a + run.length, j = run.b + run.length;
       i < a_.size() && j < b_.size() && !taken_a_[i] && !taken_b_[j] && a_[i] == b_[j]; ++i, ++j)
    ++run.length;
  std::fill_n(taken_a_.begin() + run.a, run.length, std::uint8_t{1});
  std::fill_n(taken_b_.begin() + run.b, run.length, std::uint8_t{1});
  runs.push_back(run);
  return run;
}

void Tiling::take_runs(std::size_t block, std::size_t step) {
  const RollingHash rolling(block);
  const std::size_t last_b = b_.size() - block, last_a = a_.size() - block;

  blocks_.clear(last_b / step + 1);
  std::uint64_t hash = rolling.of(b_.data(), block);
  for (std::size_t at = 0;;) {
    if (free_b(at, block)) blocks_.add(hash, at);
    if (at + step > last_b) break;
    hash = step == 1 ? rolling.roll(hash, b_[at], b_[at + block]) : rolling.of(b_.data() + at + step, block);
    at += step;
  }

  hash = rolling.of(a_.data(), block);
  for (std::size_t at = 0;;) {
    std::size_t next = at + 1;
    if (free_a(at, block)) {
      const std::size_t place = blocks_.first(
          hash, [&](std::size_t b) { return !free_b(b, block); },
          [&](std::size_t b) { return std::equal(&a_[at], &a_[at] + block, &b_[b]); }, b_.size());
      if (place != b_.size()) {
        const UnitRun run = take_extended({at, place, block});
        next = run.a + run.length;
      }
    }
    if (next > last_a) return;
    hash = next == at + 1 ? rolling.roll(hash, a_[at], a_[at + block]) : rolling.of(a_.data() + next, block);
    at = next;
  }
}

/// The bytes of units [first, first + count), but none before `from`: a code point that folds to several
/// units belongs to the first passage that holds one of them.
ByteRange bytes_of(std::span<const ByteRange> places, std::size_t first, std::size_t count,
                   std::size_t from) {
  const std::size_t begin = std::max(places[first].begin, from);
  return {begin, std::max(begin, places[first + count - 1].end)};
}

}  // namespace

std::size_t passage_units(std::size_t units_a, std::size_t units_b) noexcept {
  const auto bits = static_cast<std::size_t>(std::bit_width(units_a) + std::bit_width(units_b));
  return std::max(kShingleUnits, (bits + kBitsPerUnit - 1) / kBitsPerUnit);
}

std::vector<UnitRun> shared_runs(std::span<const Unit> a, std::span<const Unit> b, std::size_t at_least) {
  const std::size_t shorter = std::min(a.size(), b.size());
  if (shorter == 0) return {};
  at_least = std::min(at_least, shorter);
  Tiling tiling(a, b);
  for (std::size_t level = std::bit_width(shorter / at_least) - 1; level > 0; --level)
    tiling.take_runs(at_least << level, at_least << level);
  tiling.take_runs(at_least, at_least);
  tiling.take_runs(at_least, 1);
  std::sort(tiling.runs.begin(), tiling.runs.end(),
            [](const UnitRun& x, const UnitRun& y) { return x.a < y.a; });
  return std::move(tiling.runs);
}

std::vector<Passage> passages_of(std::span<const UnitRun> runs, std::span<const ByteRange> places_a,
                                 std::span<const ByteRange> places_b) {
  std::vector<Passage> passages;
  passages.reserve(runs.size());
  std::size_t from = 0;
  for (const UnitRun& run : runs) {
    passages.push_back({bytes_of(places_a, run.a, run.length, from), {}, run.length});
    from = passages.back().a.end;
  }
  std::vector<std::uint32_t> in_order_of_b(runs.size());
  for (std::uint32_t i = 0; i < runs.size(); ++i) in_order_of_b[i] = i;
  std::sort(in_order_of_b.begin(), in_order_of_b.end(),
            [&](auto x, auto y) { return runs[x].b < runs[y].b; });
  from = 0;
  for (const std::uint32_t i : in_order_of_b) {
    passages[i].b = bytes_of(places_b, runs[i].b, runs[i].length, from);
    from = passages[i].b.end;
  }
  return passages;
}

SharedPassages shared_passages(std::string_view a, std::string_view b, const Folding& folding) {
  PodVector<Unit> units_a, units_b;
  std::vector<ByteRange> places_a, places_b;
  to_units_with_places(a, folding, units_a, places_a);
  to_units_with_places(b, folding, units_b, places_b);

  SharedPassages shared;
  shared.units_a = units_a.size();
  shared.units_b = units_b.size();
  shared.at_least = passage_units(units_a.size(), units_b.size());
  const std::vector<UnitRun> runs = shared_runs(units_a, units_b, shared.at_least);

  for (const UnitRun& run : runs) shared.units_shared += run.length;
  shared.passages = passages_of(runs, places_a, places_b);
  return shared;
}

double SharedPassages::coverage_a() const noexcept { return share(units_shared, units_a); }
double SharedPassages::coverage_b() const noexcept { return share(units_shared, units_b); }

}  // namespace leitong
