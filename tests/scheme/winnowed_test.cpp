// The default scheme's sketch of texts that repeat themselves.
#include <gtest/gtest.h>

#include <string>

#include "feature/repeated_units.hpp"
#include "scheme/key_tiers.hpp"
#include "scheme/resources.hpp"
#include "scheme/scheme.hpp"

namespace leitong {
namespace {

using testing::random_units;
using testing::repeated;

PodVector<std::uint64_t> sketch_of(const PodVector<Unit>& units) {
  SchemeResources resources;
  const auto scheme = make_scheme("default", {}, resources).value();
  PodVector<std::uint64_t> words;
  scheme->sketch({"", units}, *scheme->new_scratch(), words);
  return words;
}

/// The hash of the shingle set, or nothing.
std::optional<std::uint64_t> set_hash(const PodVector<Unit>& units) {
  const PodVector<std::uint64_t> words = sketch_of(units);
  if (words.empty() || (words[0] & kHasSetHash) == 0) return std::nullopt;
  return words[words.size() - 1];
}

TEST(WinnowedScheme, TextsThatRepeatTheSameHaveTheSameSetHash) {
  const PodVector<Unit> one = random_units(1, 1);
  const auto expected = set_hash(repeated(one, 8));
  ASSERT_TRUE(expected);
  for (std::size_t times = 9; times < 600; ++times)
    EXPECT_EQ(set_hash(repeated(one, times)), expected) << times;
  EXPECT_NE(set_hash(repeated(random_units(1, 2), 8)), expected);
}

TEST(WinnowedScheme, RepeatedLinesAreSeldomOverlooked) {
  int seen = 0;
  for (std::uint32_t seed = 0; seed < 1'000; ++seed)
    seen += set_hash(repeated(random_units(2 + seed % 200, seed), 5 + seed % 20)).has_value();
  EXPECT_GE(seen, 980);
}

TEST(WinnowedScheme, OrdinaryTextsHaveOnlyKeys) {
  for (std::uint32_t seed = 0; seed < 1'000; ++seed) EXPECT_FALSE(set_hash(random_units(seed, seed))) << seed;
}

}  // namespace
}  // namespace leitong
