// The content of requests' bodies: texts with their ids, and questions with options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "leitong/document.hpp"
#include "leitong/html.hpp"
#include "leitong/online.hpp"
#include "problem.hpp"

namespace leitong::server {

/// The deepest nesting of JSON that is accepted.
inline constexpr std::size_t kMostDepth = 32;

/// The form of a body, and of its answer.
enum class Form : std::uint8_t { object, array, lines, arrow };

/// What a request needs of each record.
enum class Wants : std::uint8_t { text, id, both };

/// A text with its id, or the reason why it cannot be read.
struct Record {
  std::optional<std::string> id;
  std::string text;
  std::string base;  ///< a text whose passages do not count where parts are looked for; may be empty
  std::optional<hamming::Fingerprint128> fingerprint;  ///< instead of the text
  std::string source;                                  ///< may be empty
  std::optional<online::Seconds> time;                 ///< its date
  std::optional<online::Seconds> expires;              ///< when it may be removed
  std::string reason;                                  ///< not empty: it could not be read
};

struct Records {
  Form form = Form::object;
  std::vector<Record> records;
};

/// Reads {"id", "text", "source", "time", "expires"}, an array of these, one on each line
/// (application/x-ndjson), or, for texts, the columns of an Arrow IPC stream. Other members are ignored. An
/// id may be a whole number. `html` instead of `text` is a page whose `part` is the text, and `fingerprint`
/// is one in 16 or 32 hexadecimal digits. Times are seconds since 1970 or ISO 8601. An unreadable record of
/// an array or on a line only affects its own answer. Where only the text is wanted, the body may be one
/// document, see read_body(). Problems: 415 for another content type, 400 for what is
/// not JSON, 413 beyond the limits, 422 for a single object that cannot be read. REQUIRES kBodyPadding bytes
/// after `body`.
[[nodiscard]] Outcome<Records> read_records(std::string_view content_type, const std::string& body,
                                            Wants wants, const Limits& limits, HtmlPart part = HtmlPart::all);

/// Is it the Content-Type of one document as bytes: text/html, application/octet-stream, or that of a PDF,
/// Word or OpenDocument text?
[[nodiscard]] bool is_document(std::string_view content_type);

/// Reads such a document by the rules of files, in the encoding that its Content-Type names or in the one
/// that is recognised. Problems: 415 for another type, 422 for what holds no text, 501 if a component is
/// missing, 413 beyond the limits.
[[nodiscard]] Outcome<PlainDocument> read_body(std::string_view content_type, std::string_view body,
                                               const Limits& limits, HtmlPart part);

/// The part of a page in "html=main" of a query; problem 422 for another one.
[[nodiscard]] Outcome<HtmlPart> part_of(std::optional<std::string_view> given);

/// The possible content of a record, without data where it is missing.
struct Contents {
  std::string_view text, html, fingerprint;
};

/// Sets the text or fingerprint of a record, or the reason why it has none.
void read_contents(const Contents& contents, HtmlPart part, Record& record);

/// Begins the answer to one record of many; `first` for the first.
void begin_answer(std::string& json, Form form, bool first);
void end_answers(std::string& json, Form form, bool none);
[[nodiscard]] std::string_view content_type_of(Form form) noexcept;

/// One JSON object whose members are read by name; at the end none may be unread.
class Question {
 public:
  /// Problems as read_records().
  [[nodiscard]] static Outcome<Question> read(std::string_view content_type, const std::string& body);
  Question(Question&&) noexcept;
  Question& operator=(Question&&) noexcept;
  ~Question();

  /// A member; nothing if it is missing. Problem 422 for another type. Views are valid as long as the
  /// question.
  [[nodiscard]] Outcome<std::optional<std::string_view>> text(std::string_view name);
  [[nodiscard]] Outcome<std::optional<bool>> yes(std::string_view name);
  /// Seconds since 1970, or ISO 8601.
  [[nodiscard]] Outcome<std::optional<online::Seconds>> time(std::string_view name);
  /// Up to `most`.
  [[nodiscard]] Outcome<std::optional<std::uint64_t>> whole(std::string_view name, std::uint64_t most);
  [[nodiscard]] Outcome<std::optional<std::vector<std::string_view>>> texts(std::string_view name,
                                                                            std::size_t most);
  /// Parameters of a method, "name=value"; none if the member is missing. Also problem 422 for one that names
  /// a file: a request must not choose what the server reads.
  [[nodiscard]] Outcome<std::vector<std::string>> params(std::string_view name);
  /// Problem 422, naming the member, if one was not read.
  [[nodiscard]] Outcome<void> nothing_else() const;

 private:
  struct Impl;
  explicit Question(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::server
