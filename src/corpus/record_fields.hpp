// What is asked of a record, and what it gives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/html_text.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What a run asks of a record. `names` lists the fields as one row: the id, then the texts, then the extra
/// ones.
struct FieldNames {
  FieldNames(std::string id, std::vector<std::string> texts, std::vector<std::string> extras);

  std::vector<std::string> names;
  std::size_t texts_end;  ///< names[1 .. texts_end) are the text fields
  std::string vector;     ///< the extra one that holds an array of numbers; empty: none does
  HtmlPart html = HtmlPart::all;
  std::string encoding;              ///< of files that are one document; empty: each is looked at
  std::uint64_t max_body_bytes = 0;  ///< of a document that its record holds compressed
  bool blank_texts = false;          ///< a text of white space alone is a text, too
};

/// A record's values. Views point into the record or into the reader that filled them, and live until its
/// next record.
struct RecordFields {
  std::string_view id;    ///< empty if the record has none
  std::string_view text;  ///< valid UTF-8, and not blank unless that was asked for, if there is no problem
  std::vector<std::string_view> extra;
  std::string problem;    ///< why the record can't be a document; empty if it can
  bool is_other = false;  ///< the record is of a type that holds no document: it is counted and passed over

  void clear() {
    id = text = {};
    extra.clear();
    problem.clear();
    is_other = false;
  }
};

/// Sets `fields.problem` unless `text` can be a document's: valid UTF-8, no NUL, something else than white
/// space unless FieldNames::blank_texts. `utf8_is_known` saves the check where a parser has made it.
void check_text(std::string_view text, bool utf8_is_known, const FieldNames& names, RecordFields& fields);

/// True if nothing but Unicode white space, zero-width spaces and byte order marks is there.
[[nodiscard]] bool is_blank(std::string_view utf8) noexcept;

/// Offset of the first byte that breaks UTF-8 (RFC 3629), or npos. O(n).
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view bytes) noexcept;

/// `field "text" is missing (found: id, body); try --text-field body`. `thing` is field or column,
/// `suggestion` may be empty.
[[nodiscard]] std::string missing_field_message(std::string_view thing, std::string_view name,
                                                const std::vector<std::string>& found,
                                                std::string_view suggestion);

}  // namespace leitong
