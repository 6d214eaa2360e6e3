// What an element's name and attributes say about its content. Internal to src/corpus.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong {

enum class HtmlRole : std::uint8_t {
  plain,
  main,   ///< the content, by HTML's own words
  chrome  ///< navigation, footers, notices: by element, role, or a telling class or id
};

/// `attributes` as libxml2 hands them out: names and values in turn, ended by a null name; may be null.
[[nodiscard]] HtmlRole html_role(std::string_view element, const unsigned char** attributes);

}  // namespace leitong
