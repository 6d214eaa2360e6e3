#include "leitong/utf8.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace leitong {
namespace {

std::vector<char32_t> points(std::string_view text) {
  std::vector<char32_t> result;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint point = decode_utf8(text, at);
    result.push_back(point.code_point);
    EXPECT_EQ(point.valid, point.code_point != 0xFFFD) << "at " << at;
    at += point.length;
  }
  return result;
}

std::string encode(char32_t c) {
  std::string out;
  const auto add = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0 | c >> 6);
    add(0x80 | (c & 63));
  } else if (c < 0x10000) {
    add(0xE0 | c >> 12);
    add(0x80 | (c >> 6 & 63));
    add(0x80 | (c & 63));
  } else {
    add(0xF0 | c >> 18);
    add(0x80 | (c >> 12 & 63));
    add(0x80 | (c >> 6 & 63));
    add(0x80 | (c & 63));
  }
  return out;
}

TEST(DecodeUtf8, TakesEveryScalarValueAndNoSurrogate) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const std::string bytes = encode(c);
    const DecodedPoint point = decode_utf8(bytes, 0);
    const bool surrogate = c >= 0xD800 && c < 0xE000;
    ASSERT_EQ(point.valid, !surrogate) << std::hex << static_cast<unsigned>(c);
    if (!surrogate) {
      ASSERT_EQ(point.code_point, c);
      ASSERT_EQ(point.length, bytes.size());
    }
  }
}

TEST(EncodeUtf8, IsTheReverse) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    char bytes[4];
    ASSERT_EQ(std::string(bytes, encode_utf8(c, bytes)), encode(c)) << std::hex << static_cast<unsigned>(c);
  }
}

TEST(DecodeUtf8, ATextIsUtf8IfEveryPointIsValid) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("渡船 a\xF0\x9F\x9A\xA2"));
  EXPECT_FALSE(is_utf8("渡船\xFF"));
  EXPECT_FALSE(is_utf8("\xE4\xB8"));
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));  // a surrogate
}

TEST(DecodeUtf8, ReplacesMaximalSubparts) {
  using Points = std::vector<char32_t>;
  EXPECT_EQ(points("\xC0\xAF"), (Points{0xFFFD, 0xFFFD}));              // overlong "/"
  EXPECT_EQ(points("\xE0\x80\xAF"), (Points{0xFFFD, 0xFFFD, 0xFFFD}));  // overlong, three bytes
  EXPECT_EQ(points("\xE4\xB8"), (Points{0xFFFD}));                      // cut off
  EXPECT_EQ(points("\xE4\xB8!"), (Points{0xFFFD, '!'}));                // broken off
  EXPECT_EQ(points("\xF4\x90\x80\x80"), Points(4, 0xFFFD));             // above U+10FFFF
  EXPECT_EQ(points("\xFF\x80"), (Points{0xFFFD, 0xFFFD}));
}

}  // namespace
}  // namespace leitong
