#include "dedup/content_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>

#include "text/signs.hpp"

namespace leitong {

std::uint64_t content_hash(std::string_view text, std::span<const Unit> units, std::uint64_t seed) noexcept {
  if (units.empty()) return XXH3_64bits_withSeed(text.data(), text.size(), seed);
  const std::uint64_t of_units = XXH3_64bits_withSeed(units.data(), units.size_bytes(), seed);
  const std::uint64_t of_signs = signs_hash(text);
  if (of_signs == 0) return of_units;
  const std::array<std::uint64_t, 2> both{of_units, of_signs};
  return XXH3_64bits_withSeed(both.data(), sizeof both, seed);
}

}  // namespace leitong
