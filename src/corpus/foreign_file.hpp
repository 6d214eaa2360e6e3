// Recognises files without readable text, and knows what converts them.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// The kind of a file by its first bytes, and how to convert it ("a PDF document; convert it first: pdftotext
/// .."); empty if it may be text.
[[nodiscard]] std::string foreign_by_content(std::string_view first_bytes);

/// Why a source of no known kind is not one text: its first bytes are those of a container of many (mails, an
/// ARC archive), and how to convert it; empty if it may be text.
[[nodiscard]] std::string container_by_content(std::string_view first_bytes);

/// The same by the ending of its name, for kinds whose name promises a document (.pdf, .docx ..).
[[nodiscard]] std::string foreign_by_name(std::string_view path);

/// Why the first bytes of a file of records cannot be UTF-8 text, or empty: many of them are control
/// characters or break UTF-8. A few bad bytes only affect their records.
[[nodiscard]] std::string binary_content(std::string_view first_bytes);

}  // namespace leitong
