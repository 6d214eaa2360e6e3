// Brings texts into one canonical spelling: compatibility forms, case, invisible characters, white space,
// punctuation and traditional characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "leitong/columns.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// How punctuation and symbols are treated.
enum class Punctuation : std::uint8_t {
  keep,  ///< they stay as NFKC leaves them (full width becomes narrow)
  fold,  ///< quotes, dashes and the stops of all scripts become the nearest ASCII character
  space  ///< they only separate, as white space does
};

/// How traditional Chinese characters are treated.
enum class Simplify : std::uint8_t {
  no,          ///< they stay
  characters,  ///< each becomes its simplified form, without regard to its neighbours
  phrases,  ///< OpenCC's phrases decide ("乾坤" stays, "乾" alone becomes "干"); OpenCC must be installed
};

/// What is normalised. With everything off the result is NFKC.
struct NormaliseSettings {
  bool fold_case = true;       ///< full case folding (so that "ß" is "ss"), as NFKC_Casefold has it
  bool drop_invisible = true;  ///< drop format, control and default ignorable characters
  /// A run of white space becomes one U+0020; white space at both ends of a text is dropped.
  bool run_space_together = true;
  Punctuation punctuation = Punctuation::keep;  ///< what happens to punctuation and symbols
  Simplify simplify = Simplify::no;             ///< what happens to traditional Chinese characters
};

/// Normalised texts, and how many of them met a limit.
struct NormalisedTexts {
  Strings texts;  ///< the normal form of each text
  /// Texts whose normal form is longer than 4 times the text plus 4,096 bytes; it is cut at this length. Only
  /// hostile texts have such forms.
  std::size_t cut_short = 0;
  /// Texts with more than 512 bytes of combining marks in a row; these are put in order in parts.
  std::size_t long_mark_runs = 0;
};

/// Brings each text into its normal form, in their order: NFKC (The Unicode Standard, section 3.11), or
/// NFKC_Casefold with fold_case; then the other settings; then NFC. Fails with corrupt, naming the first text
/// that is not valid UTF-8; with unsupported for Simplify::phrases without OpenCC; with cancelled. Linear in
/// the texts. The result has the same bytes on every processor and for any number of threads.
[[nodiscard]] Result<NormalisedTexts> normalise(const Context& context,
                                                std::span<const std::string_view> texts,
                                                const NormaliseSettings& settings = {});

}  // namespace leitong
