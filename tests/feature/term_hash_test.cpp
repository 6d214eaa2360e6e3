#include "feature/term_hash.hpp"

#include <gtest/gtest.h>

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

TEST(TermHash, FinaliserIsMurmurs) {
  EXPECT_EQ(fmix64(0), 0u);
  EXPECT_EQ(fmix64(1), 0xb456bcfc34c2cb2cu);
}

}  // namespace
}  // namespace leitong
