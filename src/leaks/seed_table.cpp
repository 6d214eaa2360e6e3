#include "leaks/seed_table.hpp"

#include <algorithm>
#include <bit>

#include "base/radix_sort.hpp"

namespace leitong {

void SeedTable::build() {
  {
    PodVector<Seed> scratch;
    radix_sort(added_, scratch, 0, 32, [](const Seed& seed) { return seed.hash; });
  }
  const auto bits = static_cast<std::uint32_t>(std::bit_width(added_.size()));
  const std::uint32_t start_bits = std::clamp(bits, 1U, 26U);
  // 8 to 16 bits a seed in words of 64.
  const std::uint32_t word_bits = std::clamp(bits, 4U, 28U) - 3;
  const std::uint32_t quick_bits = std::clamp(bits + 4, 6U, kMostQuickBits);
  starts_shift_ = 32 - start_bits;
  quick_shift_ = 32 - quick_bits;
  filter_shift_ = 32 - word_bits;
  seeds_ = HugeArray<Seed>(added_.size());
  std::ranges::copy(added_, seeds_.data());
  added_ = PodVector<Seed>();
  quick_ = HugeArray<std::uint64_t>(std::size_t{1} << quick_bits >> 6);
  filter_ = HugeArray<std::uint64_t>(std::size_t{1} << word_bits);
  starts_ = HugeArray<std::uint32_t>((std::size_t{1} << start_bits) + 1);
  for (const Seed& seed : seeds_.span()) {
    const std::uint32_t bit = seed.hash >> quick_shift_;
    quick_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    filter_[seed.hash >> filter_shift_] |= bits_of(seed.hash);
    ++starts_[(seed.hash >> starts_shift_) + 1];
  }
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

}  // namespace leitong
