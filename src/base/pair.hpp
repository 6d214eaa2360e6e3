// The values that travel from candidate search to clusters.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong {

/// Number of an accepted document, counted from 0 in input order. The largest value stands for "none".
using DocId = std::uint32_t;
inline constexpr DocId kNoDocument = UINT32_MAX;

/// Two documents worth a look. REQUIRES a < b.
struct Candidate {
  DocId a = 0;
  DocId b = 0;
  float score = 0;             ///< the method's own estimate; shown only where nothing is verified
  bool template_only = false;  ///< all that led here is common to many documents: the rule asks for more
  /// Of the keys of one of the two, in 1/255 and at least 1, those that several documents hold, which may be
  /// a template. 0 where that says nothing of the pair, or where the two share nothing that is rarer.
  std::uint8_t frame = 0;
  static constexpr std::uint8_t kAnyFrame = UINT8_MAX;  ///< where nothing is known of the keys
  bool passage = false;  ///< they share a long shingle, and so perhaps a passage (Rule::passage_units)
};

/// The order in which candidates are decided, that of goes_before() for pairs.
[[nodiscard]] constexpr bool by_documents(const Candidate& x, const Candidate& y) noexcept {
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

/// Which measure decided a pair; the names in every output.
/// own_text: the rule, on the texts without their templates; rare_text: the part of all shingles that the two
/// share and no third text holds; passage: the part of the shorter text that is in the longest passage that
/// the two share; cosine: of the vectors that the user brought. The later ones are the less ordinary.
/// identical: the same text (text/signs.hpp); copy: another text of the same units.
enum class Measure : std::uint8_t {
  jaccard,
  containment,
  edit,
  identical,
  estimate,
  own_text,
  rare_text,
  passage,
  cosine,
  copy
};

[[nodiscard]] constexpr std::string_view measure_name(Measure measure) noexcept {
  switch (measure) {
    case Measure::jaccard:
      return "jaccard";
    case Measure::containment:
      return "containment";
    case Measure::edit:
      return "edit";
    case Measure::identical:
      return "identical";
    case Measure::estimate:
      return "estimate";
    case Measure::own_text:
      return "own_text";
    case Measure::rare_text:
      return "rare_text";
    case Measure::passage:
      return "passage";
    case Measure::cosine:
      return "cosine";
    case Measure::copy:
      return "copy";
  }
  return "estimate";
}

/// What the second decision saw of a pair (similarity/template_rule.hpp). All 0 where it was not asked.
struct WithoutTemplate {
  float jaccard = 0;           ///< of the two texts without their templates
  float containment = 0;       ///< the same
  float template_share = 0;    ///< of the shingles that the two share: template
  float rare_share = 0;        ///< of the shingles that the two share: in no text of a third family
  std::uint32_t families = 0;  ///< that usually hold a template shingle of the one with the rarer templates

  /// Was the pair decided a second time?
  [[nodiscard]] bool asked() const noexcept { return jaccard > 0 || template_share > 0 || rare_share > 0; }
};

/// How a pair stands where templates are looked for. `ordinary`: the rule accepts it, or nobody looks.
/// same_work: it does, and the two are edited copies or reprints of one work. `aside`: the rule refuses it,
/// but the second decision may not. `settled`: the rule accepts it, and neither of the two holds so much of
/// what several documents hold that the second decision would not. `doubtful`: both decisions accept it, but
/// what the two share may be a template that only the pages of one site tell. Of one pair that is found twice
/// the last of these counts.
enum class Footing : std::uint8_t { ordinary, same_work, aside, settled, doubtful };

/// Two documents that the rule calls similar, with the true values. a < b.
struct VerifiedPair {
  DocId a = 0;
  DocId b = 0;
  float jaccard = 0;      ///< |A n B| / |A u B| over 5-unit shingles
  float containment = 0;  ///< |A n B| / min(|A|, |B|)
  float score = 0;        ///< value of `measure`, or the method's estimate where nothing was verified
  Measure measure = Measure::jaccard;
  Footing footing = Footing::ordinary;
  WithoutTemplate own = {};
  std::uint16_t passage_units = 0;  ///< of Measure::passage, templates left out; 65,535 and more are one
};

/// What is said of two copies of one text.
[[nodiscard]] constexpr VerifiedPair copies_of_one(DocId a, DocId b, bool same_text) noexcept {
  return {a, b, 1, 1, 1, same_text ? Measure::identical : Measure::copy};
}
/// Was a pair decided by the whole texts at once, without a measure?
[[nodiscard]] constexpr bool are_copies(Measure measure) noexcept {
  return measure == Measure::identical || measure == Measure::copy;
}

}  // namespace leitong
