#include "index/prefix_join.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "base/hash.hpp"
#include "index/join_helpers.hpp"

namespace leitong {
namespace {

using testing::CollectingSink;
using Sets = std::vector<std::vector<std::uint64_t>>;

// Random sets over a small universe, some of them edited copies of earlier ones.
Sets random_sets(std::uint64_t seed, std::size_t count) {
  Sets sets;
  std::uint64_t state = seed;
  auto next = [&](std::uint64_t below) { return mix64(++state * 0x9E3779B97F4A7C15ULL) % below; };
  for (std::size_t i = 0; i < count; ++i) {
    std::set<std::uint64_t> set;
    if (i > 0 && next(3) == 0) {
      const auto& other = sets[next(i)];
      for (const std::uint64_t element : other)
        if (next(4) != 0) set.insert(element);
    }
    for (std::size_t n = next(30); n > 0; --n) set.insert(mix64(next(200)) & 0xffffffff);
    sets.emplace_back(set.begin(), set.end());
  }
  return sets;
}

std::set<std::pair<DocId, DocId>> join(const Sets& sets, double share, std::uint64_t memory = 0) {
  const Context context;
  RunContext run(context, memory);
  PrefixJoin join(run);
  for (DocId d = 0; d < sets.size(); ++d) EXPECT_TRUE(join.add(d, sets[d]));
  CollectingSink sink;
  EXPECT_TRUE(join.find(sink, share, [](auto, auto) { return true; }));
  return sink.pairs;
}

TEST(PrefixJoin, LeavesOutNoPairThatSharesEnough) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Sets sets = random_sets(seed * 1000, 120);
    for (const double share : {.2, .5185, .7, 1.0}) {
      const auto found = join(sets, share);
      for (DocId a = 0; a < sets.size(); ++a)
        for (DocId b = a + 1; b < sets.size(); ++b) {
          std::vector<std::uint64_t> common;
          std::set_intersection(sets[a].begin(), sets[a].end(), sets[b].begin(), sets[b].end(),
                                std::back_inserter(common));
          const std::size_t smaller = std::min(sets[a].size(), sets[b].size());
          if (smaller == 0 || static_cast<double>(common.size()) < share * static_cast<double>(smaller))
            continue;
          ASSERT_TRUE(found.contains({a, b}))
              << "seed " << seed << " share " << share << " pair " << a << ' ' << b;
        }
    }
  }
}

TEST(PrefixJoin, RefusesWhatLengthsForbid) {
  const Context context;
  RunContext run(context);
  PrefixJoin join(run);
  const std::vector<std::uint64_t> small = {1, 2}, large = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  ASSERT_TRUE(join.add(0, small));
  ASSERT_TRUE(join.add(1, large));
  CollectingSink sink;
  ASSERT_TRUE(join.find(sink, .5, [](std::uint32_t na, std::uint32_t nb) { return na * 3 >= nb; }));
  EXPECT_TRUE(sink.pairs.empty());
}

TEST(PrefixJoin, FindsTheSameOnOneThreadAndFour) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  const Sets sets = random_sets(7, 400);
  std::set<std::pair<DocId, DocId>> one, four;
  tbb::task_arena(1).execute([&] { one = join(sets, .5); });
  tbb::task_arena(4).execute([&] { four = join(sets, .5); });
  EXPECT_EQ(one, four);
}

}  // namespace
}  // namespace leitong
