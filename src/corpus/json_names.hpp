// The fields of JSON records that a run wants, as a tree, and the values that were found for them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

/// The kinds of values.
enum class JsonKind : unsigned char {
  absent,
  unknown,  ///< no value of JSON
  null,
  boolean,
  number,
  not_finite,  ///< NaN, Infinity or -Infinity, which RFC 8259 lacks and many writers produce
  string,
  array,
  object
};

/// "a string", "an array" .., for messages.
[[nodiscard]] std::string_view kind_name(JsonKind kind) noexcept;

struct JsonValue {
  JsonKind kind = JsonKind::absent;
  std::string_view token;  ///< the inside of a string, still escaped; else the value as written
};

/// The kind of a number, true, false, null or a value that is not finite; unknown if it is none of them.
[[nodiscard]] JsonKind scalar_kind(std::string_view token) noexcept;

/// A part of a name: "meta.id" and "meta.title" share the node "meta".
struct JsonNode {
  std::string key;
  std::vector<std::size_t> slots;  ///< indexes of the names that end here
  std::vector<JsonNode> children;
  std::unique_ptr<JsonNode> item;  ///< what is wanted of each element of an array; null: nothing

  /// Is nothing wanted of what lies inside of the value?
  [[nodiscard]] bool is_leaf() const noexcept { return children.empty() && item == nullptr; }
};

/// Adds a name: keys divided by dots, where "[]" after a key stands for each element of its array.
void plant(std::vector<JsonNode>& nodes, std::string_view name, std::size_t slot);

/// Does a name stand for a list of values, as "messages[].content" does?
[[nodiscard]] inline bool is_list_name(std::string_view name) noexcept {
  return name.ends_with("[]") || name.find("[].") != std::string_view::npos;
}

}  // namespace leitong
