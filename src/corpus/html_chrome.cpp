#include "corpus/html_chrome.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace leitong {
namespace {

constexpr std::array<std::string_view, 2> kMainElements{"main", "article"};
constexpr std::array<std::string_view, 2> kChromeElements{"nav", "footer"};
// WAI-ARIA landmarks.
constexpr std::array<std::string_view, 8> kChromeRoles{
    "navigation", "contentinfo", "banner", "complementary", "search", "dialog", "alertdialog", "menu"};
// Beginnings or endings of words in a class or id. Words are separated by "-", "_" and capitals.
constexpr std::array<std::string_view, 22> kChromeWords{
    "nav",        "navbar",  "navigation", "navheader", "navfooter", "navpath", "navpanel",   "navlinks",
    "menu",       "menubar", "sidebar",    "sidenav",   "topnav",    "footer",  "breadcrumb", "breadcrumbs",
    "pagination", "pager",   "cookie",     "cookies",   "consent",   "skiplink"};
// Words that say that the element is laid out beside such a part.
constexpr std::array<std::string_view, 6> kLayoutWords{"has", "with", "no", "without", "is", "layout"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// Does one name of a class or id, such as "side-nav" or "topNav", mark chrome?
bool names_chrome(std::string_view name) {
  bool chrome = false;
  std::string word;
  const auto end_word = [&] {
    const bool layout = among(kLayoutWords, word);
    chrome |= among(kChromeWords, word) || word.ends_with("sidebar") || word.ends_with("footer");
    word.clear();
    return !layout;
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_upper(c) && !is_lower(c)) {
      if (!word.empty() && !end_word()) return false;
      continue;
    }
    if (is_upper(c) && i > 0 && is_lower(name[i - 1]) && !end_word()) return false;
    word += is_upper(c) ? static_cast<char>(c + 32) : c;
  }
  return (word.empty() || end_word()) && chrome;
}

bool any_names_chrome(std::string_view value) {
  while (!value.empty()) {
    const std::size_t end = std::min(value.find_first_of(" \t\r\n\f"), value.size());
    if (names_chrome(value.substr(0, end))) return true;
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return false;
}

}  // namespace

HtmlRole html_role(std::string_view element, const unsigned char** attributes) {
  if (among(kMainElements, element)) return HtmlRole::main;
  // Marks on the whole page do not count; headings name content, whatever their class.
  const bool is_page = element == "html" || element == "body";
  bool chrome = among(kChromeElements, element);
  for (; attributes != nullptr && attributes[0] != nullptr; attributes += 2) {
    if (attributes[1] == nullptr) continue;
    const std::string_view name = reinterpret_cast<const char*>(attributes[0]);
    const std::string_view value = reinterpret_cast<const char*>(attributes[1]);
    if (name == "role") {
      if (value == "main" || value == "article") return HtmlRole::main;
      chrome |= among(kChromeRoles, value);
    } else if ((name == "class" || name == "id") && !is_page) {
      chrome |= any_names_chrome(value);
    }
  }
  return chrome ? HtmlRole::chrome : HtmlRole::plain;
}

}  // namespace leitong
