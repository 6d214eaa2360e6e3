#include "corpus/json_names.hpp"

#include <algorithm>

namespace leitong {
namespace {

/// RFC 8259, section 6.
bool is_json_number(std::string_view token) noexcept {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < token.size() && token[i] >= '0' && token[i] <= '9') ++i;
    return i > begin;
  };
  if (i < token.size() && token[i] == '-') ++i;
  if (i < token.size() && token[i] == '0')
    ++i;
  else if (!digits())
    return false;
  if (i < token.size() && token[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
    ++i;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == token.size();
}

}  // namespace

std::string_view kind_name(JsonKind kind) noexcept {
  switch (kind) {
    case JsonKind::absent:
      return "missing";
    case JsonKind::unknown:
      return "no value";
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "true or false";
    case JsonKind::number:
      return "a number";
    case JsonKind::not_finite:
      return "NaN or infinite";
    case JsonKind::string:
      return "a string";
    case JsonKind::array:
      return "an array";
    case JsonKind::object:
      return "an object";
  }
  return "missing";
}

JsonKind scalar_kind(std::string_view token) noexcept {
  if (token == "null") return JsonKind::null;
  if (token == "true" || token == "false") return JsonKind::boolean;
  if (token == "NaN" || token == "Infinity" || token == "-Infinity") return JsonKind::not_finite;
  return is_json_number(token) ? JsonKind::number : JsonKind::unknown;
}

void plant(std::vector<JsonNode>& nodes, std::string_view name, std::size_t slot) {
  const std::size_t dot = name.find('.');
  std::string_view key = name.substr(0, dot);
  std::size_t lists = 0;
  for (; key.ends_with("[]"); ++lists) key.remove_suffix(2);
  auto found = std::find_if(nodes.begin(), nodes.end(), [&](const JsonNode& n) { return n.key == key; });
  if (found == nodes.end()) {
    nodes.emplace_back().key = key;
    found = nodes.end() - 1;
  }
  JsonNode* node = &*found;
  for (; lists > 0; --lists) {
    if (node->item == nullptr) node->item = std::make_unique<JsonNode>();
    node = node->item.get();
  }
  if (dot == std::string_view::npos)
    node->slots.push_back(slot);
  else
    plant(node->children, name.substr(dot + 1), slot);
}

}  // namespace leitong
