#include "dedup/content_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace leitong {

std::uint64_t content_hash(std::string_view text, std::span<const Unit> units, std::uint64_t seed) noexcept {
  return units.empty() ? XXH3_64bits_withSeed(text.data(), text.size(), seed)
                       : XXH3_64bits_withSeed(units.data(), units.size_bytes(), seed);
}

}  // namespace leitong
