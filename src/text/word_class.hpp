// What a code point does at the edges of words. Internal to src/text.
#pragma once

#include <cstdint>

namespace leitong {

/// The Word_Break property (UAX #29), with the scripts that write no spaces told apart and what never joins
/// words together summed up in `other`.
enum class WordClass : std::uint8_t {
  other,
  newline,
  extend,  ///< marks and format characters: part of what they follow
  joiner,  ///< U+200D, likewise; joins pictographs
  letter,
  lone,    ///< a letter that no rule joins to others (Tangut and other ideographs): a word by itself
  hangul,  ///< syllables: joined to each other alone, as ICU has it
  hebrew,
  numeric,
  at_sign,    ///< joins like a letter, as CLDR has it (addresses stay whole), but makes no word
  connector,  ///< "_" and its kin
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

/// Set beside the class where a character is an Extended_Pictographic.
inline constexpr std::uint8_t kPictographic = 0x80;

}  // namespace leitong
