// The texts of PDF, Word and OpenDocument files, which a component reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// "pdf", "docx" or "odt", by the first bytes of a file; empty for another one.
[[nodiscard]] std::string_view office_kind(std::string_view first_bytes) noexcept;

/// The text of such a document, at most `most` bytes. The component leitong-documents reads it in a process
/// of its own. Fails with unsupported if the component is missing, and with corrupt for a document that it
/// cannot read; messages say what else makes a text of it.
[[nodiscard]] Result<std::string> office_text(std::string_view bytes, std::uint64_t most);

}  // namespace leitong
