#include "corpus/json_record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "corpus/json_members.hpp"
#include "corpus/json_walk.hpp"
#include "corpus/unescape.hpp"
#include "leitong/records.hpp"

namespace leitong {
namespace {

constexpr const char* kNoValue =
    "broken JSON: a value is no string, number, object, array, true, false or null";

}  // namespace

class JsonRecordReader::Parser {
 public:
  explicit Parser(const FieldNames& names) : names_(names), walk_(names), unescaped_(names.names.size()) {
    joins_ = names.texts_end > 2 || (names.texts_end == 2 && walk_.is_list(1));
  }

  void read(std::string_view record, RecordFields& fields) {
    fields.clear();
    record_ = record;
    if (const char* const broken = walk_.walk(record)) {
      (void)read_id(fields);  // a broken record still has the id that came before the fault
      fields.problem = byte_problem(record, record, fields.fault);
      if (!fields.problem.empty()) return;
      fields.problem = broken;
      fields.fault = find_json_fault(record);
      // JSON, but no object.
      if (fields.fault == RecordFields::kNowhere) fields.fault = record.find_first_not_of(" \t\r\n");
      return;
    }
    fields.problem = walk_.bytes_problem(record, fields.fault);
    if (!fields.problem.empty() || !read_id(fields)) return;
    fields.problem = walk_.repeated();
    if (!fields.problem.empty()) return;
    read_texts(record, fields);
    if (fields.problem.empty()) read_extra(record, fields);
  }

  void append_texts(std::vector<TextToken>& tokens) const {
    for_each_text([&](std::size_t, const JsonValue& value) {
      if (value.kind == JsonKind::string) tokens.push_back({value.token, TextForm::json});
      return true;
    });
  }

  /// `longest`: the name of the field with the longest text.
  std::vector<std::string> field_names(std::string_view record, std::string_view path, std::string& longest) {
    std::vector<std::string> found;
    std::size_t longest_size = 0;
    list_names(record, path, "", found, longest, longest_size);
    return found;
  }

 private:
  /// Calls `each(slot, value)` for the values of the text fields in their order until it returns false.
  template <class Each>
  void for_each_text(const Each& each) const {
    for (std::size_t slot = 1; slot < names_.texts_end; ++slot) {
      if (!walk_.is_list(slot)) {
        if (!each(slot, walk_.value(slot))) return;
        continue;
      }
      for (const JsonValue& value : walk_.list(slot))
        if (!each(slot, value)) return;
    }
  }

  const char* string_value(const JsonValue& value, std::string& buffer, std::string_view& out) {
    out = value.token;
    if (out.find('\\') == std::string_view::npos) return nullptr;
    if (const char* why = unescape_json(out, buffer)) return why;
    out = buffer;
    return nullptr;
  }

  /// The value is where the problem is.
  void blame(const JsonValue& value, RecordFields& fields) const {
    const auto quote = static_cast<std::size_t>(value.kind == JsonKind::string ? 1 : 0);
    fields.fault = static_cast<std::size_t>(value.token.data() - record_.data()) - quote;
  }

  bool read_id(RecordFields& fields) {
    const JsonValue& value = walk_.value(0);
    if (value.kind != JsonKind::absent) blame(value, fields);
    if (!read_id(value, fields)) return false;
    fields.fault = RecordFields::kNowhere;
    return true;
  }

  bool read_id(const JsonValue& value, RecordFields& fields) {
    switch (value.kind) {
      case JsonKind::absent:
      case JsonKind::null:
      case JsonKind::not_finite:  // a missing value of some writers
        return true;
      case JsonKind::unknown:
        fields.problem = kNoValue;
        return false;
      case JsonKind::number:
        fields.id = value.token;
        return true;
      case JsonKind::string:
        if (const char* why = string_value(value, unescaped_[0], fields.id)) {
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
    for_each_text([&](std::size_t slot, const JsonValue& value) {
      if (value.kind == JsonKind::absent || value.kind == JsonKind::null ||
          value.kind == JsonKind::not_finite)
        return true;
      if (value.kind != JsonKind::string) {
        fields.problem =
            value.kind == JsonKind::unknown
                ? kNoValue
                : fmt::format("field \"{}\" is {}, not a string", names_.names[slot], kind_name(value.kind));
        if (value.kind == JsonKind::array)
          fields.problem += fmt::format("; for a list of texts name the field {}[]", names_.names[slot]);
        blame(value, fields);
        return false;
      }
      std::string_view text;
      if (const char* why = string_value(value, unescaped_[slot], text)) {
        fields.problem = why;
        blame(value, fields);
        return false;
      }
      ++found;
      if (!joins_) {
        fields.text = text;
        return true;
      }
      if (found == 1) joined_.clear();
      if (found > 1) joined_ += '\n';
      joined_ += text;
      fields.text = joined_;
      return true;
    });
    if (!fields.problem.empty()) return;
    if (found == 0)
      explain_missing(record, fields);
    else if (check_text(fields.text, true, names_, fields) != RecordFields::kNowhere)
      blame_first_text(fields);  // a place in a text without its escapes is none in the record
  }

  void blame_first_text(RecordFields& fields) const {
    for_each_text([&](std::size_t, const JsonValue& value) {
      if (value.kind != JsonKind::string) return true;
      blame(value, fields);
      return false;
    });
  }

  void read_extra(std::string_view record, RecordFields& fields) {
    for (std::size_t slot = names_.texts_end; slot < names_.names.size(); ++slot) {
      std::string_view value;
      const JsonValue& found = walk_.value(slot);
      if (found.kind == JsonKind::string) {
        if (const char* why = string_value(found, unescaped_[slot], value)) {
          fields.problem = why;
          blame(found, fields);
        }
      } else if (found.kind == JsonKind::unknown) {
        fields.problem = kNoValue;
        blame(found, fields);
      } else if (found.kind == JsonKind::number || found.kind == JsonKind::boolean ||
                 (found.kind == JsonKind::not_finite && found.token != "NaN")) {
        value = found.token;
      } else if (found.kind == JsonKind::array && names_.names[slot] == names_.vector) {
        // Numbers hold no bracket; a wrong number is noticed when it is read.
        const char* const begin = found.token.data();
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
    if (walk_.value(1).kind == JsonKind::null || walk_.value(1).kind == JsonKind::not_finite) {
      fields.problem = fmt::format("field \"{}\" is {}", name, kind_name(walk_.value(1).kind));
      return;
    }
    std::string longest;
    const std::vector<std::string> found = field_names(record, name, longest);
    fields.problem = missing_field_message("field", name, found, longest);
  }

  /// Appends the names of an object's fields; of those that hold objects or lists and lead to `path`, or hold
  /// a list of objects, the names inside.
  void list_names(std::string_view object, std::string_view path, const std::string& prefix,
                  std::vector<std::string>& found, std::string& longest, std::size_t& longest_size) {
    const std::size_t dot = path.find('.');
    std::string_view first = path.substr(0, dot);
    while (first.ends_with("[]")) first.remove_suffix(2);
    JsonMembers members(object);
    while (const auto member = members.next()) {
      std::string name = prefix + std::string(plain_json_key(member->key, key_));
      JsonValue value = member->value;
      const bool leads = dot != std::string_view::npos && plain_json_key(member->key, key_) == first;
      if (value.kind == JsonKind::array)
        if (const auto item = JsonMembers(value.token).next();
            item && (item->value.kind == JsonKind::object || item->value.kind == JsonKind::string)) {
          value = item->value;
          name += "[]";
        }
      if (value.kind == JsonKind::object && (leads || name.ends_with("[]"))) {
        list_names(value.token, leads ? path.substr(dot + 1) : std::string_view(), name + ".", found, longest,
                   longest_size);
        continue;
      }
      found.push_back(name);
      if (value.kind == JsonKind::string && name != names_.names[0] &&
          value.token.size() + 2 > longest_size) {
        longest = name;
        longest_size = value.token.size() + 2;
      }
    }
  }

  const FieldNames& names_;
  JsonWalk walk_;
  std::vector<std::string> unescaped_;  // by index in names_
  bool joins_ = false;                  // may there be several texts?
  std::string joined_, key_;
  std::string_view record_;
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
