// A comparison as one HTML file: both texts side by side, with coloured, numbered and linked shared passages.
#pragma once

#include <cstddef>
#include <string>

#include "leitong/compare.hpp"
#include "report/compare_text.hpp"

namespace leitong {

/// The bytes of each text that the page shows; the page tells how many are left out.
inline constexpr std::size_t kShownBytes = std::size_t{2} << 20;

/// A whole page without script, network or external parts (its content security policy allows only a style
/// sheet). A passage is a link to its counterpart on the other side. Both texts are escaped and may be
/// anything. The verdict of a corpus stands below that of the two texts alone.
[[nodiscard]] std::string render_compare_html(const CompareResult& result, const NamedText& a,
                                              const NamedText& b, std::span<const MethodVerdict> methods = {},
                                              const CorpusVerdict* in_corpus = nullptr);

}  // namespace leitong
