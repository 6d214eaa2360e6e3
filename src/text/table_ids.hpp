// Digests of the tables that decide how text is processed, in addition to fold_table_id() of text/units.hpp.
// Results of different tables cannot be compared.
#pragma once

#include <cstdint>

namespace leitong {

/// The digest of the table that cuts words, and of ICU, whose dictionaries cut scripts without spaces.
[[nodiscard]] std::uint64_t word_table_id();

/// The digest of the table that normalises text by the default options.
[[nodiscard]] std::uint64_t normal_table_id();

}  // namespace leitong
