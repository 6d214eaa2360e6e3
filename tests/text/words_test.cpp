#include "text/words.hpp"

#include <gmock/gmock.h>
#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <memory>
#include <string>

#include "leitong/utf8.hpp"
#include "text/random_text.hpp"
#include "text/sample_text.hpp"

namespace leitong {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for_each_word(text, [&](const Word& word) { words.emplace_back(word.text); });
  return words;
}

/// A script whose words ICU finds by rules alone and not by a dictionary. (Halves of flags are left out:
/// their pairs are no words, and only a flag joined to a letter by a joiner would show that they are not
/// counted.)
bool has_rules(UChar32 c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &error);
  return script != USCRIPT_HAN && !u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) && script != USCRIPT_HIRAGANA &&
         script != USCRIPT_KATAKANA && u_getIntPropertyValue(c, UCHAR_WORD_BREAK) != U_WB_KATAKANA &&
         u_getIntPropertyValue(c, UCHAR_LINE_BREAK) != U_LB_COMPLEX_CONTEXT;
}

bool counts(std::string_view piece) {
  for (std::size_t at = 0; at < piece.size();) {
    const DecodedPoint point = decode_utf8(piece, at);
    const int kind = u_getIntPropertyValue(static_cast<UChar32>(point.code_point), UCHAR_WORD_BREAK);
    if (kind == U_WB_ALETTER || kind == U_WB_HEBREW_LETTER || kind == U_WB_NUMERIC) return true;
    at += point.length;
  }
  return false;
}

/// ICU's words with a letter or digit.
std::vector<std::string> icu_words(const std::string& text) {
  UErrorCode error = U_ZERO_ERROR;
  static const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
  const icu::UnicodeString wide = icu::UnicodeString::fromUTF8(text);
  breaks->setText(wide);
  std::vector<std::string> words;
  for (int begin = breaks->first(), end = breaks->next(); end != icu::BreakIterator::DONE;
       begin = end, end = breaks->next()) {
    std::string piece;
    wide.tempSubStringBetween(begin, end).toUTF8String(piece);
    if (counts(piece)) words.push_back(piece);
  }
  return words;
}

TEST(WordsTest, RandomTextOfScriptsWithSpacesIsCutAsIcuDoes) {
  std::mt19937 random(21);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const std::string any = random_text(random, 1 + random() % 40);
    for (std::size_t at = 0; at < any.size();) {
      const DecodedPoint point = decode_utf8(any, at);
      if (has_rules(static_cast<UChar32>(point.code_point))) text.append(any, at, point.length);
      at += point.length;
    }
    ASSERT_EQ(words_of(text), icu_words(text)) << round << ": " << text;
  }
}

TEST(WordsTest, CharactersThatMeetTheRulesAreCutAsIcuDoes) {
  // Few characters, each subject to some rule, in all combinations.
  static constexpr char32_t kChosen[] = {'a',    'B',    '1',     '_',    '\'',   '"',     '.',    ',',
                                         ':',    ';',    ' ',     '\r',   '\n',   0x5D0,   0x5D1,  0x301,
                                         0x200D, 0x00AD, 0x2019,  0x00B7, 0x2139, 0x1F600, 0xAC00, 0x0661,
                                         0x066C, 0x203F, 0x1F170, 0x0915, 0x094D, 0xE0101, 0x2028};
  std::mt19937 random(22);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t n = 1 + random() % 12; n > 0; --n)
      append_utf8(kChosen[random() % std::size(kChosen)], text);
    ASSERT_EQ(words_of(text), icu_words(text)) << round;
  }
}

TEST(WordsTest, EnglishWordsKeepTheirApostrophesAndNumbersTheirPoints) {
  EXPECT_THAT(words_of("Don't panic: it's 3.14 or 1,000,000 at Ann's end."),
              ElementsAre("Don't", "panic", "it's", "3.14", "or", "1,000,000", "at", "Ann's", "end"));
  EXPECT_THAT(words_of("well-known e.g. 'quoted' _ __init__ C++"),
              ElementsAre("well", "known", "e.g", "quoted", "__init__", "C"));
}

TEST(WordsTest, NothingButPunctuationHasNoWords) {
  EXPECT_THAT(words_of("... -- \n\t!? 🙂🌩️ —"), SizeIs(0));
  EXPECT_THAT(words_of(""), SizeIs(0));
}

TEST(WordsTest, EuropeanAndCaucasianScripts) {
  EXPECT_THAT(words_of("Гром гремит, эхо повторяет."), ElementsAre("Гром", "гремит", "эхо", "повторяет"));
  EXPECT_THAT(words_of("L’écho répète l'orage d’été"), ElementsAre("L’écho", "répète", "l'orage", "d’été"));
  EXPECT_THAT(words_of("Η βροντή αντηχεί δύο φορές"), ElementsAre("Η", "βροντή", "αντηχεί", "δύο", "φορές"));
  EXPECT_THAT(words_of("ჭექა ორჯერ ისმის"), ElementsAre("ჭექა", "ორჯერ", "ისმის"));
}

TEST(WordsTest, ArabicAndHebrew) {
  EXPECT_THAT(words_of("الرعد يتكرر مرتين، كالصدى."), ElementsAre("الرعد", "يتكرر", "مرتين", "كالصدى"));
  EXPECT_THAT(words_of("הרעם נשמע פעמיים בצה\"ל"), ElementsAre("הרעם", "נשמע", "פעמיים", "בצה\"ל"));
}

TEST(WordsTest, IndicScriptsKeepTheirMarks) {
  EXPECT_THAT(words_of("गरज दो बार सुनाई देती है।"), ElementsAre("गरज", "दो", "बार", "सुनाई", "देती", "है"));
  EXPECT_THAT(words_of("இடி இரண்டு முறை"), ElementsAre("இடி", "இரண்டு", "முறை"));
}

TEST(WordsTest, KoreanBySpaces) {
  EXPECT_THAT(words_of("천둥이 두 번 울린다."), ElementsAre("천둥이", "두", "번", "울린다"));
}

TEST(WordsTest, JapaneseByTheDictionary) {
  const auto words = words_of("雷の音が谷に二度響いた。");
  EXPECT_THAT(words, Contains("雷"));
  EXPECT_THAT(words, Contains("谷"));
  EXPECT_GE(words.size(), 7u);
  EXPECT_THAT(words_of("カミナリ"), ElementsAre("カミナリ"));
}

TEST(WordsTest, ThaiLaoKhmerAndBurmeseByTheirDictionaries) {
  EXPECT_THAT(words_of("เสียงฟ้าร้องดังสองครั้ง"), Contains("สอง"));
  EXPECT_GE(words_of("เสียงฟ้าร้องดังสองครั้ง").size(), 4u);
  EXPECT_GE(words_of("ສຽງຟ້າຮ້ອງດັງສອງເທື່ອ").size(), 3u);
  EXPECT_GE(words_of("សំឡេងផ្គរលាន់ពីរដង").size(), 3u);
  EXPECT_GE(words_of("မိုးခြိမ်းသံနှစ်ကြိမ်ကြားရသည်").size(), 3u);
}

TEST(WordsTest, AScriptWithoutSpacesOrDictionaryIsNoSingleToken) {
  const std::string tai_le = "ᥖᥭᥰᥘᥫᥴᥖᥭᥰᥘᥫᥴᥖᥭᥰᥘᥫᥴᥖᥭᥰᥘᥫᥴ";
  const auto words = words_of(tai_le);
  EXPECT_GT(words.size(), 3u);
  std::string joined;
  for (const std::string& word : words) joined += word;
  EXPECT_EQ(joined, tai_le);
}

TEST(WordsTest, ChineseIsHandedOutForASegmenter) {
  std::vector<Word> words;
  for_each_word("雷声与echo同响3次，山谷。", [&](const Word& word) { words.push_back(word); });
  ASSERT_THAT(words, SizeIs(6));
  EXPECT_EQ(words[0].text, "雷声与");
  EXPECT_EQ(words[0].kind, WordKind::han);
  EXPECT_EQ(words[1].text, "echo");
  EXPECT_EQ(words[1].kind, WordKind::word);
  EXPECT_EQ(words[5].text, "山谷");
}

TEST(WordsTest, WordsAreInOrderAndNoLetterIsLost) {
  std::mt19937 random(23);
  for (int round = 0; round < 500; ++round) {
    const std::string text = random_text(random, 30);
    std::size_t at = 0;
    for_each_word(text, [&](const Word& word) {
      const auto begin = static_cast<std::size_t>(word.text.data() - text.data());
      ASSERT_GE(begin, at);
      ASSERT_FALSE(word.text.empty());
      for (; at < begin;) {
        const DecodedPoint point = decode_utf8(text, at);
        const auto c = static_cast<UChar32>(point.code_point);
        const bool letter = u_hasBinaryProperty(c, UCHAR_ALPHABETIC) &&
                            u_getIntPropertyValue(c, UCHAR_WORD_BREAK) != U_WB_EXTEND;
        ASSERT_FALSE(letter) << round << ' ' << std::hex << static_cast<unsigned>(c);
        at += point.length;
      }
      at = begin + word.text.size();
    });
  }
}

}  // namespace
}  // namespace leitong
