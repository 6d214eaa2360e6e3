// Lines, paragraphs and sentences of a text, and where it may be divided.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"
#include "leitong/trim.hpp"

namespace leitong {

/// Replaces `parts` by the parts of a text in their order; together they are the whole text. Text between
/// sentences (line ends, and spaces before a line) is a part of its own. REQUIRES: valid UTF-8, and no
/// TextPart::passage. Linear.
void split_parts(std::string_view utf8, TextPart part, std::vector<ByteRange>& parts);

/// Is this place between two characters that a reader sees as two? It is not beside a sign that joins (marks,
/// joiners, selectors), within a syllable of Hangul letters, between the halves of a flag, or within a
/// character. True at both ends. REQUIRES: valid UTF-8.
[[nodiscard]] bool may_divide(std::string_view utf8, std::size_t at) noexcept;

}  // namespace leitong
