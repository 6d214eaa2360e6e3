// A comparison of two texts as plain text (for a terminal, a log or a message), as one HTML file, and as
// JSON.
#pragma once

#include <cstddef>
#include <optional>
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

/// The bytes of each text that render_compare_html() shows; the page tells how many are left out.
inline constexpr std::size_t kShownBytes = std::size_t{2} << 20;

/// Both texts side by side, with coloured, numbered and linked shared passages: a whole page without script,
/// network or external parts (its content security policy allows only a style sheet). A passage is a link to
/// its counterpart on the other side. Both texts are escaped and may be anything. The verdict of a corpus
/// stands below that of the two texts alone.
[[nodiscard]] std::string render_compare_html(const CompareResult& result, const NamedText& a,
                                              const NamedText& b, std::span<const MethodVerdict> methods = {},
                                              const CorpusVerdict* in_corpus = nullptr);

/// One JSON object and a line feed: the fields of CompareResult by their names, passages as byte ranges
/// [begin, end), "methods" if there are any, and "in_corpus" if `in_corpus` is set (null if no corpus was
/// given). A measure that was not computed is null.
[[nodiscard]] std::string render_compare_json(const CompareResult& result, const NamedText& a,
                                              const NamedText& b, std::span<const MethodVerdict> methods = {},
                                              const std::optional<CorpusVerdict>* in_corpus = nullptr);

}  // namespace leitong
