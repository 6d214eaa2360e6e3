// The decision rule over exact overlaps: when two texts are "the same".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/pair.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The rule. If `measure` is unset it is the default rule: a Jaccard value of at least t(n), or for texts
/// that are long enough a containment of at least 0.70; both must be higher if only template keys found the
/// pair. n is the number of distinct shingles of the smaller document.
struct Rule {
  std::optional<Measure> measure;  ///< jaccard, containment or edit alone, at `threshold`
  double threshold = 0;            ///< used with `measure`
  double jaccard_short = .35;      ///< t(n) up to n = 100
  double jaccard_long = .40;       ///< t(n) rises with log n to this value at n = 300
  double containment = .70;
  /// The least values of pairs that only common keys found (Candidate::template_only).
  double template_jaccard = .60;
  double template_containment = .90;
  std::uint32_t containment_min = 64;  ///< the least n for which containment counts
  std::uint32_t containment_max =
      256'000;                      ///< the most distinct shingles of the larger document for which it counts
  std::uint32_t shingle_units = 5;  ///< units of a shingle; the values above are for five
  /// Two texts are similar as well if they share a run of at least so many units that is not template. If
  /// this is 0, runs do not count.
  std::uint32_t passage_units = 0;
  /// True if passages that no third text holds can make a pair that the measures refuse (template_rule.hpp).
  bool rare_text = true;

  bool operator==(const Rule&) const = default;

  /// Returns t(n).
  [[nodiscard]] double jaccard_at_least(double n) const noexcept;

  /// True if two documents of these sizes could be similar, whatever they hold. Sizes are distinct shingles,
  /// or units for the edit measure. Refuses exactly the pairs that no overlap would make similar.
  [[nodiscard]] bool reachable(std::size_t na, std::size_t nb) const noexcept;

  /// reachable() if only the numbers of units are known, to refuse candidates before their texts are read.
  /// Repetition can reduce the distinct shingles of a text by any amount, so this assumes that at least a
  /// sixteenth of the longer text's shingles are distinct. Never refuses a pair for which this is true; an
  /// endless loop of one sentence may be refused against that sentence.
  [[nodiscard]] bool worth_verifying(std::size_t units_a, std::size_t units_b) const noexcept;

  /// The least number of common shingles with which decide() accepts two sets of these sizes; nothing if no
  /// number suffices.
  [[nodiscard]] std::optional<std::size_t> shared_needed(std::size_t na, std::size_t nb,
                                                         bool template_only) const noexcept;

  /// A lower bound of shared_needed() if only the numbers of units are known. Makes the same assumption, and
  /// assumes no repetition in the shorter text.
  [[nodiscard]] std::optional<std::size_t> shared_needed_of_units(std::size_t units_a,
                                                                  std::size_t units_b) const noexcept;

  /// The least part of the smaller set that any two similar sets share; for joins that enumerate all pairs.
  [[nodiscard]] double least_share() const noexcept;

  /// The deciding measure with its value, or nothing. `shared` of `na` and `nb` distinct shingles are common.
  /// The edit measure is not decided by shingles, so the result for it is always nothing (compare
  /// edit_similarity() with `threshold`).
  [[nodiscard]] std::optional<VerifiedPair> decide(const Candidate& candidate, std::size_t shared,
                                                   std::size_t na, std::size_t nb) const noexcept;
};

/// A rule of one measure alone, for texts of any length.
[[nodiscard]] Rule rule_of_measure(Measure measure, double threshold) noexcept;
/// A rule that makes fewer pairs of different works on one subject: it requires more, and rare passages alone
/// make no pair.
[[nodiscard]] Rule strict_rule() noexcept;
/// A rule for texts of which a part was copied: containment, or a passage that is not template.
[[nodiscard]] Rule reuse_rule() noexcept;

/// Marks the pair as decided by a passage of so many units. `n` is the number of distinct shingles of the
/// smaller set.
void set_passage(VerifiedPair& pair, std::size_t units, std::size_t n) noexcept;

/// The pair with its measures, as if Jaccard had decided it. `shared` of `na` and `nb` distinct shingles are
/// common. REQUIRES na, nb > 0.
[[nodiscard]] VerifiedPair measured(const Candidate& candidate, std::size_t shared, std::size_t na,
                                    std::size_t nb) noexcept;

}  // namespace leitong
