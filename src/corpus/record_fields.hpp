// The fields that a run needs of a record, and their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/html_text.hpp"
#include "leitong/records.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The wanted fields. `names` lists all of them: the id, then the texts, then the extra ones.
struct FieldNames {
  FieldNames(std::string id, std::vector<std::string> texts, std::vector<std::string> extras);

  std::vector<std::string> names;
  std::size_t texts_end;  ///< names[1 .. texts_end) are the text fields
  std::string vector;     ///< the extra field that holds an array of numbers; empty: none
  HtmlPart html = HtmlPart::all;
  std::string encoding;              ///< for files that are one document; empty: each is detected
  std::optional<char> delimiter;     ///< of tables of text; nothing: recognised
  std::optional<bool> quotes;        ///< do quotes enclose values in them? nothing: recognised
  std::uint64_t max_body_bytes = 0;  ///< for documents that are compressed within their record
  bool blank_texts = false;          ///< a text of white space alone is also a text
};

/// A record's values. The views point into the record or into the reader that filled them, and are valid
/// until its next record.
struct RecordFields {
  static constexpr std::size_t kNowhere = std::string_view::npos;
  std::string_view id;    ///< empty if the record has none
  std::string_view text;  ///< valid UTF-8 if there is no problem, and not blank unless allowed
  std::vector<std::string_view> extra;
  std::string problem;           ///< why the record cannot be a document; empty if it can
  std::size_t fault = kNowhere;  ///< the byte of the record where the problem is
  bool is_other = false;  ///< the record is of a type that holds no document: it is counted and skipped

  void clear() {
    id = text = {};
    extra.clear();
    problem.clear();
    fault = kNowhere;
    is_other = false;
  }
};

/// Sets `fields.problem` unless `text` can be a document's: valid UTF-8, no NUL, not only white space unless
/// FieldNames::blank_texts. `utf8_is_known` skips the check if a parser has done it.
/// Returns the byte of `text` that is wrong, or kNowhere if no single one is.
std::size_t check_text(std::string_view text, bool utf8_is_known, const FieldNames& names,
                       RecordFields& fields);

/// Is there nothing but Unicode white space, zero-width spaces and byte order marks?
[[nodiscard]] bool is_blank(std::string_view utf8) noexcept;

/// `field "text" is missing (found: id, body); try --text-field body`. `thing` is field or column,
/// `suggestion` may be empty.
[[nodiscard]] std::string missing_field_message(std::string_view thing, std::string_view name,
                                                const std::vector<std::string>& found,
                                                std::string_view suggestion);

}  // namespace leitong
