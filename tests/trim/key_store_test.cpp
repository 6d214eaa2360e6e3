// Keys that repeat are found, each with all documents that it was added for.
#include "trim/key_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "leitong/context.hpp"

namespace leitong {
namespace {

TEST(KeyStore, FindsWhatWasAddedOftenEnough) {
  constexpr std::size_t kMany = 1'000'000;
  using Added = std::vector<std::pair<std::uint64_t, DocId>>;
  for (const std::uint64_t memory : {std::uint64_t{0}, MemoryBudget::least(0)}) {
    const Context context(ContextSettings{.memory = memory});
    RunContext run(context);
    KeyStore keys(run);
    std::mt19937_64 random(1);
    Added added;
    for (std::size_t i = 0; i < kMany; ++i) {
      // Equal upper bits, and equal lower ones, must not make keys equal.
      const std::uint64_t key = (random() % 3 << 62) | (random() % kMany << 8) | random() % 256;
      added.emplace_back(i % 4 == 3 ? added[random() % i].first : key, static_cast<DocId>(i / 10));
      ASSERT_TRUE(keys.add(added.back().first, added.back().second));
    }
    ASSERT_TRUE(keys.flush());
    EXPECT_EQ(keys.size(), kMany);
    if (memory == 0) {
      const std::uint64_t held = run.memory.for_buffers() - run.memory.left();
      EXPECT_GE(held, 12 * kMany);
      // And a started block of 4 KiB in each partition.
      EXPECT_LE(held, 12 * kMany + Partitions::kCount * 4096);
    }
    std::ranges::sort(added);
    Added expected;
    for (auto begin = added.begin(); begin != added.end();) {
      const auto end =
          std::find_if(begin, added.end(), [&](const auto& each) { return each.first != begin->first; });
      if (end - begin >= 3) expected.insert(expected.end(), begin, end);
      begin = end;
    }
    ASSERT_GT(expected.size(), 10'000U);
    Added found;
    std::mutex mutex;
    ASSERT_TRUE(keys.find_repeated(3, [&](std::uint64_t key, std::span<const DocId> documents) {
      const std::scoped_lock lock(mutex);
      for (const DocId document : documents) found.emplace_back(key, document);
    }));
    std::ranges::sort(found);
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace leitong
