// The section names that the writer and the reader of restorable files share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/restorable_file.hpp"

namespace leitong {

inline constexpr std::string_view kRestorableKind = "restorable";
inline constexpr std::uint32_t kRestorableVersion = 1;
inline constexpr std::string_view kBlocksSection = "blocks", kBlockEndsSection = "block-ends",
                                  kSourcesSection = "sources", kFactsSection = "facts",
                                  kTablesSection = "tables", kTableEndsSection = "table-ends";

/// Appends one entry of the section of sources.
void pack_source(const RestorableSource& source, std::string& out);

}  // namespace leitong
