// The keys by which texts with a common part are found, for an index that looks for parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "online/text_keys.hpp"
#include "scheme/overlap_keys.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {

/// Keys are shingles of so many units, a little longer than those of the measures.
inline constexpr std::size_t kPieceUnits = 8, kPieceWindow = 8;
/// The share of the shingles of a text that winnowing chooses (Schleimer et al. 2003, section 3.2).
inline constexpr double kPieceDensity = 2.0 / (kPieceWindow + 1);
/// From the first to the last place that winnowing chooses in a run of kPassageUnits units there are at least
/// so many.
inline constexpr std::size_t kPieceSpan = kPassageUnits - kPieceUnits - 2 * (kPieceWindow - 1);
/// A key with so many holders is common: so many works hold its shingle, which is therefore a template.
inline constexpr std::uint32_t kCommonPart = TemplateRule::kFamilies;

/// Distinct winnowed keys of a text, in its order, of which all are posted and looked up. So two texts that
/// share a run of kPieceUnits + kPieceWindow - 1 units share a key. Which shingles are chosen is secret.
struct PartKeys {
  std::vector<Key> keys;
  std::vector<std::uint32_t> places;  ///< place of the first unit of each key

  void clear() noexcept {
    keys.clear();
    places.clear();
  }
};

/// Replaces `result`. O(n log n) for the keys.
void make_part_keys(std::span<const Unit> units, const Secret& secret, KeyScratch& scratch, PartKeys& result);

}  // namespace leitong::online
