#include "corpus/json_record.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "corpus/json_unescape.hpp"
#include "leitong/records.hpp"

namespace leitong {
namespace {

using namespace simdjson;

/// The memory that is kept between records; a larger parser is freed after use.
constexpr std::size_t kKeptCapacity = std::size_t{16} << 20;

enum class Kind : unsigned char { absent, null, boolean, number, string, array, object };

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::absent:
      return "missing";
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "true or false";
    case Kind::number:
      return "a number";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "missing";
}

struct Value {
  Kind kind = Kind::absent;
  std::string_view token;  // the inside of a string, still escaped; else the value as written
};

/// The wanted names as a tree: "meta.id" and "meta.title" share a node.
struct Node {
  std::string key;
  std::vector<std::size_t> slots;  // indexes in FieldNames::names
  std::vector<Node> children;
};

void plant(std::vector<Node>& nodes, std::string_view path, std::size_t slot) {
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot);
  auto node = std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.key == key; });
  if (node == nodes.end()) node = nodes.insert(nodes.end(), Node{std::string(key), {}, {}});
  if (dot == std::string_view::npos)
    node->slots.push_back(slot);
  else
    plant(node->children, path.substr(dot + 1), slot);
}

/// RFC 8259, section 6. The parser does not check numbers that are not read.
bool is_number(std::string_view token) {
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

std::string_view trimmed(std::string_view token) {
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
      return !trimmed(record.substr(i + 1)).empty();
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

}  // namespace

class JsonRecordReader::Parser {
 public:
  explicit Parser(const FieldNames& names)
      : names_(names), values_(names.names.size()), unescaped_(names.names.size()) {
    for (std::size_t i = 0; i < names.names.size(); ++i) plant(wanted_, names.names[i], i);
  }

  void read(std::string_view record, RecordFields& fields) {
    fields.clear();
    std::fill(values_.begin(), values_.end(), Value{});
    problem_ = nullptr;
    keys_.clear();
    unescaped_keys_.clear();
    const char* broken = walk_record(record);
    if (broken == nullptr) broken = problem_;
    // A broken record still has the id that came before the fault.
    if (read_id(fields) && broken == nullptr) read_texts(record, fields);
    if (broken != nullptr) {
      fields.problem = broken;
      if (const std::size_t bad = find_invalid_utf8(record); bad != std::string_view::npos)
        fields.problem = fmt::format("invalid UTF-8 at byte {} of the record", bad + 1);
      else if (const std::size_t nul = record.find('\0'); nul != std::string_view::npos)
        fields.problem = fmt::format("a NUL byte at byte {} of the record", nul + 1);
    } else if (fields.problem.empty()) {
      read_extra(record, fields);
    }
    if (parser_.capacity() > kKeptCapacity) parser_ = ondemand::parser();
  }

  void append_texts(std::vector<TextToken>& tokens) const {
    for (std::size_t slot = 1; slot < names_.texts_end; ++slot)
      if (values_[slot].kind == Kind::string) tokens.push_back({values_[slot].token, TextForm::json});
  }

  /// `longest`: the name of the field with the longest text.
  std::vector<std::string> field_names(std::string_view record, std::string_view path, std::string& longest) {
    std::vector<std::string> found;
    std::size_t longest_size = 0;
    ondemand::document document;
    ondemand::object object;
    const padded_string_view padded(record.data(), record.size(), record.size() + kRecordPadding);
    if (!parser_.iterate(padded).get(document) && !document.get_object().get(object))
      list_names(object, path, "", found, longest, longest_size);
    return found;
  }

 private:
  const char* walk_record(std::string_view record) {
    ondemand::document document;
    ondemand::object object;
    const padded_string_view padded(record.data(), record.size(), record.size() + kRecordPadding);
    if (const auto error = parser_.iterate(padded).get(document)) return describe(error);
    if (const auto error = document.get_object().get(object))
      return error == INCOMPLETE_ARRAY_OR_OBJECT && closes_early(record) ? kSomethingFollows
                                                                         : describe(error);
    if (const auto error = walk_object(object, &wanted_, 1))
      return problem_ != nullptr ? problem_ : describe(error);
    if (document.current_location().error() != OUT_OF_BOUNDS) return kSomethingFollows;
    return nullptr;
  }

  error_code refuse(const char* why) {
    problem_ = why;
    return TAPE_ERROR;
  }

  // Every value is visited, because the lazy parser does not check what it skips.
  error_code walk_object(ondemand::object& object, const std::vector<Node>* wanted, int depth) {
    const std::size_t first_key = keys_.size();
    for (auto field : object) {
      std::string_view key;
      ondemand::value value;
      if (const auto error = read_key(field, key)) return error;
      if (const auto error = field.value().get(value)) return error;
      const Node* node = nullptr;
      if (wanted != nullptr) {
        keys_.push_back(key.data() == key_.data() ? unescaped_keys_.emplace_back(key) : key);
        const auto found =
            std::find_if(wanted->begin(), wanted->end(), [&](const Node& n) { return n.key == key; });
        if (found != wanted->end()) node = &*found;
      }
      if (const auto error = walk_value(value, node, depth)) return error;
    }
    repeated_ = repeated_name("key", std::span(keys_).subspan(first_key));
    keys_.resize(first_key);
    return repeated_.empty() ? SUCCESS : refuse(repeated_.c_str());
  }

  error_code read_key(simdjson_result<ondemand::field>& field, std::string_view& key) {
    if (field.error()) return field.error();
    const char* const begin = field.key().value_unsafe().raw();
    const char* end = begin;  // the parser has found the closing quote
    bool escaped = false;
    while (*end != '"') {
      escaped |= *end == '\\';
      end += *end == '\\' ? 2 : 1;
    }
    key = std::string_view(begin, static_cast<std::size_t>(end - begin));
    if (!escaped) return SUCCESS;
    if (const char* why = unescape_json(key, key_)) return refuse(why);
    key = key_;
    return SUCCESS;
  }

  error_code walk_value(ondemand::value value, const Node* node, int depth) {
    const std::string_view token = trimmed(value.raw_json_token());
    Value found{Kind::absent, token};
    error_code error = SUCCESS;
    switch (token.empty() ? '\0' : token.front()) {
      case '{': {
        if (depth >= kDeepestJson) return refuse("JSON is nested deeper than 100 levels");
        ondemand::object object;
        found.kind = Kind::object;
        error = value.get_object().get(object);
        if (!error)
          error = walk_object(object, node == nullptr || node->children.empty() ? nullptr : &node->children,
                              depth + 1);
        break;
      }
      case '[': {
        if (depth >= kDeepestJson) return refuse("JSON is nested deeper than 100 levels");
        ondemand::array array;
        found.kind = Kind::array;
        error = value.get_array().get(array);
        if (error) return error;
        for (auto item : array) {
          ondemand::value element;
          error = item.get(element);
          if (error) return error;
          error = walk_value(element, nullptr, depth + 1);
          if (error) return error;
        }
        break;
      }
      case '"':
        if (token.size() < 2 || token.back() != '"') return TAPE_ERROR;
        found = {Kind::string, token.substr(1, token.size() - 2)};
        if (node == nullptr || node->slots.empty()) {
          if (found.token.find('\\') != std::string_view::npos)
            if (const char* why = unescape_json(found.token, ignored_)) return refuse(why);
        }
        error = value.get_raw_json_string().error();
        break;
      case 'n':
        found.kind = token == "null" ? Kind::null : Kind::absent;
        break;
      case 't':
        found.kind = token == "true" ? Kind::boolean : Kind::absent;
        break;
      case 'f':
        found.kind = token == "false" ? Kind::boolean : Kind::absent;
        break;
      default:
        found.kind = is_number(token) ? Kind::number : Kind::absent;
        break;
    }
    if (error) return error;
    if (found.kind == Kind::absent)
      return refuse("broken JSON: a value is no string, number, object, array, true, false or null");
    if (node != nullptr)
      for (const std::size_t slot : node->slots) values_[slot] = found;
    return SUCCESS;
  }

  const char* string_value(std::size_t slot, std::string_view& out) {
    out = values_[slot].token;
    if (out.find('\\') == std::string_view::npos) return nullptr;
    if (const char* why = unescape_json(out, unescaped_[slot])) return why;
    out = unescaped_[slot];
    return nullptr;
  }

  bool read_id(RecordFields& fields) {
    const Value& value = values_[0];
    switch (value.kind) {
      case Kind::absent:
      case Kind::null:
        return true;
      case Kind::number:
        fields.id = value.token;
        return true;
      case Kind::string:
        if (const char* why = string_value(0, fields.id)) {
          fields.id = {};
          fields.problem = why;
          return false;
        }
        if (fields.id.find('\0') == std::string_view::npos) return true;
        fields.id = {};
        fields.problem = fmt::format("field \"{}\" holds a NUL character", names_.names[0]);
        return false;
      default:
        fields.problem =
            fmt::format("field \"{}\" is {}, not a string or number", names_.names[0], kind_name(value.kind));
        return false;
    }
  }

  void read_texts(std::string_view record, RecordFields& fields) {
    std::size_t found = 0;
    for (std::size_t slot = 1; slot < names_.texts_end; ++slot) {
      const Value& value = values_[slot];
      if (value.kind == Kind::absent || value.kind == Kind::null) continue;
      if (value.kind != Kind::string) {
        fields.problem =
            fmt::format("field \"{}\" is {}, not a string", names_.names[slot], kind_name(value.kind));
        return;
      }
      std::string_view text;
      if (const char* why = string_value(slot, text)) {
        fields.problem = why;
        return;
      }
      ++found;
      if (found == 1) {
        fields.text = text;
        continue;
      }
      if (found == 2) joined_ = fields.text;
      joined_ += '\n';
      joined_ += text;
      fields.text = joined_;
    }
    if (found == 0)
      explain_missing(record, fields);
    else
      check_text(fields.text, true, names_, fields);
  }

  void read_extra(std::string_view record, RecordFields& fields) {
    for (std::size_t slot = names_.texts_end; slot < names_.names.size(); ++slot) {
      std::string_view value;
      if (values_[slot].kind == Kind::string) {
        if (const char* why = string_value(slot, value)) fields.problem = why;
      } else if (values_[slot].kind == Kind::number || values_[slot].kind == Kind::boolean) {
        value = values_[slot].token;
      } else if (values_[slot].kind == Kind::array && names_.names[slot] == names_.vector) {
        // Numbers hold no bracket; a wrong number is noticed when it is read.
        const char* const begin = values_[slot].token.data();
        value = {begin, static_cast<std::size_t>(record.data() + record.size() - begin)};
        value = value.substr(0, value.find(']') + 1);
      }
      fields.extra.push_back(value);
    }
  }

  /// A second, slow pass over a record without its text: which names exist, and which one is most likely
  /// meant?
  void explain_missing(std::string_view record, RecordFields& fields) {
    const std::string& name = names_.names[1];
    if (values_[1].kind == Kind::null) {
      fields.problem = fmt::format("field \"{}\" is null", name);
      return;
    }
    std::string longest;
    const std::vector<std::string> found = field_names(record, name, longest);
    fields.problem = missing_field_message("field", name, found, longest);
  }

  void list_names(ondemand::object& object, std::string_view path, const std::string& prefix,
                  std::vector<std::string>& found, std::string& longest, std::size_t& longest_size) {
    const std::size_t dot = path.find('.');
    for (auto field : object) {
      std::string_view key;
      ondemand::value value;
      if (read_key(field, key) || field.value().get(value)) return;
      const std::string name = prefix + std::string(key);
      const std::string_view token = value.raw_json_token();
      if (token.front() == '{' && dot != std::string_view::npos && key == path.substr(0, dot)) {
        ondemand::object inner;
        if (value.get_object().get(inner)) return;
        list_names(inner, path.substr(dot + 1), name + ".", found, longest, longest_size);
        continue;
      }
      found.push_back(name);
      if (token.front() == '"' && name != names_.names[0] && token.size() > longest_size) {
        longest = name;
        longest_size = token.size();
      }
    }
  }

  const FieldNames& names_;
  std::vector<Node> wanted_;
  ondemand::parser parser_;
  std::vector<Value> values_;           // by index in names_
  std::vector<std::string> unescaped_;  // by index in names_
  std::vector<std::string_view> keys_;  // of the present object, after those of the enclosing objects
  std::deque<std::string> unescaped_keys_;
  std::string joined_, key_, ignored_, repeated_;
  const char* problem_ = nullptr;
};

JsonRecordReader::JsonRecordReader(const FieldNames& names) : parser_(std::make_unique<Parser>(names)) {}
JsonRecordReader::~JsonRecordReader() = default;

void JsonRecordReader::read(std::string_view record, RecordFields& fields) { parser_->read(record, fields); }

void JsonRecordReader::append_texts(std::vector<TextToken>& tokens) const { parser_->append_texts(tokens); }

std::vector<std::string> JsonRecordReader::field_names(std::string_view record, std::string_view path) {
  std::string longest;
  return parser_->field_names(record, path, longest);
}

}  // namespace leitong
