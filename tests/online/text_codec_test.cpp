// The form in which texts are stored: which one is chosen, that each text is restored, and that damage is
// detected.
#include "online/text_codec.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <random>
#include <string>

#include "leitong/utf8.hpp"

namespace leitong::online {
namespace {

std::string packed(std::string_view text) {
  std::string bytes = "what was there before";
  TextCodec().pack(text, bytes);
  return bytes;
}

std::string unpacked(std::string_view bytes, std::size_t size) {
  std::string text;
  const auto result = TextCodec().unpack(bytes, size, text);
  return result ? text : result.error().message;
}

std::string chinese(std::size_t characters) {
  std::mt19937 random(7);
  std::string text;
  for (; characters > 0; --characters) {
    char bytes[4];
    text.append(bytes, encode_utf8(0x4E00 + random() % 3'000, bytes));
  }
  return text;
}

std::string english(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += "word" + std::to_string(i) + ' ';
  return text;
}

TEST(TextCodec, ShortTextsAreCodedOrStayAsTheyAre) {
  EXPECT_EQ(packed("ab"), "ab");
  EXPECT_EQ(packed("雷同"), "\1\xE6\xF7\xA4\x0C");
  EXPECT_EQ(packed(chinese(100)).size(), 1 + 200);
  EXPECT_EQ(packed(english(300)), english(300));
}

TEST(TextCodec, AnEmptyTextHasBytes) {
  EXPECT_FALSE(packed("").empty());
  EXPECT_EQ(unpacked(packed(""), 0), "");
}

TEST(TextCodec, MostlyChineseIsCodedUpTo8KBAndFramedBeyond) {
  EXPECT_EQ(packed(chinese(2'700))[0], '\1');
  EXPECT_EQ(packed(chinese(3'000))[0], '\2');
  EXPECT_LT(packed(chinese(3'000)).size(), 2 * 3'000);
}

TEST(TextCodec, OtherTextsAreFramed) {
  const std::string mixed = chinese(300) + english(2'000);
  EXPECT_EQ(packed(mixed)[0], '\2');
  EXPECT_EQ(packed(english(2'000)).substr(0, 4), "\x28\xB5\x2F\xFD");
}

TEST(TextCodec, EveryFormComesBack) {
  for (const std::size_t size : {0, 1, 2, 50, 170, 171, 400, 2'700, 3'000, 100'000})
    for (const std::string& text :
         {chinese(size), english(size), chinese(size / 2) + english(size), chinese(size) + "\xFF\x80"})
      EXPECT_EQ(unpacked(packed(text), text.size()), text);
}

TEST(TextCodec, DamageIsReported) {
  for (const std::string& text : {chinese(100), chinese(3'000), english(2'000)}) {
    const std::string whole = packed(text);
    for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{1}})
      EXPECT_EQ(unpacked(whole.substr(0, size), text.size()), "a stored text is damaged");
    EXPECT_EQ(unpacked(whole, text.size() + 1), "a stored text is damaged");
    EXPECT_EQ(unpacked(whole, text.size() - 1), "a stored text is damaged");
  }
}

}  // namespace
}  // namespace leitong::online
