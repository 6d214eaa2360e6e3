// The part of a text that is its own, once its templates are known.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {

/// `ordered` are the shingles of the text in its order; `shingles` is the number of distinct ones;
/// `templates` are the template shingles, ascending, which must not move. O(n), less for texts that are not
/// bare.
[[nodiscard]] OwnText own_text(std::span<const std::uint32_t> ordered, std::size_t shingles,
                               std::span<const std::uint32_t> templates);

/// Removes from `templates` (ascending) the shingles that nowhere in the text lie in a run of template
/// positions that meets `least_run`: they belong to phrases that many texts hold and not to a template. O(n
/// log n) for the positions that stay.
void keep_runs(std::span<const std::uint32_t> ordered, const LeastRun& least_run,
               PodVector<std::uint32_t>& templates);

/// The templates of a text as the second decision sees them. A marked shingle is marked in every text, but if
/// a run is required it may be template in one text and not in another.
struct TemplatesOfText {
  std::span<const std::uint32_t> templates;  ///< ascending
  std::span<const std::uint32_t> marked;     ///< ascending; shingles outside of runs are included
};
/// The number of shingles that both texts hold and that are template in at least one.
[[nodiscard]] std::size_t shared_templates(const TemplatesOfText& a, const TemplatesOfText& b);

}  // namespace leitong
