#include "corpus/field_appender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/try.hpp"
#include "corpus/json_members.hpp"
#include "corpus/padded_bytes.hpp"
#include "corpus/source_list.hpp"
#include "corpus/unescape.hpp"
#include "leitong/json.hpp"

namespace leitong {

tl::unexpected<Error> has_field_already(std::string_view thing, std::string_view name) {
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("there is a {0} \"{1}\" already, and what is there is never replaced; rename it, or "
                  "leave out what adds a {0} of this name",
                  thing, name));
}

void append_number(const AddedValue& value, std::string& out) {
  const auto end = std::back_inserter(out);
  if (const bool* truth = std::get_if<bool>(&value)) out += *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::uint64_t>(&value)) fmt::format_to(end, "{}", *integer);
  if (const double* number = std::get_if<double>(&value)) fmt::format_to(end, "{:.6g}", *number);
}

namespace {

class JsonAppender final : public FieldAppender {
 public:
  explicit JsonAppender(const std::vector<AddedField>& fields) {
    for (const AddedField& field : fields) names_.push_back(field.name);
  }

  Result<std::string> head(const Source& source) override {
    return source.head == nullptr ? std::string() : source.head->preamble;
  }

  Result<std::string_view> append(const Source& /*source*/, std::string_view record,
                                  std::span<const AddedValue> values) override {
    LEITONG_ASSIGN(const std::size_t end, end_of_members(record));
    out_.assign(record.substr(0, end));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0 || has_members_) out_ += ',';
      append_json_string(names_[i], out_);
      out_ += ':';
      if (const auto* text = std::get_if<std::string_view>(&values[i]))
        append_json_string(*text, out_);
      else if (std::holds_alternative<std::monostate>(values[i]))
        out_ += "null";
      else
        append_number(values[i], out_);
    }
    out_ += record.substr(end);
    const std::size_t size = out_.size();
    out_.append(kRecordPadding, '\0');
    return std::string_view(out_).substr(0, size);
  }

 private:
  /// Where the last member of the record ends.
  Result<std::size_t> end_of_members(std::string_view record) {
    JsonMembers members(record);
    has_members_ = false;
    while (const std::optional<JsonMember> member = members.next()) {
      has_members_ = true;
      std::string_view key = member->key;
      if (key.find('\\') != std::string_view::npos) {
        key_.clear();
        if (unescape_json(key, key_) == nullptr) key = key_;
      }
      if (std::ranges::find(names_, key) != names_.end()) return has_field_already("field", key);
    }
    if (members.broken()) return fail(ErrorCode::corrupt, "the members of the record can't be told apart");
    const std::size_t bracket = record.size() - members.left().size() - 1;
    return record.find_last_not_of(" \t\r\n", bracket - 1) + 1;
  }

  std::vector<std::string> names_;
  bool has_members_ = false;  // of the last record
  std::string key_, out_;
};

}  // namespace

std::unique_ptr<FieldAppender> make_json_appender(const std::vector<AddedField>& fields) {
  return std::make_unique<JsonAppender>(fields);
}

}  // namespace leitong
