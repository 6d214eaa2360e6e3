// What the join by rarity needs to know about the keys of the scheme "default".
#pragma once

#include <cstdint>

#include "index/rarity_weights.hpp"
#include "scheme/key_tiers.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {

[[nodiscard]] inline KeyTiers winnowed_tiers() {
  return {kShortKeysBelow,
          // Winnowing chooses 2 of every window + 1 shingles (Schleimer et al. 2003, section 3.2).
          [](std::uint32_t a, std::uint32_t b) {
            return 2.0 * a / ((b < kShortKeysBelow ? kShortKeyWindow : long_key_window(b)) + 1);
          },
          [](std::uint32_t a, std::uint32_t b) {
            return b < kShortKeysBelow ? 1.0 : (long_key_window(a) + 1.0) / (long_key_window(b) + 1.0);
          }};
}

/// From so many documents on, a shared key may be part of a template; 0 where templates are not looked for.
[[nodiscard]] constexpr std::uint32_t frame_of(bool templates, bool sites) noexcept {
  if (!templates) return 0;
  return sites ? TemplateRule::kSiteFamilies : TemplateRule::kFamilies;
}

}  // namespace leitong
