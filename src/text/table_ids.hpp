// Digests of the tables that decide what becomes of a text, beside fold_table_id() of text/units.hpp: what
// was made by different ones doesn't compare.
#pragma once

#include <cstdint>

namespace leitong {

/// Of the table that cuts words, and of ICU, whose dictionaries cut scripts without spaces.
[[nodiscard]] std::uint64_t word_table_id();

/// Of the table that normalises text by the default options.
[[nodiscard]] std::uint64_t normal_table_id();

}  // namespace leitong
