// What would be lost if a text left for another one? The directed question that a removal asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/loss.hpp"
#include "base/pod_vector.hpp"
#include "similarity/name_change.hpp"
#include "similarity/shingle_places.hpp"
#include "text/units.hpp"

namespace leitong {

/// Units in a row that the other text lacks, from which they are a *long* lost stretch: a passage rather than
/// an edit.
inline constexpr std::uint32_t kLongStretch = 24;
/// A text, as this question sees it.
struct LossText {
  std::span<const Unit> units;
  std::span<const std::uint32_t> shingles;  ///< shingle_hashes() of the units
  std::span<const std::uint8_t>
      in_template;    ///< of each unit: 1 if a template shingle covers it; empty: none
  std::uint32_t own;  ///< own_units()
};

/// Units of a text that are no template: a tenth of all at least, and 1.
[[nodiscard]] std::uint32_t own_units(std::size_t units, std::span<const std::uint8_t> in_template) noexcept;

/// Fills `in_template` for a text of so many units. `templates`: those of its shingles that are a template,
/// ascending. O(n).
void mark_template_units(std::span<const std::uint32_t> shingles, std::span<const std::uint32_t> templates,
                         std::size_t units, PodVector<std::uint8_t>& in_template);

/// What `text` has and `other` lacks, and where a name changes.
struct LossFound {
  Loss loss;
  /// Of a replacement that recurs from the beginning of both texts on (NameChanges::most()): how often.
  std::uint32_t name_changes = 0;
  /// The first unit of each text that the other one lacks, where a name changes; UINT32_MAX: none of the
  /// first kTitleUnits.
  std::uint32_t first_lacking = UINT32_MAX, first_lacking_other = UINT32_MAX;
};

/// The loss, which the titles of the two texts complete: is there a name that changes from them on? REQUIRES
/// valid UTF-8.
[[nodiscard]] Loss loss_of(const LossFound& found, std::string_view text, std::string_view other,
                           const Folding& folding = {});

/// Units in a row of a text that the other one lacks, or that are reworded there.
struct LostStretch {
  std::uint32_t begin, end;
  bool reworded;
};

/// Finds losses; holds working space. One for each thread.
///
/// 1. Each run of units that no shared shingle covers lies in a gap, between two shingles that stand once in
///    the other text. The gap is aligned with what stands between these there by the least edits (Levenshtein
///    1965), if the two are similar enough (1 - d / length >= .34, or at most four units) and not too long
///    (lengths whose product is 400,000): equal units are there, and the others are reworded.
/// 2. Any other unit is there if a shared shingle covers it, wherever that stands; it does not count if only
/// a
///    template shingle covers it; else it is lost.
///
/// O(n) expected, plus the products of the lengths of what is aligned.
class LossFinder {
 public:
  /// `places`: of the shingles of `other`.
  [[nodiscard]] LossFound find(const LossText& text, const LossText& other, ShinglePlaces& places);
  /// Of the last find(): all that is lost or reworded of the text, in its order. O(n).
  [[nodiscard]] std::vector<LostStretch> stretches() const;

 private:
  enum class State : std::uint8_t { lost, there, no_text, reworded };
  struct Run {
    std::uint32_t begin, end;
  };
  struct Gap {
    std::uint32_t begin, end, other_begin, other_end;
  };

  void cover(const LossText& text, ShinglePlaces& places);
  [[nodiscard]] static bool find_gap(const LossText& text, const LossText& other, ShinglePlaces& places,
                                     const Run& run, Gap& gap);
  void align(const LossText& text, const LossText& other, const Gap& gap);
  [[nodiscard]] Loss count(const LossText& text) const;

  std::vector<Run> runs_;     // of units that no shared shingle covers
  std::vector<State> state_;  // of each unit of the text
  std::uint32_t reworded_ = 0;
  PodVector<std::uint16_t> table_;
  std::vector<bool> title_there_;  // of the first units of the other text: aligned with equal ones
  NameChanges names_;
};

}  // namespace leitong
