// Divides an object or an array of JSON into its members by its quotes and brackets alone.
#pragma once

#include <optional>
#include <string_view>

#include "corpus/json_names.hpp"

namespace leitong {

struct JsonMember {
  std::string_view key;  ///< the inside of its quotes, still escaped; empty in an array
  JsonValue value;       ///< `token` of an object or array: all of it, with its brackets
};

/// Goes through the members of one object or array. What lies inside of a member is not examined, except that
/// quotes and brackets tell where it ends: bytes that are no UTF-8, control characters, unknown escapes and
/// values of no known kind (JsonKind::unknown) are passed on. O(n) for all members.
class JsonMembers {
 public:
  /// `text` begins with { or [, after white space. What follows the closing bracket is left().
  explicit JsonMembers(std::string_view text);
  /// The next member; nothing at the end, and where the structure is broken.
  std::optional<JsonMember> next();
  /// Is a quote, colon, comma or bracket of this object or array missing or misplaced?
  [[nodiscard]] bool broken() const noexcept { return broken_; }
  /// What follows the closing bracket. REQUIRES that next() returned nothing.
  [[nodiscard]] std::string_view left() const noexcept { return text_.substr(at_); }

 private:
  void skip_white();
  bool take(char c);
  std::optional<std::string_view> string();
  std::optional<JsonValue> value();
  std::optional<JsonMember> fail();

  std::string_view text_;
  std::size_t at_ = 0;
  char closing_ = '}';
  bool first_ = true, ended_ = false, broken_ = false;
};

}  // namespace leitong
