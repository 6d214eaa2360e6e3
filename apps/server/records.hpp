// What the bodies of requests hold: texts with their ids, and questions with options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "leitong/html.hpp"
#include "leitong/online.hpp"
#include "problem.hpp"

namespace leitong::server {

/// Deepest nesting of JSON that is read.
inline constexpr std::size_t kMostDepth = 32;

/// How a body is made, which is how its answer is made too.
enum class Form : std::uint8_t { object, array, lines, arrow };

/// What a request wants of each record.
enum class Wants : std::uint8_t { text, id, both };

/// A text with its name, or why it is none.
struct Record {
  std::optional<std::string> id;
  std::string text;
  std::optional<hamming::Fingerprint128> fingerprint;  ///< in the place of the text
  std::string source;                                  ///< may be empty
  std::optional<online::Seconds> time;                 ///< its date
  std::optional<online::Seconds> expires;              ///< when it may be taken out
  std::string reason;                                  ///< not empty: it could not be read
};

struct Records {
  Form form = Form::object;
  std::vector<Record> records;
};

/// Reads {"id", "text", "source", "time", "expires"}, an array of these, one a line
/// (application/x-ndjson), or where texts are wanted the columns of an Arrow IPC stream. Other members of a
/// record are not looked at; an id may be a whole number; `html` in the place of `text` is a page, of which
/// `part` is the text, and `fingerprint` one in 16 or 32 hexadecimal digits; times are seconds since 1970 or
/// ISO 8601. A record of an array or a line that can't be read costs that record. Problems: 415 for another
/// content type, 400 for what is not JSON, 413 beyond the limits, 422 for a single object that can't be read.
/// `body` must have kBodyPadding bytes behind it.
[[nodiscard]] Outcome<Records> read_records(std::string_view content_type, const std::string& body,
                                            Wants wants, const Limits& limits, HtmlPart part = HtmlPart::all);

/// What a record may hold, without data where it is not there.
struct Contents {
  std::string_view text, html, fingerprint;
};

/// The text or fingerprint of a record, or why it has none.
void read_contents(const Contents& contents, HtmlPart part, Record& record);

/// Appends the answer to one record of many to `json`; `first` for the first.
void begin_answer(std::string& json, Form form, bool first);
/// Ends the answer of all.
void end_answers(std::string& json, Form form, bool none);
/// What the answer is.
[[nodiscard]] std::string_view content_type_of(Form form) noexcept;

/// One JSON object whose members are asked for by name; in the end none may be left over.
class Question {
 public:
  /// Problems as read_records().
  [[nodiscard]] static Outcome<Question> read(std::string_view content_type, const std::string& body);
  Question(Question&&) noexcept;
  Question& operator=(Question&&) noexcept;
  ~Question();

  /// A member; nothing where it is not there. Problem 422 where it is something else. Views live as long as
  /// the question.
  [[nodiscard]] Outcome<std::optional<std::string_view>> text(std::string_view name);
  [[nodiscard]] Outcome<std::optional<bool>> yes(std::string_view name);
  /// Seconds since 1970, or ISO 8601.
  [[nodiscard]] Outcome<std::optional<online::Seconds>> time(std::string_view name);
  /// Up to `most`.
  [[nodiscard]] Outcome<std::optional<std::uint64_t>> whole(std::string_view name, std::uint64_t most);
  [[nodiscard]] Outcome<std::optional<std::vector<std::string_view>>> texts(std::string_view name,
                                                                            std::size_t most);
  /// Parameters of a method, "name=value"; none where the member is not there. Problem 422 also for one that
  /// names a file: a request doesn't choose what the server reads.
  [[nodiscard]] Outcome<std::vector<std::string>> params(std::string_view name);
  /// Problem 422, naming it, if there is a member that was not asked for.
  [[nodiscard]] Outcome<void> nothing_else() const;

 private:
  struct Inside;
  explicit Question(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace leitong::server
