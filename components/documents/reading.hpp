// The parts of the program; main.cpp joins them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace leitong::documents {

/// The text of a document, or why it has none.
struct ReadText {
  std::string text;     ///< UTF-8
  std::string problem;  ///< empty: it could be read
};

/// The text of a PDF document, page by page, in its reading order. `most` bounds it in bytes.
[[nodiscard]] ReadText read_pdf(std::string_view bytes, std::size_t most);
/// The text of a Word document (DOCX): paragraphs of the body, then footnotes and endnotes; a line each.
/// Without deleted passages of tracked changes, headers and footers.
[[nodiscard]] ReadText read_docx(std::string_view bytes, std::size_t most);
/// The text of an OpenDocument text (ODT): a line for each paragraph and heading. Without comments and
/// tracked changes.
[[nodiscard]] ReadText read_odt(std::string_view bytes, std::size_t most);

}  // namespace leitong::documents
