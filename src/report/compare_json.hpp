// A comparison for programs.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "leitong/compare.hpp"
#include "report/compare_text.hpp"
#include "similarity/method_verdict.hpp"

namespace leitong {

/// One JSON object and a line feed: the fields of CompareResult by their names, passages as byte ranges
/// [begin, end), "methods" if there are any, and "in_corpus" if `in_corpus` is set (null if no corpus was
/// given). A measure that was not computed is null.
[[nodiscard]] std::string render_compare_json(const CompareResult& result, const NamedText& a,
                                              const NamedText& b, std::span<const MethodVerdict> methods = {},
                                              const std::optional<CorpusVerdict>* in_corpus = nullptr);

}  // namespace leitong
