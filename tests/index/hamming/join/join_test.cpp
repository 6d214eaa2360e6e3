#include "index/hamming/join/join.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include "index/hamming/join_helpers.hpp"

namespace leitong::hamming {
namespace {

template <class F>
class HammingEngineJoin : public ::testing::Test {};
using Widths = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingEngineJoin, Widths);

template <Fingerprint F>
F random_mask(std::mt19937_64& random) {
  switch (random() % 4) {
    case 0:
      return ~F{};
    case 1:
      return random_fingerprint<F>(random);
    case 2:
      return random_fingerprint<F>(random) & random_fingerprint<F>(random);
    default:
      return lowest_bits(~F{}, static_cast<unsigned>(random() % kBits<F>));
  }
}

/// Small joins, of every kind: with the queries of the index's tests a hundred thousand cases.
constexpr int kTrials = 20'000;

TYPED_TEST(HammingEngineJoin, FindsWhatBruteForceFinds) {
  using F = TypeParam;
  std::mt19937_64 random(1);
  tbb::task_arena one(1), two(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    JoinOptions options;
    options.distance = static_cast<unsigned>(random() % 3 == 0 ? random() % 17 : random() % 5);
    options.simd = static_cast<Simd>(random() % (static_cast<unsigned>(simd_level()) + 1));
    if (random() % 2 == 0) {
      const auto names = plan_names<F>(options.distance, 24);
      options.plan = names[random() % names.size()];
    }
    const std::size_t size = trial % 200 == 0 ? random() % 1500 : random() % 60;
    const auto left = crowd(size, random_mask<F>(random), static_cast<unsigned>(random() % 10), random);
    std::vector<RowPair> found, expected;
    if (trial % 3 == 0) {
      auto right = crowd(random() % 60, random_mask<F>(random), 3, random);
      for (std::size_t i = 0; i < left.size(); i += 2)
        right.push_back(with_flipped_bits(left[i], static_cast<unsigned>(random() % 5), random));
      (trial % 2 == 0 ? one : two).execute([&] { found = joined_pairs(left, &right, options); });
      expected = brute_force(left, right, options.distance);
    } else {
      (trial % 2 == 0 ? one : two).execute([&] { found = joined_pairs<F>(left, nullptr, options); });
      expected = brute_force(left, options.distance);
    }
    sort_pairs(found);
    ASSERT_EQ(found, expected) << "trial " << trial << ", distance " << options.distance << ", "
                               << (options.plan.empty() ? "planner" : options.plan) << ", "
                               << simd_name(options.simd);
  }
}

TYPED_TEST(HammingEngineJoin, IsTheSameForAnyThreadsKernelsPlanAndBudget) {
  using F = TypeParam;
  std::mt19937_64 random(2);
  const auto values = crowd(30'000, ~F{}, 5, random);
  JoinOptions options;
  const auto expected = joined_pairs<F>(values, nullptr, options);
  EXPECT_GT(expected.size(), 1000u);
  for (const int threads : {1, 2})
    for (const Simd simd : {Simd::scalar, Simd::avx2, Simd::avx512})
      for (const char* plan : {"blocks4", "blocks2", "cover7_5_3"}) {
        options.simd = std::min(simd, simd_level());
        options.plan = plan;
        std::vector<RowPair> found;
        tbb::task_arena(threads).execute([&] { found = joined_pairs<F>(values, nullptr, options); });
        ASSERT_EQ(found, expected) << threads << " threads, " << simd_name(simd) << ", " << plan;
      }
}

TYPED_TEST(HammingEngineJoin, SplitsOverfullBucketsAndLosesNothing) {
  using F = TypeParam;
  std::mt19937_64 random(3);
  const auto blocks = cut_into_blocks<F>(~F{}, 4);
  // All rows share one block, two or three; all vary in every fourth bit only.
  for (const F mask : {~blocks[1], blocks[0] | blocks[2], blocks[3], random_fingerprint<F>(random)}) {
    const auto values = crowd(5000, mask, 1, random);
    for (const char* plan : {"scan", "blocks4", "blocks3", "cover6_4_3"}) {
      JoinOptions options;
      options.plan = plan;
      auto found = joined_pairs<F>(values, nullptr, options);
      sort_pairs(found);
      ASSERT_EQ(found, brute_force(values, 3)) << plan;
    }
  }
}

TYPED_TEST(HammingEngineJoin, SkewThatASplitCuresIsNotQuadratic) {
  using F = TypeParam;
  std::mt19937_64 random(4);
  constexpr std::uint64_t kCount = 40'000;
  std::vector<F> values(kCount);
  const F block = cut_into_blocks<F>(~F{}, 4)[0];
  for (F& value : values) value = random_fingerprint<F>(random) & ~block;
  JoinOptions options;
  options.plan = "blocks4";
  JoinFigures figures;
  (void)joined_pairs<F>(values, nullptr, options, &figures);
  EXPECT_GT(figures.compare.splits, 0u);
  EXPECT_LT(figures.compare.compared, kCount * kCount / 2 / 50);
}

TYPED_TEST(HammingEngineJoin, AMillionEqualFingerprintsAreOneGroup) {
  using F = TypeParam;
  std::vector<F> values(1'000'000, single_bit<F>(5));
  values[777'777] = F{};  // one bit away
  const MemorySource<F> source{std::span<const F>(values)};
  auto joined = join(JoinInput<F>{source}, JoinOptions{}, usual_context());
  ASSERT_TRUE(joined.has_value());
  EXPECT_LT(joined->figures().compare.compared, 1000u);
  ASSERT_EQ(joined->repetitions().size(), values.size() - 2);
  EXPECT_EQ(joined->repetitions().front().first, 0u);
  EXPECT_EQ(joined->repetitions().back().row, values.size() - 1);
  std::vector<RowPair> edges;
  ASSERT_TRUE(joined->for_each_edge([&](std::span<const RowPair> some) -> Result<void> {
    edges.insert(edges.end(), some.begin(), some.end());
    return {};
  }));
  EXPECT_EQ(edges, (std::vector<RowPair>{{0, 777'777, 1}}));
}

TYPED_TEST(HammingEngineJoin, ListsPairsByTheirFirstRows) {
  using F = TypeParam;
  const F x{}, y = single_bit<F>(3), far = ~F{};
  const std::vector<F> values{y, far, x, y, x, far};
  JoinOptions options;
  options.plan = "blocks4";
  const std::vector<RowPair> expected{{0, 3, 0}, {0, 2, 1}, {0, 4, 1}, {2, 3, 1},
                                      {3, 4, 1}, {1, 5, 0}, {2, 4, 0}};
  EXPECT_EQ(joined_pairs<F>(values, nullptr, options), expected);
}

TYPED_TEST(HammingEngineJoin, KeepsABudgetByReadingAgainAndSpilling) {
  using F = TypeParam;
  std::mt19937_64 random(5);
  // More fingerprints than the budget has room for, and more edges.
  std::vector<F> values;
  for (std::size_t i = 0; i < 800'000; ++i)
    values.push_back(i % 2 == 1 ? with_flipped_bits(values[i - 1], 1 + i % 3, random)
                                : random_fingerprint<F>(random));
  JoinOptions options;
  options.plan = "blocks4";
  const auto expected = joined_pairs<F>(values, nullptr, options);
  EXPECT_GE(expected.size(), values.size() / 2);
  options.memory = MemoryBudget::least(0) + (2u << 20);
  EXPECT_EQ(joined_pairs<F>(values, nullptr, options), expected);
  options.memory = 1 << 20;
  const MemorySource<F> source{std::span<const F>(values)};
  const auto refused = join(JoinInput<F>{source}, options, usual_context());
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
}

TYPED_TEST(HammingEngineJoin, FindsTheNeighboursOfACrowdAtEveryDistance) {
  using F = TypeParam;
  std::mt19937_64 random(1);
  const auto values = crowd(700, ~F{}, 3, random);
  for (const unsigned distance : {0, 1, 3, 10, 16}) {
    JoinOptions options;
    options.distance = distance;
    std::vector<RowPair> found = joined_pairs<F>(values, nullptr, options);
    sort_pairs(found);
    ASSERT_EQ(found, brute_force(values, distance)) << "distance " << distance;
  }
}

TYPED_TEST(HammingEngineJoin, EqualFingerprintsArePairs) {
  using F = TypeParam;
  const std::vector<F> values(300, single_bit<F>(5));
  std::vector<RowPair> found = joined_pairs<F>(values, nullptr, {});
  EXPECT_EQ(found.size(), 300u * 299 / 2);
  sort_pairs(found);
  EXPECT_EQ(found, brute_force(values, 3));
}

TYPED_TEST(HammingEngineJoin, NothingAndOneHaveNoPairs) {
  using F = TypeParam;
  EXPECT_TRUE(joined_pairs<F>({}, nullptr, {}).empty());
  EXPECT_TRUE(joined_pairs<F>({F{}}, nullptr, {}).empty());
}

TYPED_TEST(HammingEngineJoin, RefusesDistancesThatNoPlanIsMadeFor) {
  using F = TypeParam;
  const std::vector<F> values(2);
  const MemorySource<F> source{std::span<const F>(values)};
  JoinOptions options;
  options.distance = kMaxDistance + 1;
  const auto refused = join(JoinInput<F>{source}, options, usual_context());
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
}

TYPED_TEST(HammingEngineJoin, StopsWhereTheReceiverFails) {
  using F = TypeParam;
  const std::vector<F> values(100);
  const MemorySource<F> source{std::span<const F>(values)};
  auto joined = join(JoinInput<F>{source}, JoinOptions{}, usual_context());
  ASSERT_TRUE(joined.has_value());
  int calls = 0;
  const auto listed = joined->for_each_pair([&](std::span<const RowPair>) -> Result<void> {
    ++calls;
    return fail(ErrorCode::cancelled, "enough");
  });
  ASSERT_FALSE(listed.has_value());
  EXPECT_EQ(listed.error().code, ErrorCode::cancelled);
  EXPECT_EQ(calls, 1);
}

TEST(HammingJoin, RepetitionsComeInTheSameOrderWhereMemoryIsShort) {
  std::mt19937_64 random(17);
  const auto distinct = crowd<Fingerprint64>(1000, ~Fingerprint64{0}, 0, random);
  std::vector<Fingerprint64> values(300'000);
  for (Fingerprint64& value : values) value = distinct[random() % distinct.size()];
  const MemorySource<Fingerprint64> source{std::span<const Fingerprint64>(values)};
  const auto roomy = join(JoinInput<Fingerprint64>{source}, {.distance = 1}, usual_context());
  const auto tight = join(
      JoinInput<Fingerprint64>{source},
      {.distance = 1, .memory = MemoryBudget::least(0) + ValueFilter::bytes(values.size())}, usual_context());
  ASSERT_TRUE(roomy && tight);
  ASSERT_EQ(roomy->repetitions().size(), values.size() - distinct.size());
  EXPECT_TRUE(std::ranges::equal(roomy->repetitions(), tight->repetitions()));
  EXPECT_TRUE(std::ranges::is_sorted(roomy->repetitions()));
}

}  // namespace
}  // namespace leitong::hamming
