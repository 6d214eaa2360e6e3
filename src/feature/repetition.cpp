#include "feature/repetition.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "feature/shingles.hpp"

namespace leitong {
namespace {

constexpr unsigned kLowBits = 6;
constexpr std::size_t kSample = 16;  // 16 to 31 hashes are examined if none repeats

template <class Hash>
bool sample_repeats(std::span<const Hash> hashes) noexcept {
  if (hashes.size() < kRepetitiveFrom) return false;
  const std::size_t one_in = std::bit_floor(std::max<std::size_t>(hashes.size() / kSample, 1));
  // A caller may have chosen the hashes by their lowest bits already, so these are not used.
  const auto mask = static_cast<Hash>((one_in - 1) << kLowBits);
  // The distinct hashes of the sample are counted by their top six bits. Of 16 to 31 distinct hashes half
  // have hardly ever the same top bits.
  constexpr unsigned kShift = std::numeric_limits<Hash>::digits - 6;
  std::uint64_t seen = 0;
  std::size_t chosen = 0;
  for (const Hash hash : hashes) {
    const std::uint64_t is_chosen = (hash & mask) == 0;
    chosen += is_chosen;
    seen |= is_chosen << (hash >> kShift);
  }
  const auto distinct = static_cast<std::size_t>(std::popcount(seen));
  // A sample that is much too small shows that there are few distinct hashes and that it missed them.
  return 2 * distinct < chosen || 3 * chosen * one_in < hashes.size();
}

}  // namespace

bool may_repeat(std::span<const std::uint32_t> hashes) noexcept { return sample_repeats(hashes); }
bool may_repeat(std::span<const std::uint64_t> hashes) noexcept { return sample_repeats(hashes); }

std::span<const std::uint32_t> repetitive_set(std::span<const Unit> units, RepetitionScratch& scratch) {
  if (units.size() < kShingleUnits - 1 + kRepetitiveFrom) return {};
  shingle_set(units, scratch.set, scratch.sort);
  if (kRepetitiveFrom * scratch.set.size() > units.size() - kShingleUnits + 1) return {};
  return scratch.set;
}

}  // namespace leitong
