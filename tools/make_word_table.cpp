// Writes build/.../generated/word_table.inc: the word-break class of each code point, for src/text/words.cpp.
// Made from ICU, so that no foreign data lies in this repository.
#include <unicode/uscript.h>

#include <fstream>

#include "text/word_class.hpp"
#include "unicode_source.hpp"

namespace {

using leitong::kFoldLimit;
using leitong::kPictographic;
using leitong::WordClass;
using leitong::tools::stop;

WordClass class_of(UChar32 c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &error);
  const auto word_break = static_cast<UWordBreakValues>(u_getIntPropertyValue(c, UCHAR_WORD_BREAK));
  // Rules do not apply to scripts without spaces, but their marks, digits and stops behave like those of
  // others.
  if (script == USCRIPT_HAN && (u_isalpha(c) || u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC)))
    return WordClass::han;
  if (word_break == U_WB_KATAKANA) return WordClass::katakana;
  if (word_break == U_WB_OTHER || word_break == U_WB_ALETTER) {
    if (script == USCRIPT_HIRAGANA && u_isalpha(c)) return WordClass::hiragana;
    if (u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT) return WordClass::complex;
  }
  if (c >= 0xAC00 && c <= 0xD7A3) return WordClass::hangul;
  if (word_break == U_WB_OTHER && u_hasBinaryProperty(c, UCHAR_ALPHABETIC)) return WordClass::lone;
  // As in CLDR's root locale: colons are inside words only in Swedish, and addresses are words.
  if (c == '@') return WordClass::at_sign;
  if (c == ':' || c == 0xFE55 || c == 0xFF1A) return WordClass::other;
  switch (word_break) {
    case U_WB_CR:
    case U_WB_LF:
    case U_WB_NEWLINE:
      return WordClass::newline;
    case U_WB_EXTEND:
    case U_WB_FORMAT:
      return WordClass::extend;
    case U_WB_ZWJ:
      return WordClass::joiner;
    case U_WB_ALETTER:
      return WordClass::letter;
    case U_WB_HEBREW_LETTER:
      return WordClass::hebrew;
    case U_WB_NUMERIC:
      return WordClass::numeric;
    case U_WB_EXTENDNUMLET:
      return WordClass::connector;
    case U_WB_SINGLE_QUOTE:
      return WordClass::single_quote;
    case U_WB_DOUBLE_QUOTE:
      return WordClass::double_quote;
    case U_WB_MIDNUMLET:
      return WordClass::mid_both;
    case U_WB_MIDLETTER:
      return WordClass::mid_letter;
    case U_WB_MIDNUM:
      return WordClass::mid_number;
    default:
      return WordClass::other;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) stop("usage: make_word_table OUTPUT");
  std::vector<std::uint32_t> entries;
  entries.reserve(kFoldLimit);
  for (UChar32 c = 0; c < static_cast<UChar32>(kFoldLimit); ++c)
    entries.push_back(static_cast<std::uint32_t>(class_of(c)) |
                      (u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) ? kPictographic : 0));
  std::ofstream out(argv[1]);
  out << "// Written by tools/make_word_table.cpp during the build.\n"
      << std::hex << "constexpr TableRun kWordRuns[] = {\n";
  leitong::tools::write_runs(entries, out);
  out << "};\n";
  out.close();
  if (!out) stop(std::string("can't write ") + argv[1]);
  return 0;
}
