// What an element's name and attributes say about its content. Internal to src/corpus.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace leitong {

enum class HtmlRole : std::uint8_t {
  plain,
  main,   ///< the content, by HTML's own names
  chrome  ///< navigation, footers, notices: by element, role, or a telling class or id
};

/// `attributes` as libxml2 passes them: alternating names and values, ended by a null name; may be null.
[[nodiscard]] HtmlRole html_role(std::string_view element, const unsigned char** attributes);

template <std::size_t n>
[[nodiscard]] bool among(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace leitong
