#include "index/hamming/fingerprint_digits.hpp"

#include <gtest/gtest.h>

#include <random>

namespace leitong::hamming {
namespace {

template <Fingerprint F>
std::string written(F fingerprint, Digits digits) {
  std::string text;
  append_digits(fingerprint, digits, text);
  return text;
}

TEST(FingerprintDigits, KnownNumbers) {
  EXPECT_EQ(written<Fingerprint64>(0xff, Digits::hex), "00000000000000ff");
  EXPECT_EQ(written<Fingerprint64>(0, Digits::decimal), "0");
  EXPECT_EQ(written<Fingerprint64>(~0ULL, Digits::decimal), "18446744073709551615");
  EXPECT_EQ(written<Fingerprint64>(5, Digits::binary), std::string(61, '0') + "101");
  EXPECT_EQ(written(Fingerprint128{1, 2}, Digits::hex), "00000000000000020000000000000001");
  EXPECT_EQ(written(Fingerprint128{~0ULL, ~0ULL}, Digits::decimal),
            "340282366920938463463374607431768211455");
}

TEST(FingerprintDigits, WhatIsWrittenIsReadBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i)
    for (const Digits digits : {Digits::hex, Digits::decimal, Digits::binary}) {
      const Fingerprint64 narrow = random() >> random() % 64;
      const Fingerprint128 wide{random(), random() >> random() % 64};
      ASSERT_EQ(parse_digits<Fingerprint64>(written(narrow, digits), digits), narrow);
      ASSERT_EQ(parse_digits<Fingerprint128>(written(wide, digits), digits), wide);
    }
}

TEST(FingerprintDigits, WhatIsNoNumberOfTheWidthIsRefused) {
  EXPECT_EQ(parse_digits<Fingerprint64>("0xFF", Digits::hex), 0xffu);
  EXPECT_EQ(parse_digits<Fingerprint64>("0B11", Digits::binary), 3u);
  for (const Digits digits : {Digits::hex, Digits::decimal, Digits::binary}) {
    EXPECT_EQ(parse_digits<Fingerprint64>("", digits), std::nullopt);
    EXPECT_EQ(parse_digits<Fingerprint64>("1 ", digits), std::nullopt);
    EXPECT_EQ(parse_digits<Fingerprint64>("-1", digits), std::nullopt);
  }
  EXPECT_EQ(parse_digits<Fingerprint64>("0x", Digits::hex), std::nullopt);
  EXPECT_EQ(parse_digits<Fingerprint64>("0xff", Digits::decimal), std::nullopt);
  EXPECT_EQ(parse_digits<Fingerprint64>("2", Digits::binary), std::nullopt);
  EXPECT_EQ(parse_digits<Fingerprint64>("18446744073709551616", Digits::decimal), std::nullopt);
  EXPECT_EQ(parse_digits<Fingerprint64>("00000000000000000", Digits::hex), std::nullopt);
}

}  // namespace
}  // namespace leitong::hamming
