// A comparison as one HTML file: both texts side by side, shared passages coloured, numbered and linked.
#pragma once

#include <cstddef>
#include <string>

#include "leitong/compare.hpp"
#include "report/compare_text.hpp"

namespace leitong {

/// Bytes of each text that the page shows; what is beyond is counted on the page.
inline constexpr std::size_t kShownBytes = std::size_t{2} << 20;

/// A whole page without script, network or outside parts (its content security policy allows a style sheet
/// alone). A passage is a link to its counterpart on the other side. Both texts are escaped and may be
/// anything. What a corpus says stands below the verdict of the two texts alone.
[[nodiscard]] std::string render_compare_html(const CompareResult& result, const NamedText& a,
                                              const NamedText& b, std::span<const MethodVerdict> methods = {},
                                              const CorpusVerdict* in_corpus = nullptr);

}  // namespace leitong
