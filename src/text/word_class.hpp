// The behaviour of a code point at the boundaries of words. Internal to src/text.
#pragma once

#include <cstdint>

namespace leitong {

/// The Word_Break property (UAX #29). Scripts that are written without spaces are distinguished, and `other`
/// combines everything that never joins words.
enum class WordClass : std::uint8_t {
  other,
  newline,
  extend,  ///< marks and format characters: they belong to what they follow
  joiner,  ///< U+200D, the same; joins pictographs
  letter,
  lone,    ///< a letter that no rule joins to others (Tangut and other ideographs): a word of its own
  hangul,  ///< syllables: joined only to each other, as in ICU
  hebrew,
  numeric,
  at_sign,    ///< joins like a letter, as in CLDR (addresses stay whole), but makes no word
  connector,  ///< "_" and similar characters
  single_quote,
  double_quote,
  mid_both,
  mid_letter,
  mid_number,
  han,
  hiragana,
  katakana,
  complex,  ///< Thai, Lao, Khmer, Myanmar and others that need a dictionary
};

/// Added to the class if a character is an Extended_Pictographic.
inline constexpr std::uint8_t kPictographic = 0x80;

}  // namespace leitong
