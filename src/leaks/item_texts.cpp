#include "leaks/item_texts.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace leitong {

std::pair<std::uint32_t, bool> ItemTexts::add(std::span<const Unit> units) {
  const std::uint64_t hash = XXH3_64bits(units.data(), units.size_bytes());
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (std::ranges::equal((*this)[known->second], units)) return {known->second, false};
  const std::uint32_t item = size();
  units_.append(units);
  ends_.push_back(units_.size());
  by_hash_.emplace(hash, item);
  return {item, true};
}

}  // namespace leitong
