// A comparison as text for a terminal, a log or a message.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/pair.hpp"
#include "leitong/compare.hpp"
#include "similarity/method_verdict.hpp"

namespace leitong {

/// A compared text and what to call it.
struct NamedText {
  std::string_view name;
  std::string_view text;
};

/// What a corpus says of two texts, whose templates it knows.
struct CorpusVerdict {
  bool similar = false;
  VerifiedPair pair;   ///< its `own` is filled in where templates or rare passages decide
  std::string reason;  ///< in one line
};

struct CompareTextOptions {
  bool colour = false;  ///< ANSI escape sequences around shared passages
  /// Longest stretch, in characters, that is shown whole; of a longer one the two ends are shown and what is
  /// left out is counted.
  std::size_t whole = 240;
  std::span<const MethodVerdict> methods = {};  ///< what single methods say
  const CorpusVerdict* in_corpus = nullptr;     ///< null where no corpus was asked
};

/// "1 unit", "12 units".
[[nodiscard]] std::string counted(std::size_t number, std::string_view thing);
/// The length in units from which shared passages are named; that of the shortest one where a text is
/// shorter.
[[nodiscard]] std::size_t least_passage(const CompareResult& result) noexcept;
/// What the default rule says of the two, in a sentence.
[[nodiscard]] std::string compare_verdict(const CompareResult& result);

/// "similar; 0.9531, 3 bits differ".
[[nodiscard]] std::string method_verdict_text(const MethodVerdict& verdict);

/// The measures, then both texts in turn, each shared passage as "[number: text]". Nothing in the texts
/// reaches the terminal but characters that can be seen, line feeds and tabs.
[[nodiscard]] std::string render_compare_text(const CompareResult& result, const NamedText& a,
                                              const NamedText& b, const CompareTextOptions& options = {});

}  // namespace leitong
