#include "corpus/record_fields.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>

namespace leitong {
namespace {

constexpr std::size_t kShownNames = 12;
constexpr std::size_t kShownNameBytes = 40;

/// The length of the UTF-8 sequence at the beginning of `bytes`, and its code point; 0 if it is invalid.
std::size_t decode(std::string_view bytes, char32_t& point) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    point = lead;
    return 1;
  }
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || bytes.size() < length) return 0;
  point = lead & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  return overlong || surrogate || point > 0x10ffff ? 0 : length;
}

bool is_white(char32_t c) noexcept {
  return c == ' ' || (c >= 9 && c <= 13) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200d) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
         c == 0x2060 || c == 0x3000 || c == 0xfeff;
}

}  // namespace

FieldNames::FieldNames(std::string id, std::vector<std::string> texts, std::vector<std::string> extras)
    : texts_end(1 + texts.size()) {
  names.push_back(std::move(id));
  names.insert(names.end(), texts.begin(), texts.end());
  names.insert(names.end(), extras.begin(), extras.end());
}

bool is_blank(std::string_view utf8) noexcept {
  while (!utf8.empty()) {
    char32_t point = 0;
    const std::size_t length = decode(utf8, point);
    if (length == 0 || !is_white(point)) return false;
    utf8.remove_prefix(length);
  }
  return true;
}

std::size_t find_invalid_utf8(std::string_view bytes) noexcept {
  if (simdjson::validate_utf8(bytes)) return std::string_view::npos;
  std::size_t at = 0;
  while (at < bytes.size()) {
    char32_t point = 0;
    const std::size_t length = decode(bytes.substr(at), point);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string repeated_name(std::string_view thing, std::span<std::string_view> names) {
  if (names.size() < 2) return {};
  std::ranges::sort(names, [](std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : std::memcmp(a.data(), b.data(), a.size()) < 0;
  });
  const auto again = std::ranges::adjacent_find(names);
  if (again == names.end()) return {};
  const bool is_short = again->size() <= kShownNameBytes;
  return is_short ? fmt::format("the {} \"{}\" occurs twice", thing, *again)
                  : fmt::format("a {} of {} bytes occurs twice", thing, again->size());
}

std::size_t check_text(std::string_view text, bool utf8_is_known, const FieldNames& names,
                       RecordFields& fields) {
  if (!utf8_is_known) {
    if (const std::size_t at = find_invalid_utf8(text); at != std::string_view::npos) {
      fields.problem = fmt::format("invalid UTF-8 at byte {} of the text", at + 1);
      return at;
    }
  }
  if (const std::size_t at = text.find('\0'); at != std::string_view::npos) {
    fields.problem = fmt::format("the text holds a NUL character at byte {}", at + 1);
    return at;
  }
  if (names.blank_texts) return RecordFields::kNowhere;
  if (text.empty()) {
    fields.problem = "the text is empty";
  } else if (is_blank(text)) {
    fields.problem = "the text is blank (white space only)";
  }
  return RecordFields::kNowhere;
}

std::string missing_field_message(std::string_view thing, std::string_view name,
                                  const std::vector<std::string>& found, std::string_view suggestion) {
  std::string list;
  for (std::size_t i = 0; i < std::min(found.size(), kShownNames); ++i) {
    if (i > 0) list += ", ";
    list += std::string_view(found[i]).substr(0, kShownNameBytes);
    if (found[i].size() > kShownNameBytes) list += "..";
  }
  if (found.size() > kShownNames) list += fmt::format(" and {} more", found.size() - kShownNames);
  std::string message =
      fmt::format("{} \"{}\" is missing (found: {})", thing, name, list.empty() ? "none" : list);
  if (!suggestion.empty()) message += fmt::format("; try the text field {}", suggestion);
  return message;
}

}  // namespace leitong
