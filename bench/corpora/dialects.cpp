#include "corpora/dialects.hpp"

#include <algorithm>

namespace leitong::bench {
namespace {

constexpr std::uint32_t kFirstHan = 0x3400, kLastHan = 0x9FFF, kCharacters = 0x10000;

bool is_han(std::uint32_t c) { return c >= kFirstHan && c <= kLastHan; }

}  // namespace

Dialects::Dialects(const Text& training) : rank_(kCharacters, kUnranked) {
  std::vector<std::uint64_t> count(kCharacters, 0);
  for (const std::uint32_t c : training) count[c] += is_han(c);
  for (std::uint32_t c = kFirstHan; c <= kLastHan; ++c)
    if (count[c] > 0) by_rank_.push_back(static_cast<std::uint16_t>(c));
  std::stable_sort(by_rank_.begin(), by_rank_.end(),
                   [&](std::uint16_t x, std::uint16_t y) { return count[x] > count[y]; });
  by_rank_.resize(by_rank_.size() / kBlock * kBlock);
  for (std::size_t r = kBlock; r < by_rank_.size(); ++r) rank_[by_rank_[r]] = static_cast<std::uint16_t>(r);
}

void Dialects::translate(std::uint32_t dialect, std::span<std::uint32_t> text) const {
  if (dialect == 0) return;
  constexpr std::array<std::uint32_t, 12> kCoprime = {1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25};  // to 26
  const std::uint64_t letters = Random(dialect).next();
  const std::uint32_t step = kCoprime[letters % kCoprime.size()], shift = letters >> 32 & 0xffff;
  for (std::uint32_t& c : text) {
    const std::uint32_t lower = c | 0x20;
    if (lower >= 'a' && lower <= 'z') {
      c = (c & 0x20) + 'A' + ((lower - 'a') * step + shift) % 26;
    } else if (is_han(c) && rank_[c] != kUnranked) {
      const std::uint32_t block = rank_[c] / kBlock, place = rank_[c] % kBlock;
      const std::uint64_t key = Random(static_cast<std::uint64_t>(dialect) << 16 | block).next();
      const auto factor = static_cast<std::uint32_t>(key >> 8) | 1,
                 offset = static_cast<std::uint32_t>(key >> 40);
      c = by_rank_[block * kBlock + (place * factor + offset) % kBlock];
    }
  }
}

}  // namespace leitong::bench
