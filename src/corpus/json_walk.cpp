#include "corpus/json_walk.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "corpus/padded_bytes.hpp"
#include "corpus/unescape.hpp"

namespace leitong {
namespace {

using namespace simdjson;

/// The memory that is kept between records; a larger parser is freed after use.
constexpr std::size_t kKeptCapacity = std::size_t{16} << 20;

std::string_view json_token(std::string_view token) {
  const std::size_t last = token.find_last_not_of(" \t\r\n");
  return token.substr(0, last + 1);
}

constexpr const char* kSomethingFollows = "broken JSON: something follows the object on the same line";

/// Does the object end before the record does? The parser, which checks the last bracket first, takes this
/// for an open object.
bool closes_early(std::string_view record) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const char c = record[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && (depth == 0 || --depth == 0)) {
      return !json_token(record.substr(i + 1)).empty();
    }
  }
  return false;
}

const char* describe(error_code error) {
  switch (error) {
    case UNCLOSED_STRING:
      return "broken JSON: a string isn't closed";
    case UNESCAPED_CHARS:
      return "broken JSON: a control character within a string";
    case UTF8_ERROR:
      return "invalid UTF-8";
    case EMPTY:
      return "broken JSON: nothing is there";
    case INCORRECT_TYPE:
      return "not a JSON object: a record begins with {";
    case INCOMPLETE_ARRAY_OR_OBJECT:
      return "broken JSON: an object or array isn't closed";
    case MEMALLOC:
      return "not enough memory for the record";
    default:
      return "broken JSON: a comma, colon, quote or bracket is missing or misplaced";
  }
}

/// Is there a value where one has to be?
error_code check_begin(ondemand::value& value) {
  const std::string_view token = value.raw_json_token();
  constexpr std::string_view kOthers = ",:]}";
  return token.empty() || kOthers.find(token.front()) != std::string_view::npos ? TAPE_ERROR : SUCCESS;
}

}  // namespace

std::string_view plain_json_key(std::string_view key, std::string& buffer) {
  if (key.find('\\') == std::string_view::npos) return key;
  return unescape_json(key, buffer) == nullptr ? std::string_view(buffer) : key;
}

std::string byte_problem(std::string_view record, std::string_view part, std::size_t& fault) {
  const auto begin = static_cast<std::size_t>(part.data() - record.data());
  if (const std::size_t bad = find_invalid_utf8(part); bad != std::string_view::npos) {
    fault = begin + bad;
    return fmt::format("invalid UTF-8 at byte {} of the record", fault + 1);
  }
  if (const std::size_t nul = part.find('\0'); nul != std::string_view::npos) {
    fault = begin + nul;
    return fmt::format("a NUL byte at byte {} of the record", fault + 1);
  }
  return {};
}

JsonWalk::JsonWalk(const FieldNames& names) : values_(names.names.size()), lists_(names.names.size()) {
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    plant(wanted_, names.names[i], i);
    is_list_.push_back(i > 0 && i < names.texts_end && is_list_name(names.names[i]));
  }
}

const char* JsonWalk::walk(std::string_view record) {
  forget();
  const char* broken = walk_strictly(record);
  is_loose_ = broken != nullptr;
  // What stopped the parser may lie outside of the wanted fields, which then can be read all the same.
  if (is_loose_ && walk_loosely(record)) broken = nullptr;
  if (parser_.capacity() > kKeptCapacity) parser_ = ondemand::parser();
  return broken;
}

std::string JsonWalk::bytes_problem(std::string_view record, std::size_t& fault) const {
  std::string problem;
  if (!is_loose_) return problem;
  const auto is_clean = [&](const JsonValue& value) {
    if (value.kind != JsonKind::string) return true;
    problem = byte_problem(record, value.token, fault);
    if (!problem.empty()) return false;
    const auto control = std::ranges::find_if(value.token, [](char c) { return c >= 0 && c < ' '; });
    if (control == value.token.end()) return true;
    problem = describe(UNESCAPED_CHARS);
    fault = static_cast<std::size_t>(&*control - record.data());
    return false;
  };
  if (std::ranges::all_of(values_, is_clean))
    (void)std::ranges::all_of(lists_, [&](const auto& list) { return std::ranges::all_of(list, is_clean); });
  return problem;
}

void JsonWalk::forget() {
  std::fill(values_.begin(), values_.end(), JsonValue{});
  for (std::vector<JsonValue>& list : lists_) list.clear();
  repeated_.clear();
  seen_.clear();
}

const char* JsonWalk::walk_strictly(std::string_view record) {
  ondemand::document document;
  ondemand::object object;
  const padded_string_view padded(record.data(), record.size(), record.size() + kRecordPadding);
  if (const auto error = parser_.iterate(padded).get(document)) return describe(error);
  if (const auto error = document.get_object().get(object))
    return error == INCOMPLETE_ARRAY_OR_OBJECT && closes_early(record) ? kSomethingFollows : describe(error);
  if (const auto error = walk_object(object, wanted_)) return describe(error);
  if (document.current_location().error() != OUT_OF_BOUNDS) return kSomethingFollows;
  return nullptr;
}

// Values that are not wanted are skipped by their brackets.
error_code JsonWalk::walk_object(ondemand::object& object, const std::vector<JsonNode>& wanted) {
  const std::size_t first_seen = seen_.size();
  for (auto field : object) {
    std::string_view key;
    ondemand::value value;
    if (const auto error = read_key(field, key)) return error;
    if (const auto error = field.value().get(value)) return error;
    const JsonNode* const node = find_node(wanted, key, first_seen);
    if (const auto error = node == nullptr ? check_begin(value) : walk_value(value, *node)) return error;
  }
  seen_.resize(first_seen);
  return SUCCESS;
}

error_code JsonWalk::walk_value(ondemand::value value, const JsonNode& node) {
  if (const auto error = check_begin(value)) return error;
  const std::string_view token = json_token(value.raw_json_token());
  JsonValue found{JsonKind::absent, token};
  if (token.front() == '{') {
    found.kind = JsonKind::object;
    if (!node.children.empty()) {
      ondemand::object object;
      if (const auto error = value.get_object().get(object)) return error;
      if (const auto error = walk_object(object, node.children)) return error;
    }
  } else if (token.front() == '[') {
    found.kind = JsonKind::array;
    if (node.item != nullptr) {
      ondemand::array array;
      if (const auto error = value.get_array().get(array)) return error;
      for (auto item : array) {
        ondemand::value element;
        if (const auto error = item.get(element)) return error;
        if (const auto error = walk_value(element, *node.item)) return error;
      }
    }
  } else if (token.front() == '"') {
    if (token.size() < 2 || token.back() != '"') return TAPE_ERROR;
    found = {JsonKind::string, token.substr(1, token.size() - 2)};
    if (const auto error = value.get_raw_json_string().error()) return error;
  } else {
    found.kind = scalar_kind(token);
  }
  store(node, found);
  return SUCCESS;
}

/// Reads the wanted fields by quotes and brackets alone. False if these are broken; the fields before the
/// fault are then there.
bool JsonWalk::walk_loosely(std::string_view record) {
  forget();
  JsonMembers members(record);
  return record.find_first_not_of(" \t\r\n") == record.find('{') && walk_members(members, wanted_) &&
         json_token(members.left()).empty();
}

bool JsonWalk::walk_members(JsonMembers& members, const std::vector<JsonNode>& wanted) {
  const std::size_t first_seen = seen_.size();
  while (const auto member = members.next())
    if (const JsonNode* const node = find_node(wanted, plain_json_key(member->key, key_), first_seen);
        node != nullptr && !walk_member(member->value, *node))
      return false;
  seen_.resize(first_seen);
  return !members.broken();
}

bool JsonWalk::walk_member(const JsonValue& value, const JsonNode& node) {
  if (value.kind == JsonKind::object && !node.children.empty()) {
    JsonMembers inside(value.token);
    if (!walk_members(inside, node.children)) return false;
  } else if (value.kind == JsonKind::array && node.item != nullptr) {
    JsonMembers inside(value.token);
    while (const auto item = inside.next())
      if (!walk_member(item->value, *node.item)) return false;
    if (inside.broken()) return false;
  }
  store(node, value);
  return true;
}

/// The wanted field of this key; null if there is none. Notes a field that occurs twice in its object.
const JsonNode* JsonWalk::find_node(const std::vector<JsonNode>& wanted, std::string_view key,
                                    std::size_t first_seen) {
  const auto found =
      std::find_if(wanted.begin(), wanted.end(), [&](const JsonNode& n) { return n.key == key; });
  if (found == wanted.end()) return nullptr;
  const std::span seen = std::span(seen_).subspan(first_seen);
  if (repeated_.empty() && std::ranges::find(seen, &*found) != seen.end())
    repeated_ = fmt::format("the key \"{}\" occurs twice", found->key);
  seen_.push_back(&*found);
  return &*found;
}

error_code JsonWalk::read_key(simdjson_result<ondemand::field>& field, std::string_view& key) {
  if (field.error()) return field.error();
  const char* const begin = field.key().value_unsafe().raw();
  const char* end = begin;  // the parser has found the closing quote
  bool escaped = false;
  while (*end != '"') {
    escaped |= *end == '\\';
    end += *end == '\\' ? 2 : 1;
  }
  key = std::string_view(begin, static_cast<std::size_t>(end - begin));
  if (escaped) key = plain_json_key(key, key_);
  return SUCCESS;
}

void JsonWalk::store(const JsonNode& node, const JsonValue& value) {
  const bool is_missing = value.kind == JsonKind::null || value.kind == JsonKind::not_finite;
  // An array of which only the elements are wanted, beside a text: messages[].content and
  // messages[].content[].text.
  if (value.kind == JsonKind::array && node.item != nullptr) return;
  for (const std::size_t slot : node.slots) {
    if (!is_list_[slot])
      values_[slot] = value;
    else if (!is_missing)
      lists_[slot].push_back(value);
  }
}

}  // namespace leitong
