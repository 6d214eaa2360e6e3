// The double-byte code: which bytes mean what, and that any bytes can be restored.
#include "online/double_byte.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "leitong/utf8.hpp"

namespace leitong::online {
namespace {

std::string coded(std::string_view text) {
  PodVector<char> code;
  to_double_byte(text, code);
  return {code.data(), code.size()};
}

std::string there_and_back(std::string_view text) {
  std::string back = "what was there before";
  return from_double_byte(coded(text), text.size(), back) ? back : "no text";
}

std::string utf8(char32_t code_point) {
  char bytes[4];
  return {bytes, encode_utf8(code_point, bytes)};
}

TEST(DoubleByte, AsciiStaysAndChineseTakesTwoBytes) {
  EXPECT_EQ(coded("near-duplicate"), "near-duplicate");
  EXPECT_EQ(coded(utf8(0x3000)), std::string("\x80\x00", 2));
  EXPECT_EQ(coded("一"), std::string("\x9E\x00", 2));
  EXPECT_EQ(coded(utf8(0x9FFF)), "\xEF\xFF");
  EXPECT_EQ(coded("，"), "\xF0\x0C");
  EXPECT_EQ(coded("“"), "\xF1\x1C");
  EXPECT_EQ(coded("é"), "\xF2\x69");
  EXPECT_EQ(coded("近似文本去重, 2 次").size(), 6 * 2 + 4 + 2);
}

TEST(DoubleByte, OtherBytesFollowAnEscape) {
  EXPECT_EQ(coded("한"), "\xFF\xED\xFF\x95\xFF\x9C");
  EXPECT_EQ(coded("\x80"), "\xFF\x80");
  EXPECT_EQ(coded("\xE4\xB8"), "\xFF\xE4\xFF\xB8");
}

TEST(DoubleByte, EveryCodePointComesBack) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) ASSERT_EQ(there_and_back(utf8(point)), utf8(point));
}

TEST(DoubleByte, BytesOfAnyKindComeBack) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t pieces = random() % 12; pieces > 0; --pieces) switch (random() % 4) {
        case 0:
          text += utf8(0x4E00 + random() % 0x5200);
          break;
        case 1:
          text += std::string(random() % 20, 'a');
          break;
        case 2:
          text += static_cast<char>(random());
          break;
        default:
          text += utf8(static_cast<char32_t>(random() % 0x20000));
          break;
      }
    ASSERT_EQ(there_and_back(text), text);
  }
}

TEST(DoubleByte, RefusesACodeOfNoSuchText) {
  std::string text;
  EXPECT_FALSE(from_double_byte("ab", 1, text));
  EXPECT_FALSE(from_double_byte("ab", 3, text));
  EXPECT_FALSE(from_double_byte("\x9E", 3, text));      // half of a number
  EXPECT_FALSE(from_double_byte("\xFF", 1, text));      // an escape of nothing
  EXPECT_FALSE(from_double_byte("\xFA\xFF", 3, text));  // no number
  EXPECT_FALSE(from_double_byte("\x9E\x10", 2, text));  // a character that is longer than the rest
}

}  // namespace
}  // namespace leitong::online
