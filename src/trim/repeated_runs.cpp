#include "trim/repeated_runs.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "base/cpu.hpp"
#include "feature/kernels.hpp"
#include "feature/rolling.hpp"

namespace leitong {
namespace {

// Runs at once: their arrays stay in the nearest cache.
constexpr std::size_t kBlockRuns = 2048;
// The units of which the hash chooses a place: more would make the choice no better.
constexpr std::size_t kChosenBy = 8;

}  // namespace

KeyFilter::KeyFilter(std::uint64_t keys)
    : mask_(std::bit_ceil(std::max<std::uint64_t>(8 * keys, 1u << 16)) - 1),
      words_(std::make_unique<std::atomic<std::uint64_t>[]>((mask_ + 1) / 64)) {}

void KeyFilter::add(std::uint64_t key) noexcept {
  const std::uint64_t bit = key & mask_;
  words_[bit / 64].fetch_or(std::uint64_t{1} << bit % 64, std::memory_order_relaxed);
}

bool KeyFilter::may_hold(std::uint64_t key) const noexcept {
  const std::uint64_t bit = key & mask_;
  return (words_[bit / 64].load(std::memory_order_relaxed) >> bit % 64 & 1) != 0;
}

// A key has a third of a run's units at least, and in usual texts few runs have one that do not repeat.
RunKeys::RunKeys(std::size_t least)
    : least_(least),
      window_(std::bit_floor(2 * (least + 1) / 3)),
      key_units_(least - window_ + 1),
      chosen_by_(std::min(key_units_, kChosenBy)) {}

void RunKeys::choose(std::span<const Unit> units) {
  choices_.clear();
  if (units.size() < least_) return;
  const FeatureKernels& kernel = feature_kernels(simd_level());
  const std::size_t runs = units.size() - least_ + 1;
  const std::size_t room = std::min(runs, kBlockRuns) + window_ + chosen_by_;
  for (auto* part : {&selection_, &minima_, &other_}) part->resize_for_overwrite(room);
  std::uint32_t last = 0;  // the least hash of the run before
  for (std::size_t first = 0; first < runs; first += kBlockRuns) {
    const std::size_t count = std::min(kBlockRuns, runs - first);
    kernel.selection(units.data() + first, count + window_ - 1, chosen_by_, other_.data(), selection_.data());
    const std::uint32_t* const hashes = selection_.data();
    const std::uint32_t* const minima = kernel.minima(hashes, count, window_, other_.data(), minima_.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t least = minima[i];
      // The last of equal ones is chosen, so one that enters takes the place of its equal.
      if (least == last && hashes[i + window_ - 1] != least && first + i > 0) continue;
      last = least;
      std::size_t place = i + window_ - 1;
      while (hashes[place] != least) --place;
      choices_.push_back({static_cast<std::uint32_t>(first + i), static_cast<std::uint32_t>(first + place)});
    }
  }
}

std::uint64_t RunKeys::key_at(const Unit* units) const noexcept {
  return XXH3_64bits(units, key_units_ * sizeof(Unit));
}

void RunKeys::append_keys(std::span<const Unit> units, PodVector<std::uint64_t>& keys) {
  choose(units);
  for (const Choice& choice : choices_) keys.push_back(key_at(units.data() + choice.place));
}

void RunKeys::segments_in(std::span<const Unit> units, const KeyFilter& filter,
                          PodVector<RunSegment>& segments) {
  segments.clear();
  choose(units);
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const std::uint64_t key = key_at(units.data() + choices_[i].place);
    if (!filter.may_hold(key)) continue;
    const std::size_t at = choices_[i].run,
                      end = i + 1 < choices_.size() ? choices_[i + 1].run : units.size() - least_ + 1;
    segments.push_back({choices_[i].run, static_cast<std::uint32_t>(end - at), key,
                        hash_of_units(units.data() + at, end - at - 1 + least_)});
  }
}

void RunKeys::hash_runs(std::span<const Unit> units, std::size_t at, std::size_t count,
                        PodVector<PartHash>& hashes) {
  // Two shingles cover a run.
  const std::size_t shingle = (least_ + 1) / 2;
  rolling_ngrams<Unit>(units.subspan(at, count - 1 + least_), {.n = shingle}, shingles_);
  hashes.resize_for_overwrite(count);
  for (std::size_t i = 0; i < count; ++i) hashes[i] = {shingles_[i], shingles_[i + least_ - shingle]};
}

}  // namespace leitong
