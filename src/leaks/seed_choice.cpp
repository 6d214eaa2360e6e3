#include "leaks/seed_choice.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/cpu.hpp"
#include "base/radix_sort.hpp"
#include "feature/kernels.hpp"

namespace leitong {
namespace {

constexpr std::size_t kKeptSeeds = 3;

std::size_t window_of(std::size_t places) {
  if (places <= 8) return 1;
  return places <= 24 ? 3 : 8;
}

}  // namespace

void seed_hashes(std::span<const Unit> units, PodVector<std::uint32_t>& hashes) {
  constexpr std::size_t kBlock = 1024;
  hashes.clear();
  if (units.size() < kSeedUnits) return;
  const auto kernel = feature_kernels(simd_level()).selection;
  const std::size_t all = units.size() - kSeedUnits + 1;
  hashes.resize_for_overwrite(all + kSeedUnits);
  std::array<std::uint32_t, kBlock + kSeedUnits> scratch;
  for (std::size_t first = 0; first < all; first += kBlock) {
    // What a block writes behind its end the next one overwrites.
    const std::size_t count = std::min(kBlock, all - first);
    kernel(units.data() + first, count, kSeedUnits, scratch.data(), hashes.data() + first);
  }
  hashes.resize_for_overwrite(all);
}

void RunHolders::build() {
  {
    PodVector<std::uint64_t> scratch;
    radix_sort(runs_, scratch, 32, 64, [](std::uint64_t run) { return run; });
  }
  std::size_t size = 0;
  std::uint32_t last = UINT32_MAX;  // item
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::uint32_t hash = high_half(runs_[i]), item = low_half(runs_[i]);
    if (size > 0 && high_half(runs_[size - 1]) == hash) {
      if (item != last) ++runs_[size - 1];
    } else {
      runs_[size++] = join_halves(hash, 1);
    }
    last = item;
  }
  runs_.resize_for_overwrite(size);
  const auto bits = std::clamp(static_cast<std::uint32_t>(std::bit_width(size)), 1U, 26U);
  shift_ = 32 - bits;
  starts_.assign((std::size_t{1} << bits) + 1, 0);
  for (const std::uint64_t run : runs_) ++starts_[(high_half(run) >> shift_) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

std::uint32_t RunHolders::of(std::uint32_t hash) const noexcept {
  const std::size_t bucket = hash >> shift_;
  for (std::size_t i = starts_[bucket]; i < starts_[bucket + 1]; ++i)
    if (high_half(runs_[i]) == hash) return low_half(runs_[i]);
  return 0;
}

std::vector<std::uint32_t> choose_seeds(std::span<const std::uint32_t> places,
                                        std::span<const std::uint32_t> holders) {
  const std::size_t window = window_of(places.size());
  std::vector<std::size_t> chosen;  // indexes
  for (std::size_t first = 0; first < places.size();) {
    std::size_t behind = first + 1;  // of the places in a row
    while (behind < places.size() && places[behind] == places[behind - 1] + 1) ++behind;
    for (std::size_t i = first; i + std::min(window, behind - first) <= behind; ++i) {
      std::size_t rarest = i;
      for (std::size_t k = i + 1; k < std::min(i + window, behind); ++k)
        if (holders[k] <= holders[rarest]) rarest = k;
      if (chosen.empty() || chosen.back() != rarest) chosen.push_back(rarest);
    }
    first = behind;
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  const auto is_rare = [&](std::size_t i) { return holders[i] <= kItemsOfSeed; };
  if (static_cast<std::size_t>(std::ranges::count_if(chosen, is_rare)) >= kKeptSeeds)
    std::erase_if(chosen, [&](std::size_t i) { return !is_rare(i); });
  std::vector<std::uint32_t> seeds;
  seeds.reserve(chosen.size());
  for (const std::size_t i : chosen) seeds.push_back(places[i]);
  return seeds;
}

}  // namespace leitong
