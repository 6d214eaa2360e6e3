#include "online/covered.hpp"

#include "text/signs.hpp"

namespace leitong::online {

Loss LossOfText::find(const View& view, const Folding& folding, const WrittenText& text,
                      const WrittenText& match) {
  if (text.shingled.has_units_of(match.shingled))
    return {.other_signs = signs_hash(text.bytes, folding) != signs_hash(match.bytes, folding)};
  const std::span<const Unit> units = text.shingled.units();
  const std::span<const std::uint32_t> shingles = text.shingled.ordered(), others = match.shingled.ordered();
  mark_template_units(shingles, text.shingled.templates(view).templates, units.size(), in_template_);
  ShinglePlaces places(others);
  const LossFound found = finder_.find({units, shingles, in_template_, own_units(units.size(), in_template_)},
                                       {match.shingled.units(), others, {}, 1}, places);
  return loss_of(found, text.bytes, match.bytes, folding);
}

}  // namespace leitong::online
