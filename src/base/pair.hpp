// The values that are passed from candidate search to clusters.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong {

/// Number of an accepted document, counted from 0 in input order. The largest value means "none".
using DocId = std::uint32_t;
inline constexpr DocId kNoDocument = UINT32_MAX;

/// Two documents that are worth a comparison. REQUIRES a < b.
struct Candidate {
  DocId a = 0;
  DocId b = 0;
  float score = 0;  ///< the method's own estimate; shown only if nothing is verified
  /// The pair was found only by what many documents share: the rule asks for more.
  bool template_only = false;
  /// The share of the keys of one of the two, in 1/255 and at least 1, that several documents hold and that
  /// may be a template. 0 if it does not apply, or if the two share nothing rarer.
  std::uint8_t frame = 0;
  static constexpr std::uint8_t kAnyFrame = UINT8_MAX;  ///< the keys are not known
  bool passage = false;  ///< they share a long shingle, and so perhaps a passage (Rule::passage_units)
};

/// The order in which candidates are decided, that of goes_before() for pairs.
[[nodiscard]] constexpr bool by_documents(const Candidate& x, const Candidate& y) noexcept {
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

/// The measure that decided a pair; these names are in every output. own_text: the rule, on the texts without
/// their templates; rare_text: the share of all shingles that both texts and no third text hold; passage: the
/// share of the shorter text that lies in the longest shared passage; cosine: of the user's vectors. Later
/// ones are less ordinary. identical: the same text (text/signs.hpp); copy: another text with the same units.
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

/// The results of the second decision of a pair (similarity/template_rule.hpp). All 0 if there was none.
struct WithoutTemplate {
  float jaccard = 0;           ///< of the two texts without their templates
  float containment = 0;       ///< for the two texts without their templates
  float template_share = 0;    ///< share of template among the shared shingles
  float rare_share = 0;        ///< share of the shared shingles that are in no text of a third family
  std::uint32_t families = 0;  ///< that usually hold a template shingle of the text with the rarer templates

  /// Was the pair decided a second time?
  [[nodiscard]] bool asked() const noexcept { return jaccard > 0 || template_share > 0 || rare_share > 0; }
};

/// The state of a pair if templates are looked for. `ordinary`: the rule accepts it, or templates are not
/// looked for. `same_work`: the rule accepts it, and the two are edited copies or reprints of one work.
/// `aside`: the rule refuses it, but the second decision may accept it. `settled`: the rule accepts it, and
/// neither text holds so much of what several documents hold that the second decision would refuse it.
/// `doubtful`: both decisions accept it, but what the two share may be a template that is only recognised by
/// the pages of one site. If a pair is found twice, the last of these values counts.
enum class PairStanding : std::uint8_t { ordinary, same_work, aside, settled, doubtful };

/// Two documents that the rule calls similar, with the true values. a < b.
struct VerifiedPair {
  DocId a = 0;
  DocId b = 0;
  float jaccard = 0;      ///< |A n B| / |A u B| over 5-unit shingles
  float containment = 0;  ///< |A n B| / min(|A|, |B|)
  float score = 0;        ///< value of `measure`, or the method's estimate if nothing was verified
  Measure measure = Measure::jaccard;
  PairStanding standing = PairStanding::ordinary;
  WithoutTemplate own = {};
  std::uint16_t passage_units = 0;  ///< of Measure::passage, without templates; larger values are 65,535
};

/// The values of two copies of one text.
[[nodiscard]] constexpr VerifiedPair copies_of_one(DocId a, DocId b, bool same_text) noexcept {
  return {a, b, 1, 1, 1, same_text ? Measure::identical : Measure::copy};
}
/// Was a pair decided by comparing the whole texts for equality?
[[nodiscard]] constexpr bool are_copies(Measure measure) noexcept {
  return measure == Measure::identical || measure == Measure::copy;
}

}  // namespace leitong
