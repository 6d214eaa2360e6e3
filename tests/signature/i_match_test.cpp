#include "signature/i_match.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace leitong {
namespace {

using Terms = std::vector<std::uint64_t>;

std::vector<IMatchDigest> digests_of(const Terms& terms, std::size_t lexicons) {
  std::vector<IMatchDigest> digests(lexicons + 1);
  i_match(terms, digests);
  return digests;
}

TEST(IMatch, NormalisedIdfByHand) {
  EXPECT_DOUBLE_EQ(normalised_idf(2, 2, 6), 0);
  EXPECT_DOUBLE_EQ(normalised_idf(5, 2, 6), .75);
  EXPECT_DOUBLE_EQ(normalised_idf(2, 2, 2), 0);
}

TEST(IMatch, OrderChangesNothingAndATermChangesAll) {
  EXPECT_EQ(digests_of({1, 2, 3}, 0), digests_of({3, 1, 2}, 0));
  EXPECT_NE(digests_of({1, 2, 3}, 0), digests_of({1, 2, 4}, 0));
}

TEST(IMatch, NothingInTheLexiconHasNoSignature) {
  for (const IMatchDigest& digest : digests_of({}, 3)) EXPECT_EQ(digest, IMatchDigest{});
  EXPECT_NE(digests_of({1}, 0)[0], IMatchDigest{});
}

TEST(IMatch, RandomLexiconsForgiveChangesAsOftenAsTheFormulaSays) {
  std::mt19937_64 random(1);
  constexpr int kTrials = 2000;
  constexpr std::size_t kLexicons = 10;
  for (const int changed : {1, 2, 3}) {
    int matched = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      Terms terms(60);
      for (auto& term : terms) term = random();
      const auto before = digests_of(terms, kLexicons);
      // A removed term must be outside of a lexicon to change it.
      for (int i = 0; i < changed; ++i) terms.pop_back();
      const auto after = digests_of(terms, kLexicons);
      bool any = false;
      for (std::size_t k = 0; k <= kLexicons; ++k) any = any || before[k] == after[k];
      matched += any ? 1 : 0;
    }
    const double expected = 1 - std::pow(1 - std::pow(1.0 / 3, changed), kLexicons);
    EXPECT_NEAR(static_cast<double>(matched) / kTrials, expected,
                4 * std::sqrt(expected * (1 - expected) / kTrials) + .003)
        << changed << " terms changed";
  }
}

}  // namespace
}  // namespace leitong
