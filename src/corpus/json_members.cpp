#include "corpus/json_members.hpp"

#include <algorithm>

namespace leitong {

JsonMembers::JsonMembers(std::string_view text) : text_(text) {
  skip_white();
  if (take('[')) {
    closing_ = ']';
  } else if (!take('{')) {
    broken_ = true;
  }
}

void JsonMembers::skip_white() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

bool JsonMembers::take(char c) {
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::optional<JsonMember> JsonMembers::fail() {
  broken_ = true;
  return std::nullopt;
}

/// The inside of the string that begins here.
std::optional<std::string_view> JsonMembers::string() {
  const std::size_t begin = at_ + 1;
  for (std::size_t i = begin;;) {
    i = text_.find_first_of("\"\\", i);
    if (i == std::string_view::npos || i + 1 > text_.size()) return std::nullopt;
    if (text_[i] == '"') {
      at_ = i + 1;
      return text_.substr(begin, i - begin);
    }
    i += 2;
  }
}

std::optional<JsonValue> JsonMembers::value() {
  if (at_ == text_.size()) return std::nullopt;
  const std::size_t begin = at_;
  const char c = text_[at_];
  if (c == '"') {
    const auto inside = string();
    if (!inside) return std::nullopt;
    return JsonValue{JsonKind::string, *inside};
  }
  if (c == '{' || c == '[') {
    std::size_t depth = 0;
    while (true) {
      at_ = text_.find_first_of("\"{}[]", at_);
      if (at_ == std::string_view::npos) {
        at_ = text_.size();
        return std::nullopt;
      }
      const char bracket = text_[at_];
      if (bracket == '"') {
        if (!string()) return std::nullopt;
        continue;
      }
      ++at_;
      if (bracket == '{' || bracket == '[')
        ++depth;
      else if (--depth == 0)
        break;
    }
    return JsonValue{c == '{' ? JsonKind::object : JsonKind::array, text_.substr(begin, at_ - begin)};
  }
  at_ = std::min(text_.find_first_of(",:{}[]\" \t\r\n", at_), text_.size());
  if (at_ == begin) return std::nullopt;
  const std::string_view token = text_.substr(begin, at_ - begin);
  return JsonValue{scalar_kind(token), token};
}

std::optional<JsonMember> JsonMembers::next() {
  if (broken_ || ended_) return std::nullopt;
  skip_white();
  if (take(closing_)) {
    if (!first_) return fail();  // after a comma
    ended_ = true;
    return std::nullopt;
  }
  first_ = false;
  JsonMember member;
  if (closing_ == '}') {
    if (at_ == text_.size() || text_[at_] != '"') return fail();
    const auto key = string();
    if (!key) return fail();
    member.key = *key;
    skip_white();
    if (!take(':')) return fail();
    skip_white();
  }
  const auto found = value();
  if (!found) return fail();
  member.value = *found;
  skip_white();
  if (take(',')) return member;
  if (!take(closing_)) return fail();
  ended_ = true;
  return member;
}

}  // namespace leitong
