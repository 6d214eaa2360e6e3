#include "trim/repeated_runs.hpp"

#include <algorithm>
#include <bit>

#include "feature/rolling.hpp"

namespace leitong {

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

RunKeys::RunKeys(std::size_t least)
    : least_(least), shingle_((least + 1) / 2), window_(least - shingle_ + 1) {}

void RunKeys::find_minima(std::span<const Unit> units) {
  rolling_ngrams<Unit>(units, {.n = shingle_}, shingles_);
  const std::size_t count = shingles_.size(), runs = units.size() - least_ + 1, w = window_;
  // Blocks of w: the minimum of a window is that of a block's end and of the beginning of the next one.
  suffixes_.resize_for_overwrite(count);
  minima_.resize_for_overwrite(runs);
  for (std::size_t begin = 0; begin < count; begin += w) {
    std::uint64_t least = UINT64_MAX;
    for (std::size_t i = std::min(begin + w, count); i-- > begin;)
      suffixes_[i] = least = std::min(least, shingles_[i]);
  }
  std::uint64_t prefix = UINT64_MAX;
  for (std::size_t i = 0; i < w - 1; ++i) prefix = std::min(prefix, shingles_[i]);
  std::size_t in_block = w - 1;  // of the window's last shingle
  for (std::size_t i = 0; i < runs; ++i) {
    const std::uint64_t last = shingles_[i + w - 1];
    prefix = in_block == 0 ? last : std::min(prefix, last);
    minima_[i] = std::min(suffixes_[i], prefix);
    if (++in_block == w) in_block = 0;
  }
}

void RunKeys::append_keys(std::span<const Unit> units, PodVector<std::uint64_t>& keys) {
  if (units.size() < least_) return;
  find_minima(units);
  const std::uint64_t* const shingles = shingles_.data();
  for (std::size_t i = 0; i < minima_.size(); ++i) {
    const std::uint64_t key = minima_[i], entering = shingles[i + window_ - 1];
    if (i > 0 && key == minima_[i - 1]) {
      // The same text once more, within the reach of the first one.
      if (entering == key) keys.push_back(key);
      continue;
    }
    keys.push_back(key);
    // A smaller one than all before has entered.
    if (i > 0 && key < minima_[i - 1]) continue;
    if (std::count(shingles + i, shingles + i + window_, key) > 1) keys.push_back(key);
  }
}

void RunKeys::runs_in(std::span<const Unit> units, const KeyFilter& filter, PodVector<std::uint32_t>& runs) {
  runs.clear();
  if (units.size() < least_) return;
  find_minima(units);
  bool wanted = false;
  for (std::size_t i = 0; i < minima_.size(); ++i) {
    if (i == 0 || minima_[i] != minima_[i - 1]) wanted = filter.may_hold(minima_[i]);
    if (wanted) runs.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace leitong
