#include "text/segment/row_packer.hpp"

#include <algorithm>
#include <bit>

namespace leitong {
namespace {

constexpr std::uint32_t kWord = 64;

/// 64 bits, from any place on.
std::uint64_t bits_at(const std::vector<std::uint64_t>& bits, std::uint32_t place) {
  const std::uint32_t word = place / kWord, shift = place % kWord;
  return shift == 0 ? bits[word] : bits[word] >> shift | bits[word + 1] << (kWord - shift);
}

void set_bit(std::vector<std::uint64_t>& bits, std::uint32_t place) {
  bits[place / kWord] |= std::uint64_t{1} << (place % kWord);
}

}  // namespace

RowPacker::RowPacker(std::uint32_t width, std::uint32_t max_base)
    : width_(width),
      max_base_(max_base),
      slots_((max_base + width) / kWord + 4),
      bases_(max_base / kWord + 4) {
  set_bit(bases_, 0);
}

std::optional<std::uint32_t> RowPacker::place(std::span<const std::uint32_t> columns) {
  while (slots_[first_free_word_] == ~std::uint64_t{0}) ++first_free_word_;
  const std::uint32_t first_free = first_free_word_ * kWord;
  for (std::uint32_t base = first_free > columns[0] ? first_free - columns[0] : 0; base < max_base_;
       base += kWord) {
    std::uint64_t taken = bits_at(bases_, base);  // bit i: base + i cannot be used
    for (const std::uint32_t column : columns) {
      taken |= bits_at(slots_, base + column);
      if (taken == ~std::uint64_t{0}) break;
    }
    if (taken == ~std::uint64_t{0}) continue;
    base += static_cast<std::uint32_t>(std::countr_one(taken));
    if (base >= max_base_) break;
    set_bit(bases_, base);
    for (const std::uint32_t column : columns) set_bit(slots_, base + column);
    max_taken_base_ = std::max(max_taken_base_, base);
    return base;
  }
  return std::nullopt;
}

}  // namespace leitong
