#include "leitong/b_bit.hpp"

#include <cassert>
#include <cmath>

namespace leitong {
namespace {

std::uint64_t value_at(std::span<const std::uint64_t> words, std::size_t i, unsigned bits) {
  const std::size_t at = i * bits, word = at / 64, shift = at % 64;
  std::uint64_t value = words[word] >> shift;
  if (shift + bits > 64) value |= words[word + 1] << (64 - shift);
  return value & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

std::vector<std::uint64_t> pack_b_bits(std::span<const std::uint32_t> values, unsigned bits) {
  assert(bits >= 1 && bits <= 16);
  std::vector<std::uint64_t> words((values.size() * bits + 63) / 64);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t value = values[i] & ((1u << bits) - 1);
    const std::size_t at = i * bits, word = at / 64, shift = at % 64;
    words[word] |= value << shift;
    if (shift + bits > 64) words[word + 1] |= value >> (64 - shift);
  }
  return words;
}

double b_bit_jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b, std::size_t count,
                     unsigned bits) noexcept {
  assert(count > 0 && a.size() == b.size());
  std::size_t equal = 0;
  for (std::size_t i = 0; i < count; ++i) equal += value_at(a, i, bits) == value_at(b, i, bits) ? 1 : 0;
  const double by_chance = std::ldexp(1.0, -static_cast<int>(bits));
  return (static_cast<double>(equal) / static_cast<double>(count) - by_chance) / (1 - by_chance);
}

}  // namespace leitong
