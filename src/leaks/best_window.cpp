#include "leaks/best_window.hpp"

#include <algorithm>
#include <bit>

#include "base/halves.hpp"
#include "leaks/masked_units.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;

std::size_t slot_of(std::uint64_t shingle) { return shingle * kFactor >> 40; }

}  // namespace

void ItemShingles::set(std::span<const Unit> parts) {
  const std::size_t slots = std::bit_ceil(2 * parts.size() + 2);
  slots_.assign(slots, {});
  mask_ = slots - 1;
  std::uint32_t size = 0;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == kBreakUnit || parts[i + 1] == kBreakUnit) continue;
    const std::uint64_t shingle = join_halves(parts[i], parts[i + 1]);
    std::size_t slot = slot_of(shingle) & mask_;
    while (slots_[slot].number != kNone && slots_[slot].shingle != shingle) slot = (slot + 1) & mask_;
    if (slots_[slot].number == kNone) slots_[slot] = {shingle, size++};
  }
  counts_.assign(size, 0);
}

std::uint32_t ItemShingles::number_of(std::uint64_t shingle) const noexcept {
  std::size_t slot = slot_of(shingle) & mask_;
  while (slots_[slot].number != kNone && slots_[slot].shingle != shingle) slot = (slot + 1) & mask_;
  return slots_[slot].number;
}

Window ItemShingles::best(std::span<const Unit> document, std::size_t begin, std::size_t end,
                          std::size_t width) {
  std::fill(counts_.begin(), counts_.end(), 0);
  seen_.clear();
  Window best;
  std::uint32_t different = 0;
  std::size_t from = begin;  // the first place that is counted
  const auto leave = [&] {
    if (const std::uint32_t number = seen_[from - begin]; number != kNone && --counts_[number] == 0)
      --different;
    ++from;
  };
  for (std::size_t i = begin; i + 1 < end; ++i) {
    const std::uint32_t number = number_of(join_halves(document[i], document[i + 1]));
    seen_.push_back(number);
    if (number == kNone) continue;
    if (counts_[number]++ == 0) ++different;
    while (from + width < i + 2) leave();
    if (different <= best.shingles) continue;
    // Whatever is there twice, or is no shingle of the item, need not begin the window.
    while (seen_[from - begin] == kNone || counts_[seen_[from - begin]] > 1) leave();
    best = {different, from, i + 2};
  }
  return best;
}

void ShinglesOf::set(std::span<const Unit> document) {
  const std::size_t words = std::bit_ceil(document.size() / 4 + 2);
  bits_.assign(words, 0);
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(64 * words));
  for (std::size_t i = 0; i + 1 < document.size(); ++i) {
    const std::uint64_t bit = join_halves(document[i], document[i + 1]) * kFactor >> shift_;
    bits_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

std::size_t ShinglesOf::count(std::span<const Unit> parts) const noexcept {
  std::size_t there = 0;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == kBreakUnit || parts[i + 1] == kBreakUnit) continue;
    const std::uint64_t bit = join_halves(parts[i], parts[i + 1]) * kFactor >> shift_;
    there += bits_[bit / 64] >> bit % 64 & 1;
  }
  return there;
}

}  // namespace leitong
