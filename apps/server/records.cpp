#include "records.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "arrow_records.hpp"
#include "encodings.hpp"
#include "leitong/methods.hpp"
#include "leitong/records.hpp"
#include "message.hpp"

namespace leitong::server {
namespace {

namespace dom = simdjson::dom;

static_assert(kBodyPadding >= simdjson::SIMDJSON_PADDING);

/// The most memory that a parser keeps for the next request of its thread.
constexpr std::size_t kMostKept = 1 << 20;

/// A problem of a body, or of a part of it that begins with line `first`, at a byte of it.
tl::unexpected<Problem> problem_at(std::string_view part, std::size_t byte, std::uint64_t first,
                                   std::string_view what) {
  const TextPlace place = place_of(part, byte);
  return problem(400, fmt::format("line {}, column {}: {}", first + place.line - 1, place.column, what));
}

/// `first`: the line of the body with which the bytes begin.
Outcome<dom::element> parse(dom::parser& parser, const char* bytes, std::size_t size,
                            std::uint64_t first = 1) {
  // The depth counts arrays and objects, and simdjson refuses what reaches the limit.
  if (parser.capacity() < size || parser.max_depth() != kMostDepth + 1) {
    if (parser.allocate(std::max<std::size_t>(size, 4096), kMostDepth + 1) != simdjson::SUCCESS)
      return problem(503, "there is no memory to read the body", 5);
  }
  const auto result = parser.parse(bytes, size, false);
  if (result.error() == simdjson::SUCCESS) return result.value_unsafe();
  if (result.error() == simdjson::DEPTH_ERROR)
    return problem(400, fmt::format("the JSON is nested deeper than {} levels", kMostDepth));
  if (result.error() == simdjson::MEMALLOC) return problem(503, "there is no memory to read the body", 5);
  if (result.error() == simdjson::NUMBER_ERROR)
    return problem(400, "the JSON holds what is no number, or one beyond 64 bits");
  const std::string_view part(bytes, size);
  if (const std::size_t at = find_invalid_utf8(part); at != std::string_view::npos)
    return problem_at(part, at, first, "the JSON is not valid UTF-8");
  if (const std::size_t at = find_json_fault(part); at != std::string_view::npos)
    return problem_at(part, at, first, "this is not JSON");
  return problem(400, "this is not JSON");
}

/// The JSON with null in place of NaN, Infinity and -Infinity, which RFC 8259 lacks and many writers produce;
/// empty if it holds none.
std::string with_nulls(std::string_view json) {
  static constexpr std::array<std::string_view, 3> kNotFinite{"NaN", "Infinity", "-Infinity"};
  std::string made;
  std::size_t copied = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      at += c == '\\' ? 1 : 0;
      continue;
    }
    if (c != 'N' && c != 'I' && c != '-') continue;
    for (const std::string_view word : kNotFinite) {
      if (!json.substr(at).starts_with(word)) continue;
      made.append(json.substr(copied, at - copied)).append("null");
      copied = at + word.size();
      at = copied - 1;
      break;
    }
  }
  if (copied > 0) made += json.substr(copied);
  return made;
}

/// Parses records. As in files, NaN and its like are no defects: they count as missing.
Outcome<dom::element> parse_records(dom::parser& parser, std::string_view json, std::uint64_t first = 1) {
  Outcome<dom::element> value = parse(parser, json.data(), json.size(), first);
  if (value || value.error().status == 503) return value;
  std::string again = with_nulls(json);
  if (again.empty()) return value;
  const std::size_t size = again.size();
  again.append(simdjson::SIMDJSON_PADDING, '\0');
  return parse(parser, again.data(), size, first);
}

thread_local dom::parser kept_parser;

/// A string, or a whole number as it is written.
std::optional<std::string> name_of(const dom::element& value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return fmt::format("{}", number);
  std::uint64_t large = 0;
  if (value.get(large) == simdjson::SUCCESS) return fmt::format("{}", large);
  return {};
}

/// Reads a moment, by the rule of online::parse_time(); false if the value is none. An empty string counts as
/// missing, as in tables.
bool read_time(const dom::element& value, std::optional<online::Seconds>& to) {
  double number = 0;
  std::string_view text;
  if (value.get(number) == simdjson::SUCCESS) {
    to = online::parse_time(fmt::format("{}", number));
  } else if (value.get(text) == simdjson::SUCCESS) {
    if (text.empty()) return true;
    to = online::parse_time(text);
  }
  return to.has_value();
}

/// Why an object is refused because of its keys; empty if it is not. `read`: those that count; empty: all.
std::string refusal_for_keys(const dom::element& value, std::span<const std::string_view> read) {
  dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return {};
  std::vector<std::string_view> keys;
  for (const auto& field : object)
    if (read.empty() || std::ranges::find(read, field.key) != read.end()) keys.push_back(field.key);
  return repeated_name("key", keys);
}

/// The keys of a record that count, as in files; others may occur twice.
constexpr std::array<std::string_view, 8> kRecordKeys{"id",     "text", "html",    "fingerprint",
                                                      "source", "time", "expires", "base"};

/// Reads the details of a text beside its id.
void read_details(const dom::element& value, Record& record) {
  const auto member = [&](const char* name, auto read) {
    dom::element found;
    if (value[name].get(found) != simdjson::SUCCESS || found.is_null() || !record.reason.empty()) return;
    if (!read(found)) record.reason = fmt::format("\"{}\" can't be read", name);
  };
  member("source", [&](const dom::element& found) {
    bool yes = false;
    if (found.get(yes) == simdjson::SUCCESS) {
      record.source = yes ? "true" : "false";
      return true;
    }
    auto name = name_of(found);
    record.source = name.value_or("");
    return name.has_value();
  });
  member("time", [&](const dom::element& found) { return read_time(found, record.time); });
  member("expires", [&](const dom::element& found) { return read_time(found, record.expires); });
}

/// With 64 or 128 bits.
std::optional<hamming::Fingerprint128> fingerprint_of(std::string_view digits) {
  const auto word = [](std::string_view from, std::uint64_t& to) {
    const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), to, 16);
    return error == std::errc() && end == from.data() + from.size();
  };
  hamming::Fingerprint128 fingerprint{};
  if (digits.size() == 16 && word(digits, fingerprint.low)) return fingerprint;
  if (digits.size() == 32 && word(digits.substr(0, 16), fingerprint.high) &&
      word(digits.substr(16), fingerprint.low))
    return fingerprint;
  return {};
}

/// Without data if it is missing; sets `reason` for a value of another type.
std::string_view string_of(const dom::element& value, const char* name, std::string& reason) {
  dom::element found;
  std::string_view text;
  if (value[name].get(found) != simdjson::SUCCESS || found.is_null()) return {};
  if (found.get(text) != simdjson::SUCCESS && reason.empty())
    reason = fmt::format("\"{}\" is not a string", name);
  return text;
}

Record read_record(const dom::element& value, Wants wants, HtmlPart part) {
  Record record;
  dom::element id;
  const bool has_id = value["id"].get(id) == simdjson::SUCCESS && !id.is_null();
  if (has_id) {
    record.id = name_of(id);
    if (!record.id) record.reason = "\"id\" is neither a string nor a whole number";
  }
  if (record.reason.empty()) record.reason = refusal_for_keys(value, kRecordKeys);
  if (!value.is_object()) {
    record.reason = "the record is not an object";
  } else if (wants != Wants::text && !has_id) {
    record.reason = "\"id\" is missing";
  }
  if (wants != Wants::id && record.reason.empty()) {
    const Contents contents{string_of(value, "text", record.reason), string_of(value, "html", record.reason),
                            string_of(value, "fingerprint", record.reason)};
    if (record.reason.empty()) read_contents(contents, part, record);
    record.base = string_of(value, "base", record.reason);
  }
  if (wants == Wants::both && record.reason.empty()) read_details(value, record);
  // Of a text that is only asked about the source alone can count, and nothing about it is an error.
  if (dom::element source; wants == Wants::text && value["source"].get(source) == simdjson::SUCCESS)
    record.source = name_of(source).value_or("");
  return record;
}

enum class Media : std::uint8_t { json, lines, arrow, document };

/// The value of a parameter of a Content-Type, without quotation marks; empty if it is missing.
std::string_view parameter_of(std::string_view content_type, std::string_view name) {
  for (std::size_t at = content_type.find(';'); at != std::string_view::npos;) {
    std::string_view rest = content_type.substr(at + 1);
    at = content_type.find(';', at + 1);
    rest = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos || !same_word(rest.substr(0, equals), name)) continue;
    std::string_view value = rest.substr(equals + 1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
      value = value.substr(1, value.size() - 2);
    return value;
  }
  return {};
}

std::string_view type_in(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return type;
}

Outcome<Media> media_of(std::string_view content_type) {
  const std::string_view type = type_in(content_type);
  const auto is = [&](std::string_view name) { return same_word(type, name); };
  if (is("application/json")) return Media::json;
  if (is("application/x-ndjson") || is("application/jsonl") || is("application/ndjson")) return Media::lines;
  if (is(kArrowStream)) return Media::arrow;
  if (is_document(content_type)) return Media::document;
  return problem(
      415, fmt::format("Content-Type has to be application/json, application/x-ndjson or {}", kArrowStream));
}

tl::unexpected<Problem> too_many(std::size_t most) {
  return problem(413,
                 fmt::format("the request has more than {} records; send them in several requests", most));
}

Outcome<Records> read_lines(const std::string& body, Wants wants, std::size_t most, HtmlPart part) {
  Records all{Form::lines, {}};
  dom::parser parser;
  std::uint64_t number = 0;
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t end = std::min(body.find('\n', begin), body.size());
    const std::string_view line(body.data() + begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (all.records.size() == most) return too_many(most);
    const auto value = parse_records(parser, line, number);
    if (!value && value.error().status == 503) return tl::make_unexpected(value.error());
    all.records.push_back(value ? read_record(*value, wants, part) : Record{.reason = value.error().detail});
  }
  return all;
}

}  // namespace

void read_contents(const Contents& contents, HtmlPart part, Record& record) {
  if (contents.text.data() != nullptr) {
    record.text = contents.text;
  } else if (contents.fingerprint.data() != nullptr) {
    record.fingerprint = fingerprint_of(contents.fingerprint);
    if (!record.fingerprint) record.reason = "\"fingerprint\" is not 16 or 32 hexadecimal digits";
  } else if (contents.html.data() == nullptr) {
    record.reason = "\"text\", \"html\" or \"fingerprint\" is missing, or not a string";
  } else if (auto text = html_text(contents.html, part)) {
    record.text = *std::move(text);
  } else {
    record.reason = fmt::format("\"html\": {}", text.error().message);
  }
}

bool is_document(std::string_view content_type) {
  // Not text/plain: a form of another site could send it.
  static constexpr std::array<std::string_view, 5> kTypes{
      "text/html", "application/octet-stream", "application/pdf",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.oasis.opendocument.text"};
  return std::ranges::any_of(
      kTypes, [type = type_in(content_type)](std::string_view known) { return same_word(type, known); });
}

Outcome<HtmlPart> part_of(std::optional<std::string_view> given) {
  if (!given || *given == "all") return HtmlPart::all;
  if (*given == "main") return HtmlPart::main;
  return problem(422, "\"html\" is all or main");
}

Outcome<PlainDocument> read_body(std::string_view content_type, std::string_view body, const Limits& limits,
                                 HtmlPart part) {
  if (!is_document(content_type))
    return problem(
        415,
        "Content-Type has to be text/html, application/octet-stream (also for a plain text), or that of a "
        "PDF, Word or OpenDocument text");
  const std::string_view type = type_in(content_type);
  DocumentHints hints{
      .encoding = std::string(parameter_of(content_type, "charset")), .part = part, .most = limits.body};
  if (same_word(type, "text/html")) hints.form = DocumentForm::html;
  Result<PlainDocument> read = read_document(body, hints);
  if (read) return *std::move(read);
  const ErrorCode code = read.error().code;
  return problem(code == ErrorCode::unsupported ? 501
                 : code == ErrorCode::limit     ? 413
                                                : 422,
                 std::move(read.error().message));
}

Outcome<Records> read_records(std::string_view content_type, const std::string& body, Wants wants,
                              const Limits& limits, HtmlPart part) {
  const std::size_t most = limits.records;
  SERVER_ASSIGN(const Media media, media_of(content_type));
  if (media == Media::arrow && wants != Wants::id) return read_arrow_records(body, wants, limits, part);
  if (media == Media::arrow) return problem(415, "ids are sent as JSON");
  if (media == Media::document && wants != Wants::text)
    return problem(415,
                   "a document as bytes has no id: /v1/text answers its text, which is then sent as JSON");
  if (media == Media::document) {
    SERVER_ASSIGN(PlainDocument document, read_body(content_type, body, limits, part));
    Records one{Form::object, {}};
    one.records.push_back({.text = std::move(document.text)});
    return one;
  }
  if (media == Media::lines) return read_lines(body, wants, most, part);
  std::unique_ptr<dom::parser> large;
  if (body.size() > kMostKept) large = std::make_unique<dom::parser>();
  SERVER_ASSIGN(const dom::element value, parse_records(large ? *large : kept_parser, body));
  dom::array array;
  if (value.get(array) != simdjson::SUCCESS) {
    Record record = read_record(value, wants, part);
    if (!record.reason.empty()) return problem(422, std::move(record.reason));
    Records one{Form::object, {}};
    one.records.push_back(std::move(record));
    return one;
  }
  Records all{Form::array, {}};
  for (const dom::element each : array) {
    if (all.records.size() == most) return too_many(most);
    all.records.push_back(read_record(each, wants, part));
  }
  return all;
}

void begin_answer(std::string& json, Form form, bool first) {
  if (form == Form::array) json += first ? '[' : ',';
  if (form == Form::lines && !first) json += '\n';
}

void end_answers(std::string& json, Form form, bool none) {
  if (form == Form::array) json += none ? "[]" : "]";
  if (form == Form::lines && !none) json += '\n';
}

std::string_view content_type_of(Form form) noexcept {
  if (form == Form::arrow) return kArrowStream;
  return form == Form::lines ? "application/x-ndjson" : "application/json";
}

struct Question::Impl {
  dom::parser parser;
  dom::object object;
  std::vector<std::string_view> asked;

  std::optional<dom::element> find(std::string_view name) {
    asked.push_back(name);
    dom::element value;
    if (object[name].get(value) != simdjson::SUCCESS) return {};
    return value;
  }
};

Question::Question(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Question::Question(Question&&) noexcept = default;
Question& Question::operator=(Question&&) noexcept = default;
Question::~Question() = default;

Outcome<Question> Question::read(std::string_view content_type, const std::string& body) {
  SERVER_ASSIGN(const Media media, media_of(content_type));
  if (media != Media::json) return problem(415, "Content-Type has to be application/json");
  auto impl = std::make_unique<Impl>();
  SERVER_ASSIGN(const dom::element value, parse(impl->parser, body.data(), body.size()));
  if (value.get(impl->object) != simdjson::SUCCESS) return problem(422, "the body is not an object");
  if (std::string refusal = refusal_for_keys(value, {}); !refusal.empty())
    return problem(422, std::move(refusal));
  return Question(std::move(impl));
}

Outcome<std::optional<std::string_view>> Question::text(std::string_view name) {
  const auto value = impl_->find(name);
  if (!value) return std::optional<std::string_view>();
  std::string_view text;
  if (value->get(text) != simdjson::SUCCESS) return problem(422, fmt::format("\"{}\" is not a string", name));
  return std::optional(text);
}

Outcome<std::optional<bool>> Question::yes(std::string_view name) {
  const auto value = impl_->find(name);
  if (!value) return std::optional<bool>();
  bool yes = false;
  if (value->get(yes) != simdjson::SUCCESS)
    return problem(422, fmt::format("\"{}\" is neither true nor false", name));
  return std::optional(yes);
}

Outcome<std::optional<online::Seconds>> Question::time(std::string_view name) {
  const auto value = impl_->find(name);
  std::optional<online::Seconds> time;
  if (value && !read_time(*value, time))
    return problem(
        422, fmt::format("\"{}\" is neither seconds since 1970 nor a date like 2026-11-22T08:30:00Z", name));
  return time;
}

Outcome<std::optional<std::uint64_t>> Question::whole(std::string_view name, std::uint64_t most) {
  const auto value = impl_->find(name);
  if (!value) return std::optional<std::uint64_t>();
  std::uint64_t number = 0;
  double real = -1;  // 20.0 is also a whole number
  if (value->get(number) != simdjson::SUCCESS && value->get(real) == simdjson::SUCCESS && real >= 0 &&
      real <= static_cast<double>(most) && std::floor(real) == real) {
    return std::optional(static_cast<std::uint64_t>(real));
  }
  if (real != -1 || value->get(number) != simdjson::SUCCESS || number > most)
    return problem(422, fmt::format("\"{}\" is not a whole number up to {}", name, most));
  return std::optional(number);
}

Outcome<std::optional<std::vector<std::string_view>>> Question::texts(std::string_view name,
                                                                      std::size_t most) {
  using Texts = std::vector<std::string_view>;
  const auto value = impl_->find(name);
  if (!value) return std::optional<Texts>();
  dom::array array;
  if (value->get(array) != simdjson::SUCCESS)
    return problem(422, fmt::format("\"{}\" is not an array of strings", name));
  Texts texts;
  for (const dom::element each : array) {
    if (texts.size() == most) return too_many(most);
    if (each.get(texts.emplace_back()) != simdjson::SUCCESS)
      return problem(422, fmt::format("\"{}\" is not an array of strings", name));
  }
  return std::optional(std::move(texts));
}

Outcome<std::vector<std::string>> Question::params(std::string_view name) {
  constexpr std::size_t kMostParams = 64;
  SERVER_ASSIGN(const auto given, texts(name, kMostParams));
  std::vector<std::string> params;
  if (given) params.assign(given->begin(), given->end());
  for (const MethodDescription& method : list_methods())
    for (const MethodParam& known : method.params)
      for (const std::string& param : params)
        if (known.is_file && param.substr(0, param.find('=')) == known.name)
          return problem(422, fmt::format("\"{}\": the parameter {} names a file, which no request may do",
                                          name, known.name));
  return params;
}

Outcome<void> Question::nothing_else() const {
  for (const auto& [key, value] : impl_->object)
    if (std::ranges::find(impl_->asked, key) == impl_->asked.end())
      return problem(
          422, fmt::format("there is no option of this name; there are: {}", fmt::join(impl_->asked, ", ")));
  return {};
}

}  // namespace leitong::server
