// What would be lost if a text left for another one: the loss has a direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/loss.hpp"
#include "base/pod_vector.hpp"
#include "similarity/edit.hpp"
#include "similarity/name_change.hpp"
#include "similarity/shingle_places.hpp"
#include "text/units.hpp"

namespace leitong {

/// A stretch of at least so many units that the other text lacks is *long*: a passage rather than an edit.
inline constexpr std::uint32_t kLongStretch = 24;
/// A text in the form that the search for losses needs.
struct LossText {
  std::span<const Unit> units;
  std::span<const std::uint32_t> shingles;  ///< shingle_hashes() of the units
  std::span<const std::uint8_t>
      in_template;    ///< for each unit: 1 if a template shingle covers it; empty: none
  std::uint32_t own;  ///< own_units()
};

/// The number of units of a text outside of templates, but at least a tenth of all units and at least 1.
[[nodiscard]] std::uint32_t own_units(std::size_t units, std::span<const std::uint8_t> in_template) noexcept;

/// Fills `in_template` for a text of so many units. `templates` are those of its shingles that belong to a
/// template, ascending. O(n).
void mark_template_units(std::span<const std::uint32_t> shingles, std::span<const std::uint32_t> templates,
                         std::size_t units, PodVector<std::uint8_t>& in_template);

/// What `text` has and `other` lacks, and where a name changes.
struct LossFound {
  Loss loss;
  /// The number of occurrences of the replacement that NameChanges::most() finds.
  std::uint32_t name_changes = 0;
  /// The first unit of each text that the other one lacks, if a name changes; UINT32_MAX if it is not among
  /// the first kTitleUnits.
  std::uint32_t first_lacking = UINT32_MAX, first_lacking_other = UINT32_MAX;
};

/// Completes the loss by the titles of the two texts, which decide whether a name changes in the title as
/// well. REQUIRES valid UTF-8.
[[nodiscard]] Loss loss_of(const LossFound& found, std::string_view text, std::string_view other,
                           const Folding& folding = {});

/// Consecutive units of a text that the other one lacks, or that are reworded there.
struct LostStretch {
  std::uint32_t begin, end;
  bool reworded;
};

/// Finds losses. Keeps working space, so each thread needs its own.
///
/// 1. Each run of units that no shared shingle covers lies in a gap between two shingles that occur once in
/// the other text. The gap is aligned with the text between these two in the other one by the fewest edits
/// (Levenshtein 1965), if both are similar enough (1 - d / length >= 0.34, or at most four units) and not too
/// long (lengths whose product is at most 400,000). Then equal units are there, and the others are reworded.
///
/// 2. Any other unit is there if a shared shingle covers it, wherever that is in the other text. It does not
/// count if only a template shingle covers it. Otherwise it is lost.
///
/// O(n) expected, plus the products of the lengths of what is aligned.
class LossFinder {
 public:
  /// `places` are those of the shingles of `other`.
  [[nodiscard]] LossFound find(const LossText& text, const LossText& other, const ShinglePlaces& places);
  /// Everything that the last find() found lost or reworded, in the order of the text. O(n).
  [[nodiscard]] std::vector<LostStretch> stretches() const;

 private:
  enum class State : std::uint8_t { lost, there, no_text, reworded };
  /// Shingles of the text, and where they stand in the other one, in the same order. If a shingle occurs
  /// several times there, the place is any of them.
  struct Stretch {
    std::uint32_t begin, end, place;
  };
  /// Units that no shared shingle covers, and the stretch that follows them.
  struct Run {
    std::uint32_t begin, end;
    std::size_t next;
  };
  struct Gap {
    std::uint32_t begin, end, other_begin, other_end;
  };

  void cover(const LossText& text, const ShinglePlaces& places);
  [[nodiscard]] bool find_gap(const LossText& text, const LossText& other, const ShinglePlaces& places,
                              const Run& run, Gap& gap);
  void align(const LossText& text, const LossText& other, const Gap& gap);
  [[nodiscard]] Loss count(const LossText& text) const;

  std::vector<Stretch> stretches_;
  std::vector<Run> runs_;
  // The last shingle that find_gap() has found before a run and that occurs once in the other text (1 + its
  // place in the text; 0: none), its place there, and the number of stretches that were searched.
  std::uint32_t anchor_ = 0, anchor_place_ = 0;
  std::size_t searched_ = 0;
  std::vector<State> state_;  // for each unit of the text
  std::uint32_t reworded_ = 0;
  EditPath path_;
  std::vector<bool> title_there_;  // for the first units of the other text: aligned with equal ones
  NameChanges names_;
};

}  // namespace leitong
