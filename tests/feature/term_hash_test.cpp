#include "feature/term_hash.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace leitong {
namespace {

TEST(TermHash, KnownValuesOfEachMethod) {
  EXPECT_EQ(term_hash(TermHash::xxh3, ""), 0x2d06800538d394c2u);
  EXPECT_EQ(term_hash(TermHash::murmur, ""), 0u);
  EXPECT_EQ(term_hash(TermHash::murmur, "hello"), 0xcbd8a7b341bd9b02u);
  EXPECT_EQ(term_hash(TermHash::murmur, "The quick brown fox jumps over the lazy dog"), 0xe34bbc7bbc071b6cu);
  EXPECT_EQ(term_hash(TermHash::fnv1a, "a"), 0xaf63dc4c8601ec8cu);
}

TEST(TermHash, OldHashesByHand) {
  EXPECT_EQ(term_hash(TermHash::times33, ""), 5381u);
  EXPECT_EQ(term_hash(TermHash::times33, "ab"), (5381u * 33 + 97) * 33 + 98);
  EXPECT_EQ(term_hash(TermHash::times33, "\xE9"), 5381u * 33 + 0xE9) << "bytes are unsigned";
  EXPECT_EQ(term_hash(TermHash::multiplicative, ""), 0u);
  EXPECT_EQ(term_hash(TermHash::multiplicative, "a"), 12'416'037'344u) << "hash('a') of Python 2";
}

TEST(TermHash, CodePointsAreHashedAsTutorialsPrintThem) {
  EXPECT_EQ(term_hash(TermHash::codepoint, ""), 0u);
  EXPECT_EQ(term_hash(TermHash::codepoint, "a"), 12'416'037'344u) << "ASCII: as by bytes";
  // The worked example of a tutorial on SimHash in Python, which prints these 64 bits for the word.
  EXPECT_EQ(term_hash(TermHash::codepoint, "星期四"),
            0b0010001100100000101001101010000000101111011010010001100011011110u);
  EXPECT_NE(term_hash(TermHash::codepoint, "星期四"), term_hash(TermHash::multiplicative, "星期四"));
  EXPECT_EQ(
      multiplicative_hash(std::span<const std::uint32_t>(std::vector<std::uint32_t>{0x661F, 0x671F, 0x56DB})),
      term_hash(TermHash::codepoint, "星期四"));
}

TEST(TermHash, FinaliserIsMurmurs) {
  EXPECT_EQ(fmix64(0), 0u);
  EXPECT_EQ(fmix64(1), 0xb456bcfc34c2cb2cu);
}

}  // namespace
}  // namespace leitong
