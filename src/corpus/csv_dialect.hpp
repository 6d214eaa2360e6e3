// How the rows of a table of text are divided.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

struct FieldNames;

/// What separates columns, and whether quotes enclose values.
struct CsvDialect {
  char delimiter = ',';
  bool quotes = true;     ///< false: a quote is a character like others
  bool is_named = false;  ///< the user has said that quotes enclose values

  bool operator==(const CsvDialect&) const = default;
};

/// The delimiter that a setting means: one character of ASCII, or "tab"; nothing if it is empty. Fails with
/// invalid_argument for anything else, and for characters that cannot separate columns.
[[nodiscard]] Result<std::optional<char>> parse_delimiter(std::string_view setting);
/// Do quotes enclose values? The setting is "none", a double quote, or empty. Fails with invalid_argument for
/// anything else.
[[nodiscard]] Result<std::optional<bool>> parse_quote(std::string_view setting);

/// "commas", "tabs", "semicolons", .., for messages.
[[nodiscard]] std::string delimiter_name(char delimiter);

/// Appends a value in quotes; those inside are doubled.
void append_quoted(std::string_view value, std::string& out);

/// The dialect of a table that begins with these bytes. What the user has named counts. Otherwise the
/// delimiter is `usual` if the header then has the wanted texts, else the one of comma, tab, semicolon and
/// bar with which it has them, else the one that gives the most columns. Quotes enclose values, unless the
/// first rows show that they do not: every line is a whole row, and more values have a stray quote than are
/// quoted.
[[nodiscard]] CsvDialect recognise_dialect(std::string_view first_bytes, char usual, const FieldNames& names);

}  // namespace leitong
