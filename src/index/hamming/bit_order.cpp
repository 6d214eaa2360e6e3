#include "index/hamming/bit_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace leitong::hamming {

namespace {
constexpr std::size_t kBitSample = 1024;
}

template <Fingerprint F>
BitOrder<F>::BitOrder(std::span<const F> values) : bits_(kBits<F>) {
  std::array<std::size_t, kBits<F>> ones{};
  const std::size_t sample = std::min(values.size(), kBitSample);
  for (std::size_t i = 0; i < sample; ++i) {
    const F value = values[i * values.size() / sample];
    for (unsigned bit = 0; bit < kBits<F>; ++bit) ones[bit] += word(value, bit / 64) >> bit % 64 & 1;
  }
  const auto rarer = [&](unsigned bit) { return std::min(ones[bit], sample - ones[bit]); };
  std::iota(bits_.begin(), bits_.end(), 0u);
  std::stable_sort(bits_.begin(), bits_.end(), [&](unsigned x, unsigned y) { return rarer(x) > rarer(y); });
  while (varying_ < bits_.size() && rarer(bits_[varying_]) > 0) ++varying_;
}

template <Fingerprint F>
F BitOrder<F>::best(F mask, unsigned count) const {
  F taken{};
  for (const unsigned bit : bits_) {
    if (count == 0) break;
    if ((mask & single_bit<F>(bit)) == F{}) continue;
    taken = taken | single_bit<F>(bit);
    --count;
  }
  return taken;
}

template <Fingerprint F>
std::vector<F> BitOrder<F>::deal(F mask, unsigned count, unsigned most) const {
  std::vector<F> sets(count);
  unsigned dealt = 0;
  for (std::size_t i = 0; i < varying_ && dealt < count * most; ++i) {
    const F bit = single_bit<F>(bits_[i]);
    if ((mask & bit) == F{}) continue;
    F& set = sets[dealt++ % count];
    set = set | bit;
  }
  if (dealt < count) sets.clear();
  return sets;
}

template class BitOrder<Fingerprint64>;
template class BitOrder<Fingerprint128>;

}  // namespace leitong::hamming
