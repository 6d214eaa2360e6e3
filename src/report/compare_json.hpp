// A comparison for programs.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "leitong/compare.hpp"
#include "report/compare_text.hpp"
#include "similarity/method_verdict.hpp"

namespace leitong {

/// One JSON object, with a line feed: the fields of CompareResult by their names, passages as byte ranges
/// [begin, end), "methods" if there are any, and, for a caller that may ask a corpus (`in_corpus` is set),
/// "in_corpus", which is null if none was asked. A measure that wasn't computed is null.
[[nodiscard]] std::string render_compare_json(const CompareResult& result, const NamedText& a,
                                              const NamedText& b, std::span<const MethodVerdict> methods = {},
                                              const std::optional<CorpusVerdict>* in_corpus = nullptr);

}  // namespace leitong
