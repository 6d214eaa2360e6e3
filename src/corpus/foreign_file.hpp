// Files that hold no text that leitong reads, and what turns them into one.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// What a file is by its first bytes, and what converts it ("a PDF document; convert it first: pdftotext
/// .."); empty for what may be a text.
[[nodiscard]] std::string foreign_by_content(std::string_view first_bytes);

/// The same by the ending of its name, for those kinds whose name promises a document (.pdf, .docx ..).
[[nodiscard]] std::string foreign_by_name(std::string_view path);

/// Why the first bytes of a file of records can't be text in UTF-8, or empty: many of them are control
/// characters or break UTF-8. A few bad bytes are the affair of the records they are in.
[[nodiscard]] std::string binary_content(std::string_view first_bytes);

}  // namespace leitong
