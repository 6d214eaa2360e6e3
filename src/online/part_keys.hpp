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

/// The keys of pieces: shorter shingles than those of passages, which edits of a copied part leave more
/// often.
inline constexpr std::size_t kPieceUnits = 12, kPieceWindow = 16;
/// From so many holders on a key is common: as many works hold what it covers, which is a template.
inline constexpr std::uint32_t kCommonPart = TemplateRule::kFamilies;

/// Distinct winnowed keys of a text, of which all are posted and looked up: first those of passages, of
/// kPassageKeyUnits units in windows of kPassageWindow, then those of pieces. So two texts that share a run
/// of kPassageUnits units share a key of a passage, and with a run of kPieceUnits + kPieceWindow - 1 one of a
/// piece. Which shingles are chosen is secret.
struct PartKeys {
  std::vector<Key> keys;
  std::vector<std::uint32_t> places;  ///< of the first unit of each
  std::size_t of_passages = 0;        ///< the number of keys of passages

  void clear() noexcept {
    keys.clear();
    places.clear();
    of_passages = 0;
  }
  [[nodiscard]] std::size_t units_of(std::size_t key) const noexcept {
    return key < of_passages ? kPassageKeyUnits : kPieceUnits;
  }
};

/// Replaces `result`. O(n log n) for the keys.
void make_part_keys(std::span<const Unit> units, const Secret& secret, KeyScratch& scratch, PartKeys& result);

}  // namespace leitong::online
