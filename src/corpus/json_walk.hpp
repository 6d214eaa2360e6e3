// Finds the values of the wanted fields in a JSON record.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

#include "corpus/json_members.hpp"
#include "corpus/json_names.hpp"
#include "corpus/record_fields.hpp"

namespace leitong {

/// Goes through one record after another. Only the structure that leads to the wanted fields has to be right:
/// quotes, colons and commas of their objects, and brackets. The values of strings are not unescaped. For one
/// thread.
class JsonWalk {
 public:
  explicit JsonWalk(const FieldNames& names);

  /// Finds the values in `record`, which has kRecordPadding readable bytes after it. Returns why its
  /// structure is broken, or null; the values before the fault are then there.
  const char* walk(std::string_view record);
  /// Does a name stand for a list of texts?
  [[nodiscard]] bool is_list(std::size_t slot) const noexcept { return is_list_[slot] != 0; }
  /// The value of a field that is no list, by its index in FieldNames::names.
  [[nodiscard]] const JsonValue& value(std::size_t slot) const noexcept { return values_[slot]; }
  /// The values of a list in their order, without null and NaN.
  [[nodiscard]] const std::vector<JsonValue>& list(std::size_t slot) const noexcept { return lists_[slot]; }
  /// The wanted key that occurs twice in its object; empty if none does.
  [[nodiscard]] const std::string& repeated() const noexcept { return repeated_; }
  /// Why the bytes of a value cannot stand in a record: they break UTF-8, or are control characters. Empty if
  /// they can, or if a parser has checked the whole record. Sets `fault` to the byte of the record.
  [[nodiscard]] std::string bytes_problem(std::string_view record, std::size_t& fault) const;

 private:
  void forget();
  const char* walk_strictly(std::string_view record);
  simdjson::error_code walk_object(simdjson::ondemand::object& object, const std::vector<JsonNode>& wanted);
  simdjson::error_code walk_value(simdjson::ondemand::value value, const JsonNode& node);
  simdjson::error_code read_key(simdjson::simdjson_result<simdjson::ondemand::field>& field,
                                std::string_view& key);
  bool walk_loosely(std::string_view record);
  bool walk_members(JsonMembers& members, const std::vector<JsonNode>& wanted);
  bool walk_member(const JsonValue& value, const JsonNode& node);
  const JsonNode* find_node(const std::vector<JsonNode>& wanted, std::string_view key,
                            std::size_t first_seen);
  void store(const JsonNode& node, const JsonValue& value);

  std::vector<JsonNode> wanted_;
  simdjson::ondemand::parser parser_;
  // By index in FieldNames::names.
  std::vector<JsonValue> values_;
  std::vector<std::vector<JsonValue>> lists_;
  std::vector<char> is_list_;
  std::vector<const JsonNode*> seen_;  // in the present object, after those in the enclosing objects
  std::string key_, repeated_;
  bool is_loose_ = false;
};

/// A key without its escapes, in `buffer`; as it is if these are broken: then it is the key of no field.
[[nodiscard]] std::string_view plain_json_key(std::string_view key, std::string& buffer);

/// What is wrong with the bytes of `part`, a part of the record: invalid UTF-8, or a NUL, and in `fault` its
/// byte of the record; empty if neither is there.
[[nodiscard]] std::string byte_problem(std::string_view record, std::string_view part, std::size_t& fault);

}  // namespace leitong
