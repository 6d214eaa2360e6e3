// What of a text is its own, once its templates are known?
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {

/// `ordered`: the shingles of the text in its order; `shingles`: how many distinct ones it has; `templates`:
/// those of them that are template, ascending, which stay where they are. O(n), less for texts that are not
/// bare.
[[nodiscard]] OwnText own_text(std::span<const std::uint32_t> ordered, std::size_t shingles,
                               std::span<const std::uint32_t> templates);

/// Takes out of `templates` (ascending) what stands nowhere in the text within `least_run` positions of them
/// in a row: phrases that many texts hold, and no template. O(n log n) for the positions that stay.
void keep_runs(std::span<const std::uint32_t> ordered, std::uint32_t least_run,
               PodVector<std::uint32_t>& templates);

/// The templates of a text as the second decision sees them. What has a mark has it in every text; where a
/// run is asked for, some of it is template in one text and not in another one.
struct TemplatesOfText {
  std::span<const std::uint32_t> templates;  ///< ascending
  std::span<const std::uint32_t> marked;     ///< the same, and what stands in no run
};
/// Shingles that both texts hold and that are template in either.
[[nodiscard]] std::size_t shared_templates(const TemplatesOfText& a, const TemplatesOfText& b);

}  // namespace leitong
