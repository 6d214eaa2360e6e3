#include "feature/repetition.hpp"

#include <algorithm>
#include <bit>

#include "feature/shingles.hpp"

namespace leitong {
namespace {

// Distinct shingles that are looked at, of a text without repetition.
constexpr std::size_t kSample = 16;

// Does the sample leave it open that the text is repetitive? Shingles are chosen by their hashes, so a
// repeated one is chosen each time, or never: a repetitive text has few distinct ones in the sample, or few
// at all.
bool may_be_repetitive(std::span<const std::uint32_t> shingles, PodVector<std::uint32_t>& chosen) {
  const std::size_t one_in = std::bit_floor(std::max<std::size_t>(shingles.size() / kSample, 1));
  const auto mask = static_cast<std::uint32_t>(one_in - 1);
  chosen.resize_for_overwrite(shingles.size());
  std::uint32_t* out = chosen.data();
  for (const std::uint32_t shingle : shingles) {
    *out = shingle;
    out += (shingle & mask) == 0;
  }
  const auto count = static_cast<std::size_t>(out - chosen.data());
  std::sort(chosen.data(), out);
  const auto distinct = static_cast<std::size_t>(std::unique(chosen.data(), out) - chosen.data());
  return 2 * distinct < count || 3 * count * one_in < shingles.size();
}

}  // namespace

std::span<const std::uint32_t> repetitive_set(std::span<const Unit> units,
                                              std::span<const std::uint32_t> shingles,
                                              RepetitionScratch& scratch) {
  if (shingles.size() < kRepetitiveFrom || !may_be_repetitive(shingles, scratch.chosen)) return {};
  shingle_set(units, scratch.set, scratch.sort);
  if (kRepetitiveFrom * scratch.set.size() > shingles.size()) return {};
  return {scratch.set.data(), scratch.set.size()};
}

}  // namespace leitong
