#include "leaks/seed_table.hpp"

#include <algorithm>
#include <tuple>

namespace leitong {

void SeedTable::build() {
  std::sort(seeds_.begin(), seeds_.end(), [](const Seed& a, const Seed& b) {
    return std::tuple(a.hash, a.place.item, a.place.position) <
           std::tuple(b.hash, b.place.item, b.place.position);
  });
  const auto bits = static_cast<std::uint32_t>(std::bit_width(seeds_.size()));
  const std::uint32_t start_bits = std::clamp(bits, 1U, 26U);
  const std::uint32_t filter_bits = std::clamp(bits + 4, 6U, 31U);
  starts_shift_ = 32 - start_bits;
  filter_shift_ = 32 - filter_bits;
  filter_.assign((std::size_t{1} << filter_bits) / 64, 0);
  starts_.assign((std::size_t{1} << start_bits) + 1, 0);
  for (const Seed& seed : seeds_) {
    const std::uint32_t bit = seed.hash >> filter_shift_;
    filter_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    ++starts_[(seed.hash >> starts_shift_) + 1];
  }
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

std::span<const SeedTable::Seed> SeedTable::find(std::uint32_t hash) const noexcept {
  const std::size_t bucket = hash >> starts_shift_;
  std::size_t begin = starts_[bucket], end = starts_[bucket + 1];
  while (begin < end && seeds_[begin].hash < hash) ++begin;
  std::size_t behind = begin;
  while (behind < end && seeds_[behind].hash == hash) ++behind;
  return {seeds_.data() + begin, behind - begin};
}

}  // namespace leitong
