#include "similarity/overlap.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>

#include "feature/shingles.hpp"
#include "leitong/utf8.hpp"
#include "similarity/bar.hpp"
#include "similarity/intersect.hpp"
#include "similarity/noise.hpp"
#include "text/signs.hpp"

namespace leitong {
Result<void> check_compared(std::string_view name, std::string_view text) {
  if (text.size() > kMaxComparedBytes)
    return fail(ErrorCode::limit, fmt::format("{} has {} bytes; texts of at most {} can be compared", name,
                                              text.size(), kMaxComparedBytes));
  if (simdjson::validate_utf8(text.data(), text.size())) return {};
  std::size_t at = 0;
  for (DecodedPoint point; point = decode_utf8(text, at), point.valid;) at += point.length;
  return fail(ErrorCode::corrupt, fmt::format("{} isn't UTF-8 at byte {}; convert it first", name, at));
}

void ComparedFeatures::take(std::string_view text, const Folding& folding,
                            PodVector<std::uint32_t>& scratch) {
  to_units(text, folding, units);
  shingle_set(units, shingles, scratch);
  this->text = text;
  this->folding = folding;
}

Overlap overlap_of(const ComparedFeatures& text, const ComparedFeatures& other) {
  const std::size_t own = text.shingles.size(), others = other.shingles.size();
  Overlap overlap{.shingles = others, .shared_shingles = intersection_size(text.shingles, other.shingles)};
  const bool same_units = std::ranges::equal(text.units, other.units);
  overlap.identical = same_units && same_text(text.text, other.text);
  // Texts that are empty after folding are copies only if they are identical.
  if (overlap.identical || (same_units && !text.units.empty())) {
    overlap.jaccard = overlap.containment = overlap.other_containment = 1;
    overlap.similar_by = measure_name(overlap.identical ? Measure::identical : Measure::copy);
    overlap.other_signs =
        !overlap.identical && signs_hash(text.text, text.folding) != signs_hash(other.text, text.folding);
    return overlap;
  }
  overlap.jaccard = share(overlap.shared_shingles, own + others - overlap.shared_shingles);
  overlap.containment = share(overlap.shared_shingles, own);
  overlap.other_containment = share(overlap.shared_shingles, others);
  if (const auto pair = Rule{}.decide({}, overlap.shared_shingles, own, others))
    overlap.similar_by = measure_name(pair->measure);
  else if (noisy_likeness(text.units, text.shingles, other.units, other.shingles, overlap.shared_shingles) >
           0)
    overlap.similar_by = measure_name(Measure::edit);
  return overlap;
}

}  // namespace leitong
