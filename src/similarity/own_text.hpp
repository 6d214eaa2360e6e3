// What of a text is its own, once its templates are known?
#pragma once

#include <cstdint>
#include <span>

#include "similarity/template_rule.hpp"

namespace leitong {

/// `ordered`: the shingles of the text in its order; `shingles`: how many distinct ones it has; `templates`:
/// those of them that are template, ascending, which stay where they are. O(n), less for texts that are not
/// bare.
[[nodiscard]] OwnText own_text(std::span<const std::uint32_t> ordered, std::size_t shingles,
                               std::span<const std::uint32_t> templates);

}  // namespace leitong
