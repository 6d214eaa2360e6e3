#include "corpus/unescape.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

std::string unescaped(std::string_view inside) {
  std::string out;
  const char* const problem = unescape_json(inside, out);
  return problem == nullptr ? out : std::string("! ") + problem;
}

TEST(UnescapeJson, ReplacesEveryEscapeAndLeavesTheRest) {
  EXPECT_EQ(unescaped(""), "");
  EXPECT_EQ(unescaped("雾大的日子"), "雾大的日子");
  EXPECT_EQ(unescaped(R"(a\"b\\c\/d\b\f\n\r\t)"), "a\"b\\c/d\b\f\n\r\t");
  EXPECT_EQ(unescaped(R"(\u96fe\u5927\uD83D\uDE00\u0000)"), std::string("雾大😀\0", 11));
}

TEST(UnescapeJson, ReadsBackWhatALibraryEscapes) {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 97) {
    if (c >= 0xD800 && c < 0xE000) continue;
    char bytes[4];
    const std::string text(bytes, encode_utf8(c, bytes));
    constexpr bool kAsciiOnly = true;
    const std::string quoted = nlohmann::json(text).dump(-1, ' ', kAsciiOnly);
    ASSERT_EQ(unescaped(std::string_view(quoted).substr(1, quoted.size() - 2)), text) << quoted;
  }
}

TEST(UnescapeJson, SaysWhatIsWrong) {
  EXPECT_EQ(unescaped("\\"), "! broken JSON: a backslash is followed by no valid escape");
  EXPECT_EQ(unescaped("\\x"), unescaped("\\"));
  EXPECT_EQ(unescaped("\\u12g4"), unescaped("\\"));
  EXPECT_EQ(unescaped("\\u12"), unescaped("\\"));
  const std::string lone = "! broken JSON: a lone surrogate (half of a \\u pair)";
  EXPECT_EQ(unescaped("\\ud83d"), lone);
  EXPECT_EQ(unescaped("\\ud83dx"), lone);
  EXPECT_EQ(unescaped("\\ude00"), lone);
  EXPECT_EQ(unescaped("\\ud83d\\u0041"), lone);
}

}  // namespace
}  // namespace leitong
