// Keys that repeat are found, each with all documents that it was added for.
#include "trim/key_store.hpp"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <random>
#include <vector>

#include "leitong/context.hpp"

namespace leitong {
namespace {

TEST(KeyStore, FindsWhatWasAddedOftenEnough) {
  for (const std::uint64_t memory : {std::uint64_t{0}, MemoryBudget::least(0)}) {
    const Context context(ContextSettings{.memory = memory});
    RunContext run(context);
    KeyStore keys(run);
    std::mt19937_64 random(1);
    std::map<std::uint64_t, std::vector<DocId>> added;
    const std::size_t many = memory == 0 ? 20'000 : 2'000'000;
    for (std::size_t i = 0; i < many; ++i) {
      // Equal upper bits, and equal lower ones, must not make keys equal.
      const std::uint64_t key = (random() % 3 << 62) | (random() % many << 8) | random() % 2;
      const auto document = static_cast<DocId>(i / 10);
      ASSERT_TRUE(keys.add(key, document));
      added[key].push_back(document);
    }
    ASSERT_TRUE(keys.flush());
    EXPECT_EQ(keys.size(), many);
    std::erase_if(added, [](const auto& key) { return key.second.size() < 3; });
    std::map<std::uint64_t, std::vector<DocId>> found;
    std::mutex mutex;
    ASSERT_TRUE(keys.find_repeated(3, [&](std::uint64_t key, std::span<const DocId> documents) {
      const std::scoped_lock lock(mutex);
      auto& of = found[key];
      EXPECT_TRUE(of.empty());
      of.assign(documents.begin(), documents.end());
      std::ranges::sort(of);
    }));
    EXPECT_EQ(found, added);
  }
}

}  // namespace
}  // namespace leitong
