#include "io/tsv.hpp"

#include <gtest/gtest.h>

#include <random>

namespace leitong {
namespace {

std::string escaped(std::string_view field) {
  std::string out;
  append_tsv_field(field, out);
  return out;
}
std::string unescaped(std::string_view field) {
  std::string out;
  append_unescaped_tsv_field(field, out);
  return out;
}

TEST(TsvField, WhatWouldBreakARowIsEscaped) {
  EXPECT_EQ(escaped("a\tb\nc\rd\\e"), "a\\tb\\nc\\rd\\\\e");
  EXPECT_EQ(unescaped("C:\\data\\"), "C:\\data\\") << "before anything else a backslash is itself";
}

TEST(TsvField, ControlCharactersAreEscapedSoThatARowIsText) {
  const std::string field("\0\x01\x1b[31m\x7f", 8);
  EXPECT_EQ(escaped(field), "\\x00\\x01\\x1b[31m\\x7f");
  EXPECT_EQ(unescaped(escaped(field)), field);
  EXPECT_EQ(unescaped("\\x41 \\x0 \\xzz \\x"), "\\x41 \\x0 \\xzz \\x") << "only what is written is read back";
}

TEST(TsvField, AnyBytesComeBack) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    std::string text;
    for (auto size = random() % 9; size > 0; --size) text += "\\tnrx01\t\n\ra\xE9\x02\x1f"[random() % 14];
    EXPECT_EQ(unescaped(escaped(text)), text);
    EXPECT_EQ(escaped(text).find_first_of("\t\n\r"), std::string::npos);
  }
}

}  // namespace
}  // namespace leitong
