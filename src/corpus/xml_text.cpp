#include "corpus/xml_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
constexpr std::size_t kLongestName = 10;

/// Appends what a reference means; false if it is none.
bool append_reference(std::string_view name, std::string& out) {
  for (const auto& [entity, character] : kEntities)
    if (name == entity) {
      out += character;
      return true;
    }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const bool is_hex = name.starts_with('x') || name.starts_with('X');
  if (is_hex) name.remove_prefix(1);
  unsigned point = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), point, is_hex ? 16 : 10);
  const bool is_whole = error == std::errc{} && end == name.data() + name.size();
  if (!is_whole || point == 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return false;
  std::array<char, 4> utf8{};
  out.append(utf8.data(), encode_utf8(static_cast<char32_t>(point), utf8.data()));
  return true;
}

}  // namespace

std::string_view unescape_xml(std::string_view raw, std::string& buffer) {
  std::size_t mark = raw.find('&');
  if (mark == std::string_view::npos) return raw;
  buffer.clear();
  std::size_t at = 0;
  for (; mark != std::string_view::npos; mark = raw.find('&', at)) {
    buffer += raw.substr(at, mark - at);
    const std::size_t end = raw.substr(0, std::min(raw.size(), mark + kLongestName + 2)).find(';', mark);
    at = mark + 1;
    if (end != std::string_view::npos && append_reference(raw.substr(at, end - at), buffer))
      at = end + 1;
    else
      buffer += '&';
  }
  buffer += raw.substr(at);
  return buffer;
}

}  // namespace leitong
