#include "feature/rolling.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "text/normalise.hpp"

namespace leitong {
namespace {

using ::testing::SizeIs;

/// The definition, term by term.
std::vector<std::uint64_t> plain_ngrams(const std::vector<std::uint64_t>& elements,
                                        const NgramParams& params) {
  std::vector<std::uint64_t> hashes;
  if (elements.empty()) return hashes;
  const std::size_t n = std::min(params.n, elements.size());
  for (std::size_t i = 0; i + n <= elements.size(); ++i) {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      std::uint64_t term = (elements[i + j] ^ params.seed) * 0xC2B2AE3D27D4EB4Fu;
      term ^= term >> 32;
      for (std::size_t k = j + 1; k < n; ++k) term *= 0x9E3779B97F4A7C15u;
      sum += term;
    }
    sum += 0x165667B19E3779F9u * n;
    sum = (sum ^ sum >> 32) * 0xD6E8FEB86659FD93u;
    hashes.push_back(sum ^ sum >> 29);
  }
  return hashes;
}

std::vector<std::uint64_t> listed(const PodVector<std::uint64_t>& values) {
  return {values.begin(), values.end()};
}

std::vector<std::uint64_t> of_text(std::u32string_view text, const NgramParams& params = {}) {
  PodVector<std::uint64_t> hashes;
  rolling_ngrams(std::span<const char32_t>(text), params, hashes);
  return listed(hashes);
}

TEST(RollingNgramsTest, RollingIsTheSumTermByTerm) {
  std::mt19937_64 random(31);
  PodVector<std::uint64_t> hashes;
  for (int round = 0; round < 200; ++round) {
    const NgramParams params{1 + random() % 20, random()};
    std::vector<std::uint64_t> wide(random() % (round % 20 == 0 ? 3000 : 60));
    std::u32string points;
    for (std::uint64_t& element : wide) points += static_cast<char32_t>(element = random() % 0x110000);
    for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
      if (level > simd_level()) break;
      rolling_ngrams(std::span<const char32_t>(points), params, hashes, level);
      ASSERT_EQ(listed(hashes), plain_ngrams(wide, params)) << simd_name(level);
    }
    for (std::uint64_t& element : wide) element = random();
    rolling_ngrams(std::span<const std::uint64_t>(wide), params, hashes);
    ASSERT_EQ(listed(hashes), plain_ngrams(wide, params));
  }
}

TEST(RollingNgramsTest, ThereIsOneForEachPlace) {
  EXPECT_THAT(of_text(U"雷声与闪电同时"), SizeIs(3));
  EXPECT_THAT(of_text(U"雷声与闪电"), SizeIs(1));
  EXPECT_THAT(of_text(U""), SizeIs(0));
}

TEST(RollingNgramsTest, AShortTextHasItsOwnHash) {
  EXPECT_THAT(of_text(U"雷声"), SizeIs(1));
  EXPECT_NE(of_text(U"雷声"), of_text(U"雷声", {.n = 3, .seed = 7}));
  EXPECT_EQ(of_text(U"雷声", {.n = 3}), of_text(U"雷声"));
  EXPECT_NE(of_text(U"雷声"), of_text(U"声雷"));
}

TEST(RollingNgramsTest, EqualRunsHaveEqualHashesAnywhere) {
  const auto a = of_text(U"the echo of thunder");
  const auto b = of_text(U"an echo of thundering");
  EXPECT_EQ(a[3], b[2]);
  EXPECT_EQ(a[14], b[13]);
}

TEST(RollingNgramsTest, HashesFromTheSameTextHardlyCollide) {
  std::mt19937 random(32);
  std::u32string text;
  for (int i = 0; i < 60'000; ++i) text += static_cast<char32_t>('a' + random() % 4 * (random() % 6));
  std::set<std::u32string> distinct;
  for (std::size_t i = 0; i + 8 <= text.size(); ++i) distinct.insert(text.substr(i, 8));
  const auto hashes = of_text(text, {.n = 8});
  EXPECT_EQ(std::set<std::uint64_t>(hashes.begin(), hashes.end()).size(), distinct.size());
}

TEST(RollingNgramsTest, HashesStayWhatTheyAre) {
  // The values must not change, since stored hashes are compared with them.
  EXPECT_EQ(of_text(U"雷声与闪电")[0], 1775782693341649080u);
}

}  // namespace
}  // namespace leitong
