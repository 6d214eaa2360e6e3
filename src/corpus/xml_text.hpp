// Character data of XML.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Replaces the five entities of XML and references by number. What is no such reference stays as it is.
/// Returns `raw` itself if it has none, else `buffer`.
[[nodiscard]] std::string_view unescape_xml(std::string_view raw, std::string& buffer);

}  // namespace leitong
