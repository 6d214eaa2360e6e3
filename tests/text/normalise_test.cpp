#include "text/normalise.hpp"

#include <gmock/gmock.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <utf8proc.h>

#include <cstdlib>
#include <string>

#include "text/random_text.hpp"
#include "text/sample_text.hpp"
#include "text/simd_levels.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

/// All options off except those named: NFKC.
constexpr NormaliseOptions kPlain{.fold_case = false, .drop_invisible = false, .run_space_together = false};
constexpr NormaliseOptions kCasefold{.run_space_together = false};

std::vector<NormaliseOptions> all_options() {
  std::vector<NormaliseOptions> all;
  for (const bool fold_case : {false, true})
    for (const bool drop_invisible : {false, true})
      for (const bool together : {false, true})
        for (const bool simplify : {false, true})
          for (const Punctuation punctuation : {Punctuation::keep, Punctuation::fold, Punctuation::space})
            all.push_back({fold_case, drop_invisible, together, punctuation, simplify});
  return all;
}

std::string text_of(const PodVector<char>& bytes) { return {bytes.begin(), bytes.end()}; }

std::string normalised(std::string_view text, const NormaliseOptions& options = {}) {
  PodVector<char> normal;
  Normaliser normaliser(options);
  EXPECT_EQ(normaliser(text, normal).read, text.size());
  return text_of(normal);
}

std::string utf8_of(const icu::UnicodeString& text) {
  std::string utf8;
  text.toUTF8String(utf8);
  return utf8;
}

bool is_surrogate(char32_t c) { return c >= 0xD800 && c < 0xE000; }

/// ICU's own answer in one of its forms.
std::string icu_form(std::string_view text, const icu::Normalizer2* (*get)(UErrorCode&)) {
  UErrorCode error = U_ZERO_ERROR;
  const auto from =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int>(text.size())));
  const auto to = get(error)->normalize(from, error);
  EXPECT_TRUE(U_SUCCESS(error));
  return utf8_of(to);
}
std::string icu_nfkc(std::string_view text) { return icu_form(text, &icu::Normalizer2::getNFKCInstance); }
std::string icu_casefold(std::string_view text) {
  return icu_form(text, &icu::Normalizer2::getNFKCCasefoldInstance);
}

std::string utf8proc_form(std::string_view text, int options) {
  utf8proc_uint8_t* result = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &result,
                                 static_cast<utf8proc_option_t>(options));
  EXPECT_GE(size, 0);
  std::string copy(reinterpret_cast<const char*>(result), static_cast<std::size_t>(size));
  std::free(result);
  return copy;
}

/// The text without what drop_invisible drops and NFKC_Casefold keeps.
std::string without_controls(std::string_view text) {
  const auto from =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int>(text.size())));
  icu::UnicodeString to;
  for (int i = 0; i < from.length(); i = from.moveIndex32(i, 1)) {
    const UChar32 c = from.char32At(i);
    const bool gone = (U_MASK(u_charType(c)) & (U_GC_CC_MASK | U_GC_CF_MASK)) ||
                      u_hasBinaryProperty(c, UCHAR_NONCHARACTER_CODE_POINT);
    if (!gone || u_hasBinaryProperty(c, UCHAR_WHITE_SPACE)) to.append(c);
  }
  return utf8_of(to);
}

TEST(NormaliseTest, EveryCodePointIsAsInIcuAndUtf8proc) {
  const Normaliser plain(kPlain);
  const Normaliser casefold(kCasefold);
  PodVector<char> normal;
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    if (is_surrogate(c)) continue;
    std::string text;
    append_utf8(c, text);
    plain(text, normal);
    ASSERT_EQ(text_of(normal), icu_nfkc(text)) << std::hex << static_cast<unsigned>(c);
    if (utf8proc_codepoint_valid(static_cast<int>(c))) {
      ASSERT_EQ(text_of(normal), utf8proc_form(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT))
          << std::hex << static_cast<unsigned>(c);
    }
    casefold(text, normal);
    ASSERT_EQ(text_of(normal), icu_casefold(without_controls(text))) << std::hex << static_cast<unsigned>(c);
  }
}

TEST(NormaliseTest, EveryCodePointBetweenABaseAndAMarkIsAsInIcu) {
  const Normaliser plain(kPlain);
  const Normaliser casefold(kCasefold);
  PodVector<char> normal;
  for (char32_t c = 1; c < 0x30000; ++c) {
    if (is_surrogate(c)) continue;
    std::string text = "a\u0323";
    append_utf8(c, text);
    text += "\u0301\u3099";
    plain(text, normal);
    ASSERT_EQ(text_of(normal), icu_nfkc(text)) << std::hex << static_cast<unsigned>(c);
    casefold(text, normal);
    ASSERT_EQ(text_of(normal), icu_casefold(without_controls(text))) << std::hex << static_cast<unsigned>(c);
  }
}

TEST(NormaliseTest, RandomStringsAreAsInIcuAndUtf8proc) {
  const Normaliser plain(kPlain);
  const Normaliser casefold(kCasefold);
  PodVector<char> normal;
  std::mt19937 random(11);
  for (int round = 0; round < 2500; ++round) {
    const std::string text = random_text(random, 1 + random() % 60);
    plain(text, normal);
    ASSERT_EQ(text_of(normal), icu_nfkc(text)) << round;
    ASSERT_EQ(text_of(normal), utf8proc_form(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT))
        << round;
    casefold(text, normal);
    ASSERT_EQ(text_of(normal), icu_casefold(without_controls(text))) << round;
  }
}

TEST(NormaliseTest, EveryKernelAgreesWithTheSlowTwinUnderAllOptions) {
  std::mt19937 random(12);
  PodVector<char> slow, fast;
  PodVector<char32_t> points;
  std::vector<NormalisedRun> runs;
  for (const NormaliseOptions& options : all_options()) {
    const Normaliser normaliser(options);
    for (int round = 0; round < 40; ++round) {
      const std::string text = random_text(random, 1 + random() % (round % 8 == 0 ? 600 : 40));
      const NormaliseResult expected = normaliser.with_places(text, slow, runs);
      for (const Simd level : usable_simd_levels()) {
        const GuardedText guarded(text);
        const NormaliseResult result = normaliser(guarded.text(), fast, level);
        ASSERT_EQ(text_of(fast), text_of(slow)) << simd_name(level) << ' ' << round;
        ASSERT_EQ(result.read, expected.read);
        ASSERT_EQ(result.cut_marks, expected.cut_marks);
        normaliser(guarded.text(), points, level);
        std::string encoded;
        for (const char32_t c : points) append_utf8(c, encoded);
        ASSERT_EQ(encoded, text_of(slow)) << simd_name(level) << ' ' << round;
      }
    }
  }
}

TEST(NormaliseTest, RealSentencesAgreeWithTheSlowTwinFromEveryPlace) {
  const Normaliser normaliser({.simplify = true});
  PodVector<char> slow, fast;
  std::vector<NormalisedRun> runs;
  for (std::size_t i = 0; i < kSampleText.size(); ++i) {
    if ((kSampleText[i] & 0xC0) == 0x80) continue;
    const GuardedText guarded(kSampleText.substr(i));
    normaliser.with_places(guarded.text(), slow, runs);
    for (const Simd level : usable_simd_levels()) {
      normaliser(guarded.text(), fast, level);
      ASSERT_EQ(text_of(fast), text_of(slow)) << simd_name(level) << ' ' << i;
    }
  }
}

TEST(NormaliseTest, PlacesCoverTheNormalFormAndLeadBackToTheOriginal) {
  std::mt19937 random(13);
  PodVector<char> normal;
  std::vector<NormalisedRun> runs;
  const Normaliser normaliser;
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random, 30);
    normaliser.with_places(text, normal, runs);
    std::size_t at = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      ASSERT_EQ(runs[i].normal.begin, at);
      at = runs[i].normal.end;
      ASSERT_LE(runs[i].original.end, text.size());
      ASSERT_LE(i == 0 ? 0 : runs[i - 1].original.begin, runs[i].original.begin);
      if (runs[i].changed) continue;
      ASSERT_EQ(text_of(normal).substr(runs[i].normal.begin, runs[i].normal.size()),
                text.substr(runs[i].original.begin, runs[i].original.size()));
    }
    ASSERT_EQ(at, normal.size());
  }
}

TEST(NormaliseTest, EvidenceIsShownInTheOriginal) {
  const std::string text = "  Die STRASSE\u3000\u3000nach Ｗien ①!";
  PodVector<char> normal;
  std::vector<NormalisedRun> runs;
  Normaliser().with_places(text, normal, runs);
  EXPECT_EQ(text_of(normal), "die strasse nach wien 1!");
  const auto shown = [&](std::string_view wanted) {
    const std::size_t at = text_of(normal).find(wanted);
    const ByteRange place = original_place(runs, {at, at + wanted.size()});
    return text.substr(place.begin, place.size());
  };
  EXPECT_EQ(shown("strasse"), "STRASSE");
  EXPECT_EQ(shown("nach"), "nach");
  EXPECT_EQ(shown("wien"), "Ｗien");
  EXPECT_EQ(shown("e n"), "E\u3000\u3000n");
  EXPECT_EQ(shown("1!"), "①!");
}

TEST(NormaliseTest, WhiteSpaceRunsTogether) {
  EXPECT_EQ(normalised(" \t a \r\n\u3000\u00A0b\u2028 "), "a b");
  EXPECT_EQ(normalised(" \n\u2003"), "");
  EXPECT_EQ(normalised("a\n b", {.run_space_together = false}), "a\n b");
}

TEST(NormaliseTest, InvisibleCharactersGoBeforeTheRestComposes) {
  EXPECT_EQ(normalised("e\u200B\u0301 thun\u00ADder\x07\uFEFF"), "\u00E9 thunder");
  EXPECT_EQ(normalised("a\u200Bb", {.drop_invisible = false}), "a\u200Bb");
}

TEST(NormaliseTest, PunctuationIsKeptFoldedOrTakenForSpace) {
  const std::string text = "「雷」，同。—…‘a’";
  EXPECT_EQ(normalised(text), "「雷」,同。—...‘a’");
  EXPECT_EQ(normalised(text, {.punctuation = Punctuation::fold}), "\"雷\",同.-...'a'");
  EXPECT_EQ(normalised(text, {.punctuation = Punctuation::space}), "雷 同 a");
}

TEST(NormaliseTest, TraditionalCharactersBecomeSimplifiedOnes) {
  EXPECT_EQ(normalised("雷聲與閃電", {.simplify = true}), "雷声与闪电");
  EXPECT_EQ(normalised("雷聲與閃電"), "雷聲與閃電");
}

TEST(NormaliseTest, NormalisingTwiceIsNormalisingOnce) {
  std::mt19937 random(14);
  for (const NormaliseOptions& options : {NormaliseOptions{}, NormaliseOptions{.simplify = true}, kPlain}) {
    for (int round = 0; round < 150; ++round) {
      const std::string once = normalised(random_text(random, 30), options);
      ASSERT_EQ(normalised(once, options), once) << round;
    }
  }
}

/// Texts that the normaliser makes equal are equal for the default method: there is one notion of sameness.
bool same_units(std::string_view text) {
  PodVector<Unit> of_text, of_normal;
  to_units(text, of_text);
  to_units(normalised(text), of_normal);
  return std::equal(of_text.begin(), of_text.end(), of_normal.begin(), of_normal.end());
}

TEST(NormaliseTest, UnitsOfTheNormalFormAreUnitsOfTheText) {
  // Symbols that NFKC spells with a combining mark (spacing accents) only separate units, as other symbols
  // do.
  const Normaliser normaliser;
  PodVector<Unit> of_text, of_normal;
  PodVector<char> normal;
  for (char32_t c = 1; c < 0x40000; ++c) {
    if (is_surrogate(c)) continue;
    std::string text;
    append_utf8(c, text);
    to_units(text, of_text);
    normaliser(text, normal);
    to_units({normal.data(), normal.size()}, of_normal);
    if (std::equal(of_text.begin(), of_text.end(), of_normal.begin(), of_normal.end())) continue;
    ASSERT_TRUE(U_MASK(u_charType(static_cast<UChar32>(c))) & (U_GC_S_MASK | U_GC_PC_MASK | U_GC_PO_MASK))
        << std::hex << static_cast<unsigned>(c);
    ASSERT_TRUE(of_text.empty());
  }
  std::string sentences(kSampleText);
  const std::string_view accent = "\u00B4";
  sentences.erase(sentences.find(accent), accent.size());
  for (std::size_t i = 0; i < sentences.size(); ++i)
    ASSERT_TRUE((sentences[i] & 0xC0) == 0x80 ||
                same_units(std::string_view(sentences).substr(i, sentences.find('\n', i) - i)))
        << i;
}

TEST(NormaliseTest, ExpansionIsCappedAndSaid) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "\uFDFA";
  PodVector<char> normal;
  const NormaliseResult result = Normaliser()(text, normal);
  EXPECT_LT(result.read, text.size());
  EXPECT_GT(result.read, 0u);
  EXPECT_LE(normal.size(), text.size() * kNormalGrowth + kNormalSlack);
  EXPECT_EQ(normalised(text.substr(0, 30)).size(), 10 * 33u + 0u);
}

TEST(NormaliseTest, LongRunsOfMarksAreCutAndSaid) {
  std::string text = "e";
  for (int i = 0; i < 5000; ++i) text += i % 2 ? "\u0301" : "\u0316";
  PodVector<char> slow, fast;
  std::vector<NormalisedRun> runs;
  const Normaliser normaliser;
  const NormaliseResult result = normaliser(text, fast);
  EXPECT_EQ(result.read, text.size());
  EXPECT_GT(result.cut_marks, 0u);
  normaliser.with_places(text, slow, runs);
  EXPECT_EQ(text_of(fast), text_of(slow));
}

TEST(NormaliseTest, NoCharacterGrowsBeyondTheRoomForIt) {
  for (const NormaliseOptions& options : all_options()) {
    const Normaliser normaliser(options);
    PodVector<char> normal;
    for (char32_t c = 0x80; c < 0x40000; ++c) {
      if (is_surrogate(c)) continue;
      std::string text;
      append_utf8(c, text);
      normaliser(text, normal);
      ASSERT_LE(normal.size(), text.size() * 11) << std::hex << static_cast<unsigned>(c);
    }
  }
}

}  // namespace
}  // namespace leitong
