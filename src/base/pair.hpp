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
};

/// The order in which candidates are decided, that of goes_before() for pairs.
[[nodiscard]] constexpr bool by_documents(const Candidate& x, const Candidate& y) noexcept {
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

/// Which measure decided a pair; the names in every output.
enum class Measure : std::uint8_t { jaccard, containment, edit, identical, estimate };

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
  }
  return "estimate";
}

/// Two documents that the rule calls similar, with the true values. a < b.
struct VerifiedPair {
  DocId a = 0;
  DocId b = 0;
  float jaccard = 0;      ///< |A n B| / |A u B| over 5-unit shingles
  float containment = 0;  ///< |A n B| / min(|A|, |B|)
  float score = 0;        ///< value of `measure`, or the method's estimate where nothing was verified
  Measure measure = Measure::jaccard;
};

}  // namespace leitong
