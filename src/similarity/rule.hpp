// When are two texts "the same"? The decision rule over exact overlaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/pair.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The rule. With `measure` unset it is the default: Jaccard at least t(n), or containment at least .70 for
/// texts that are long enough, and more of both where only template keys led to the pair. n is the number of
/// distinct shingles of the smaller document.
struct Rule {
  std::optional<Measure> measure;  ///< jaccard, containment or edit alone, at `threshold`
  double threshold = 0;            ///< used with `measure`
  double jaccard_short = .35;      ///< t(n) up to n = 100 ..
  double jaccard_long = .40;       ///< .. rising with log n to this at n = 300
  double containment = .70;
  double template_jaccard = .60;  ///< asked of pairs that only common keys lead to (Candidate::template_only)
  double template_containment = .90;
  std::uint32_t containment_min = 64;  ///< n from which containment counts
  std::uint32_t containment_max =
      256'000;                      ///< distinct shingles of the largest larger document for which it counts
  std::uint32_t shingle_units = 5;  ///< units of a shingle; the figures above are for five
  /// Two texts are similar, too, if they share a run of so many units that isn't template; 0: runs don't
  /// count.
  std::uint32_t passage_units = 0;
  /// May passages that no third text holds make a pair that the measures refuse (template_rule.hpp)?
  bool rare_text = true;

  bool operator==(const Rule&) const = default;

  /// t(n).
  [[nodiscard]] double jaccard_at_least(double n) const noexcept;

  /// Could two documents of these sizes be similar, whatever they hold? Sizes are distinct shingles, or units
  /// for the edit measure. Refuses exactly the pairs that no overlap would make similar.
  [[nodiscard]] bool reachable(std::size_t na, std::size_t nb) const noexcept;

  /// reachable() where only the numbers of units are known, for the refusal of candidates before their texts
  /// are read. Repetition makes a text's distinct shingles fewer than its units by any amount, so this rests
  /// on an assumption: at least a sixteenth of the longer text's shingles are distinct. Never refuses a pair
  /// of which that is true; an endless loop of one sentence may be refused against that sentence.
  [[nodiscard]] bool worth_verifying(std::size_t units_a, std::size_t units_b) const noexcept;

  /// Smallest number of common shingles with which decide() accepts two sets of these sizes; nothing where
  /// none does.
  [[nodiscard]] std::optional<std::size_t> shared_needed(std::size_t na, std::size_t nb,
                                                         bool template_only) const noexcept;

  /// A lower bound of shared_needed() where only the numbers of units are known, with the same assumption and
  /// without repetition in the shorter text.
  [[nodiscard]] std::optional<std::size_t> shared_needed_of_units(std::size_t units_a,
                                                                  std::size_t units_b) const noexcept;

  /// The part of the smaller set that any two similar sets share at least; for joins that enumerate all
  /// pairs.
  [[nodiscard]] double least_share() const noexcept;

  /// The deciding measure with its value, or nothing. `shared` of `na` and `nb` distinct shingles are common.
  /// The edit measure isn't decided by shingles: nothing, always (compare edit_similarity() with
  /// `threshold`).
  [[nodiscard]] std::optional<VerifiedPair> decide(const Candidate& candidate, std::size_t shared,
                                                   std::size_t na, std::size_t nb) const noexcept;
};

/// One measure alone, of texts of any length.
[[nodiscard]] Rule rule_of_measure(Measure measure, double threshold) noexcept;
/// Fewer pairs of different works on one subject: more is asked, and rare passages alone make no pair.
[[nodiscard]] Rule strict_rule() noexcept;
/// Texts of which a part was copied: containment, or a passage that isn't template.
[[nodiscard]] Rule reuse_rule() noexcept;

/// Says that a passage of so many units made the pair. `n`: distinct shingles of the smaller set.
void set_passage(VerifiedPair& pair, std::size_t units, std::size_t n) noexcept;

/// The pair with its measures filled in, as if Jaccard had decided it. `shared` of `na` and `nb` distinct
/// shingles are common; REQUIRES na, nb > 0.
[[nodiscard]] VerifiedPair measured(const Candidate& candidate, std::size_t shared, std::size_t na,
                                    std::size_t nb) noexcept;

}  // namespace leitong
