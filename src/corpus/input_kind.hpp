// What a file is taken for: by its name, else by how it begins.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong {

/// What a file is taken for. `automatic` decides, compression endings aside, by the name (.jsonl .ndjson
/// .json: jsonl; .csv; .tsv; .html .htm .xhtml: html; .txt .md: text) and, where the name says nothing, by
/// the first character that is no white space: "{" is jsonl and "<" is html; anything else is one text, or on
/// standard input one text a line.
enum class InputKind : std::uint8_t { automatic, jsonl, csv, tsv, lines, text, html };

[[nodiscard]] std::string_view input_kind_name(InputKind kind) noexcept;

/// True where a whole file is one document.
[[nodiscard]] constexpr bool is_one_document(InputKind kind) noexcept {
  return kind == InputKind::text || kind == InputKind::html;
}

/// True where records have columns, under a header.
[[nodiscard]] constexpr bool is_table(InputKind kind) noexcept {
  return kind == InputKind::csv || kind == InputKind::tsv;
}
[[nodiscard]] constexpr char table_delimiter(InputKind kind) noexcept {
  return kind == InputKind::tsv ? '\t' : ',';
}

/// `automatic` if the name doesn't tell. Letter case of the ending doesn't matter.
[[nodiscard]] InputKind kind_of_name(std::string_view path) noexcept;

/// Never `automatic`. `first_bytes` are uncompressed.
[[nodiscard]] InputKind kind_of_content(std::string_view first_bytes, bool standard_input) noexcept;

}  // namespace leitong
