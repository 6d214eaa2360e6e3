#include "job/lost_places.hpp"

#include "feature/shingles.hpp"
#include "similarity/shingle_places.hpp"

namespace leitong {

std::vector<LostRange> LostPlaces::find(std::string_view text, std::string_view other, const Loss& loss,
                                        std::span<const ShingleMark> templates, const Folding& folding) {
  std::vector<LostRange> lost;
  if (loss.lost + loss.reworded == 0) return lost;
  to_units_with_places(text, folding, units_, places_);
  other_units_.clear();
  to_units(other, folding, other_units_);
  shingle_hashes(units_, shingles_);
  shingle_hashes(other_units_, other_shingles_);
  template_shingles_.clear();
  for (const ShingleMark& mark : templates)
    if (mark.is_template) template_shingles_.push_back(mark.shingle);
  ShinglePlaces places(other_shingles_);
  const LossText beside{other_units_, other_shingles_, {}, 1};
  // For a text whose pairs were not decided a second time, templates are known only by chance; then templates
  // count as text.
  for (const bool with_templates : {true, false}) {
    in_template_.clear();
    if (with_templates) mark_template_units(shingles_, template_shingles_, units_.size(), in_template_);
    const LossText here{units_, shingles_, in_template_, own_units(units_.size(), in_template_)};
    const Loss found = finder_.find(here, beside, places).loss;
    if (found.own == loss.own || template_shingles_.empty()) break;
  }
  for (const LostStretch& stretch : finder_.stretches())
    lost.push_back({places_[stretch.begin].begin, places_[stretch.end - 1].end, stretch.reworded});
  return lost;
}

}  // namespace leitong
