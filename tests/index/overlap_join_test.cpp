#include "index/overlap_join.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <numeric>

#include "base/hash.hpp"
#include "index/join_helpers.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

using Keys = std::vector<std::uint64_t>;
using Pairs = std::set<std::pair<DocId, DocId>>;

struct Document {
  Keys keys, long_keys;
  std::uint32_t units = 200;
};
using Corpus = std::vector<Document>;

// Keys of one number are equal; hashed, as winnow() gives them.
Keys keys_of(std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> ranges) {
  Keys keys;
  for (const auto& [first, last] : ranges)
    for (std::uint64_t number = first; number < last; ++number) keys.push_back(mix64(number + 1));
  return keys;
}

class PassageSink : public testing::CollectingSink {
 public:
  Result<void> offer(std::span<const Candidate> candidates) override {
    for (const Candidate& c : candidates) {
      if (!c.passage) continue;
      const std::scoped_lock lock(mutex_);
      passages.insert({c.a, c.b});
    }
    return CollectingSink::offer(candidates);
  }
  Pairs passages;

 private:
  std::mutex mutex_;
};

struct Joined {
  Pairs pairs, passages;
  OverlapJoin::Figures figures;
};

// Requires a third of the smaller number of keys, by windows that halve the keys of the longer texts.
double needed(std::uint32_t units_a, std::uint32_t keys_a, std::uint32_t units_b, std::uint32_t keys_b) {
  const double of_a = units_a < 1000 && units_b >= 1000 ? keys_a * 5 / 9.0 : keys_a;
  return std::min<double>(of_a, keys_b) / 3;
}
std::uint32_t window(std::uint32_t units) { return units < 1000 ? 4 : 8; }

Joined join(const Corpus& corpus, std::uint64_t memory = 0, const std::vector<std::uint64_t>& content = {},
            const std::vector<DocId>& family = {}) {
  DocumentTable table;
  const Context context;
  RunContext run(context, memory);
  OverlapJoin join(window, table, run);
  for (DocId d = 0; d < corpus.size(); ++d) {
    table.units.push_back(corpus[d].units);
    table.content.push_back(mix64(content.empty() ? d : content[d]));
    EXPECT_TRUE(join.add(d, corpus[d].keys, corpus[d].long_keys));
  }
  PassageSink sink;
  EXPECT_TRUE(join.find(sink, needed));
  EXPECT_TRUE(join.find_passages(sink, family));
  return {sink.pairs, sink.passages, join.figures()};
}

// A reference implementation: every pair, with its keys as sets.
Pairs all_pairs(const Corpus& corpus) {
  std::vector<std::set<std::uint64_t>> sets;
  for (const Document& document : corpus) sets.emplace_back(document.keys.begin(), document.keys.end());
  Pairs pairs;
  for (DocId a = 0; a < corpus.size(); ++a)
    for (DocId b = a + 1; b < corpus.size(); ++b) {
      const auto shared =
          std::ranges::count_if(sets[a], [&](std::uint64_t key) { return sets[b].contains(key); });
      const bool swap = corpus[a].units > corpus[b].units;
      const DocId x = swap ? b : a, y = swap ? a : b;
      const double enough = needed(corpus[x].units, static_cast<std::uint32_t>(sets[x].size()),
                                   corpus[y].units, static_cast<std::uint32_t>(sets[y].size()));
      if (shared > 0 && static_cast<double>(shared) >= enough) pairs.insert({a, b});
    }
  return pairs;
}

// Independent texts, parts of others, and templates of 10 to 300 texts; some keys repeat.
Corpus random_corpus(std::uint64_t seed, std::size_t documents) {
  std::uint64_t state = seed;
  const auto below = [&](std::uint64_t limit) { return mix64(++state * 0x9E3779B97F4A7C15ULL) % limit; };
  Corpus corpus;
  for (std::size_t d = 0; d < documents; ++d) {
    Document document;
    document.units = below(4) == 0 ? 1500 : 200 + static_cast<std::uint32_t>(below(3));
    document.keys = keys_of({{1000 * d + 100'000, 1000 * d + 100'000 + 5 + below(60)}});
    if (d > 0 && below(3) == 0) {
      const Keys& other = corpus[below(d)].keys;
      for (const std::uint64_t key : other)
        if (below(3) > 0) document.keys.push_back(key);
    }
    const std::uint64_t site = below(6);
    for (std::uint64_t number = 0; number < 30; ++number)
      if (below(3) > 0) document.keys.push_back(mix64(100 * site + number + 1));
    if (below(8) == 0) document.keys.push_back(document.keys.front());
    corpus.push_back(std::move(document));
  }
  return corpus;
}

TEST(OverlapJoin, FindsThePairsThatCountingAllWithAllFinds) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Corpus corpus = random_corpus(seed << 20, 260);
    const Joined joined = join(corpus);
    const Pairs expected = all_pairs(corpus);
    EXPECT_EQ(joined.pairs, expected) << "seed " << seed;
    EXPECT_GT(expected.size(), 100u);
    EXPECT_GT(joined.figures.hot_keys, 50u) << "templates are common enough to count";
    EXPECT_EQ(joined.figures.limited, 0u);
  }
}

TEST(OverlapJoin, CountsAKeyOnceHoweverOftenADocumentHoldsIt) {
  Document repeating{keys_of({{0, 20}}), {}};
  for (int i = 0; i < 50; ++i) repeating.keys.push_back(repeating.keys.front());
  const Corpus corpus = {repeating, {keys_of({{0, 1}, {100, 119}}), {}}, {keys_of({{0, 7}, {200, 213}}), {}}};
  EXPECT_EQ(join(corpus).pairs, (Pairs{{0, 2}})) << "1 of 20 keys, and 7 of 20";
}

TEST(OverlapJoin, SaysOfWhichDocumentsTheCommonestKeysWereLeftOut) {
  // The shortest document would visit 500 x 300 places.
  Corpus corpus;
  for (std::uint64_t d = 0; d < 500; ++d)
    corpus.push_back({keys_of({{0, 300}, {1000 * d + 10'000, 1000 * d + 10'010}}), {}});
  const Joined joined = join(corpus);
  EXPECT_GT(joined.figures.limited, 10u);
  EXPECT_LT(joined.figures.limited, 100u)
      << "of those that come last in the order of lengths all were looked at";
  EXPECT_LE(joined.figures.walked, 500 * OverlapJoin::kWalk);
  corpus.resize(100);
  EXPECT_EQ(join(corpus).figures.limited, 0u);
}

// Documents of which the first `holders` hold a long key, and 190 and 199 share another one.
Corpus with_long_keys(std::uint64_t holders) {
  Corpus corpus;
  for (std::uint64_t d = 0; d < 200; ++d) {
    corpus.push_back({keys_of({{1000 * d, 1000 * d + 50}}), {}});
    if (d < holders) corpus.back().long_keys = keys_of({{900'000, 900'001}});
    if (d == 190 || d == 199) corpus.back().long_keys.push_back(mix64(5));
  }
  return corpus;
}

TEST(OverlapJoin, OneLongKeyIsEnoughUnlessManyHoldIt) {
  const std::uint64_t limit = OverlapJoin::kHotLong;
  const Joined joined = join(with_long_keys(limit + 1));
  EXPECT_EQ(joined.passages, (Pairs{{190, 199}}));
  EXPECT_EQ(joined.pairs, joined.passages);
  EXPECT_EQ(joined.figures.hot_long_keys, 1u);
  const Joined all = join(with_long_keys(limit));
  EXPECT_EQ(all.passages.size(), limit * (limit - 1) / 2 + 1);
  EXPECT_EQ(all.figures.hot_long_keys, 0u);
}

TEST(OverlapJoin, ALongKeyThatManyFamiliesHoldIsATemplate) {
  const std::uint64_t families = TemplateRule::kFamilies;
  std::vector<DocId> family(200);
  std::iota(family.begin(), family.end(), DocId{0});
  const Joined framed = join(with_long_keys(families), 0, {}, family);
  EXPECT_EQ(framed.passages, (Pairs{{190, 199}}));
  EXPECT_EQ(framed.figures.template_long_keys, 1u);
  family[1] = 0;  // two are one work: seven families
  const Joined quoted = join(with_long_keys(families), 0, {}, family);
  EXPECT_EQ(quoted.figures.template_long_keys, 0u);
  EXPECT_EQ(quoted.passages.size(), families * (families - 1) / 2) << "but for the pair of the one work";
  EXPECT_FALSE(quoted.passages.contains({0, 1}));
}

TEST(OverlapJoin, FindsTheSameOnAnyThreadsAndMemoryAndInAnyOrder) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  const Corpus corpus = random_corpus(77, 700);
  Pairs one, four;
  tbb::task_arena(1).execute([&] { one = join(corpus).pairs; });
  tbb::task_arena(4).execute([&] { four = join(corpus, MemoryBudget::least(700)).pairs; });
  EXPECT_EQ(one, four);

  Corpus shuffled = corpus;
  std::vector<std::uint64_t> content(corpus.size());
  std::iota(content.begin(), content.end(), std::uint64_t{0});
  std::ranges::reverse(shuffled);
  std::ranges::reverse(content);
  Pairs back;
  const auto last = static_cast<DocId>(corpus.size() - 1);
  for (const auto& [a, b] : join(shuffled, 0, content).pairs) back.insert({last - b, last - a});
  EXPECT_EQ(one, back);
}

}  // namespace
}  // namespace leitong
