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

struct NamedText {
  std::string_view name;
  std::string_view text;
};

/// The verdict of a corpus, which knows its templates, or of a base, which does not count, about two texts.
struct CorpusVerdict {
  bool similar = false;
  VerifiedPair pair;       ///< its `own` is set if templates or rare passages decide
  std::string reason;      ///< one line
  bool has_corpus = true;  ///< false: only a base was given
  bool only_base[2] = {};  ///< does A, and does B, hold nothing but the base?
};
/// "in the corpus", or "without the base".
[[nodiscard]] std::string_view place_of(const CorpusVerdict& verdict) noexcept;

struct CompareTextOptions {
  bool colour = false;  ///< ANSI escape sequences around shared passages
  /// Longest stretch, in characters, that is shown completely. Of a longer one both ends are shown, with the
  /// number of characters left out.
  std::size_t whole = 240;
  std::span<const MethodVerdict> methods = {};  ///< the verdicts of single methods
  const CorpusVerdict* in_corpus = nullptr;     ///< null if no corpus was given
};

/// "1 unit", "12 units".
[[nodiscard]] std::string counted(std::size_t number, std::string_view thing);
/// The least length in units of a shared passage; that of the shorter text if it is shorter.
[[nodiscard]] std::size_t least_passage(const CompareResult& result) noexcept;
/// The verdict of the default rule in a sentence.
[[nodiscard]] std::string compare_verdict(const CompareResult& result);

/// "similar; 0.9531, 3 bits differ".
[[nodiscard]] std::string method_verdict_text(const MethodVerdict& verdict);

/// The measures, then both texts in turn, each shared passage as "[number: text]". Of the texts, only visible
/// characters, line feeds and tabs reach the terminal.
[[nodiscard]] std::string render_compare_text(const CompareResult& result, const NamedText& a,
                                              const NamedText& b, const CompareTextOptions& options = {});

}  // namespace leitong
