#include "index/rarity_join.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "base/hash.hpp"
#include "index/join_helpers.hpp"

namespace leitong {
namespace {

using testing::CollectingSink;
using Pairs = std::set<std::pair<DocId, DocId>>;

// A corpus given as the keys of each document: of the short tier, and of the long one where there are any.
struct Corpus {
  std::vector<std::vector<std::uint64_t>> keys, long_keys;
  std::vector<std::uint64_t> content;
  std::vector<std::uint32_t> units;

  DocId add(std::vector<std::uint64_t> document, std::uint32_t its_units = 200,
            std::vector<std::uint64_t> its_long_keys = {}) {
    keys.push_back(std::move(document));
    long_keys.push_back(std::move(its_long_keys));
    content.push_back(mix64(keys.size()));
    units.push_back(its_units);
    return static_cast<DocId>(keys.size() - 1);
  }
  // `count` keys that no other document has.
  std::vector<std::uint64_t> fresh(std::size_t count) {
    std::vector<std::uint64_t> result;
    for (; count > 0; --count) result.push_back(mix64(++next_ + (1ull << 40)));
    return result;
  }

 private:
  std::uint64_t next_ = 0;
};

struct Joined {
  Pairs pairs, template_only;
  std::map<std::pair<DocId, DocId>, std::uint8_t> frames;
  RarityJoin::Figures figures;
  Pairs strays, among;  // where families and likeness are given
};

struct Asked {
  // The decision of verification.
  std::function<bool(DocId, DocId)> alike = [](DocId, DocId) { return true; };
  std::uint64_t memory = 0;
  std::uint32_t frame = 0;
  std::vector<DocId> family = {};
  unsigned round = 1;
  std::vector<std::uint32_t> likeness = {};
  RarityJoin::Reachable reachable = [](std::uint32_t, std::uint32_t) { return true; };
};

Joined join(const Corpus& corpus, const Asked& asked = {}) {
  DocumentTable table;
  const Context context;
  RunContext run(context, asked.memory);
  const RarityJoin::Tiers tiers{256, [](std::uint32_t, std::uint32_t) { return 80.0; },
                                [](std::uint32_t, std::uint32_t) { return 1.0; }};
  const auto reachable = [&](std::uint32_t shorter, std::uint32_t longer) {
    EXPECT_LE(shorter, longer);
    return asked.reachable(shorter, longer);
  };
  RarityJoin join(tiers, table, run, asked.frame);
  for (DocId d = 0; d < corpus.keys.size(); ++d) {
    table.units.push_back(corpus.units[d]);
    table.content.push_back(corpus.content[d]);
    EXPECT_TRUE(join.add(d, {corpus.keys[d], corpus.long_keys[d]}));
  }
  CollectingSink sink, strays, among;
  sink.alike = asked.alike;
  EXPECT_TRUE(join.find(sink, reachable));
  if (!asked.family.empty()) {
    EXPECT_TRUE(join.find_strays(strays, reachable, asked.family, asked.round));
  }
  if (!asked.likeness.empty()) {
    EXPECT_TRUE(join.find_among(among, reachable, asked.likeness));
  }
  return {sink.pairs, sink.template_only, sink.frames, join.figures(), strays.pairs, among.pairs};
}

std::vector<std::uint64_t> operator+(std::vector<std::uint64_t> a, const std::vector<std::uint64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(RarityJoin, PairsDocumentsThatShareATenthOfTheirRarity) {
  Corpus corpus;
  const auto shared = corpus.fresh(20);
  const DocId a = corpus.add(shared + corpus.fresh(60)), b = corpus.add(shared + corpus.fresh(60));
  corpus.add(corpus.fresh(80));
  const Joined joined = join(corpus);
  EXPECT_EQ(joined.pairs, (Pairs{{a, b}}));
  EXPECT_TRUE(joined.template_only.empty());
}

TEST(RarityJoin, PassesOverDocumentsThatShareTooLittle) {
  Corpus corpus;
  const auto shared = corpus.fresh(3);
  corpus.add(shared + corpus.fresh(77));
  corpus.add(shared + corpus.fresh(77));
  EXPECT_TRUE(join(corpus).pairs.empty());
}

TEST(RarityJoin, TwoRareKeysPairLongDocumentsOfOneLength) {
  // Noise leaves a text its length and a long key here and there; so little shared rarity is no pair else.
  const auto pairs = [](std::size_t keys, std::uint32_t length, std::size_t holders) {
    Corpus corpus;
    const auto shared = corpus.fresh(keys);
    corpus.add(corpus.fresh(1), 4'000, shared + corpus.fresh(200));
    corpus.add(corpus.fresh(1), length, shared + corpus.fresh(200));
    for (std::size_t i = 2; i < holders; ++i)
      corpus.add(corpus.fresh(1), 40'000, shared + corpus.fresh(2'000));
    return join(corpus).pairs;
  };
  EXPECT_EQ(pairs(2, 3'850, 2), (Pairs{{0, 1}}));
  EXPECT_EQ(pairs(2, 3'850, 3), (Pairs{{0, 1}})) << "one more document may hold the keys";
  EXPECT_TRUE(pairs(1, 3'850, 2).empty()) << "a single key says nothing";
  EXPECT_TRUE(pairs(2, 3'700, 2).empty()) << "lengths that differ by more than a twentieth";
  EXPECT_TRUE(pairs(2, 3'850, 4).empty()) << "keys of four documents are no rare ones";
}

TEST(RarityJoin, CountsAKeyOnceHoweverOftenADocumentHoldsIt) {
  Corpus corpus;
  const auto one = corpus.fresh(1);
  std::vector<std::uint64_t> many(40, one[0]);
  corpus.add(many + corpus.fresh(40));
  corpus.add(many + corpus.fresh(40));
  const Joined joined = join(corpus);
  EXPECT_TRUE(joined.pairs.empty()) << "1 of 41 keys is shared";
}

TEST(RarityJoin, FindsTheSameInSlicesWherePairsTakeMoreThanMemory) {
  // Families of 32 whose pairs take 76 MB, with 8 MB of buffers and 6 MB of keys.
  Corpus corpus;
  std::vector<std::vector<std::uint64_t>> families;
  for (int family = 0; family < 300; ++family) families.push_back(corpus.fresh(64));
  for (int member = 0; member < 32; ++member)
    for (const auto& family : families) corpus.add(family + corpus.fresh(16));
  const Joined plenty = join(corpus);
  const Joined little = join(corpus, {.memory = MemoryBudget::least(corpus.keys.size())});
  EXPECT_EQ(plenty.pairs.size(), 300U * 32 * 31 / 2);
  EXPECT_EQ(little.pairs, plenty.pairs);
  EXPECT_EQ(little.template_only, plenty.template_only);
  EXPECT_EQ(little.figures.raw_pairs, plenty.figures.raw_pairs);
  EXPECT_EQ(little.figures.distinct_pairs, plenty.figures.distinct_pairs);
}

TEST(RarityJoin, LinksALargeFamilyThroughItsLeadersInLinearTime) {
  Corpus corpus;
  const auto family = corpus.fresh(60);
  for (int i = 0; i < 2'000; ++i) corpus.add(family + corpus.fresh(20));
  const Joined joined = join(corpus);
  EXPECT_LE(joined.pairs.size(), 2u * 2'000);
  EXPECT_EQ(joined.pairs, joined.template_only);
  std::set<DocId> linked;
  for (const auto& [a, b] : joined.pairs) linked.insert({a, b});
  EXPECT_EQ(linked.size(), 2'000u);
  EXPECT_EQ(joined.figures.hot_keys, 60u);
}

TEST(RarityJoin, AKeyIsHotFromOneHolderMoreThanTheLimitOn) {
  for (const std::size_t holders : {RarityJoin::kHot + 0UL, RarityJoin::kHot + 1UL}) {
    Corpus corpus;
    const auto shared = corpus.fresh(60);
    for (std::size_t i = 0; i < holders; ++i) corpus.add(shared + corpus.fresh(20));
    const Joined joined = join(corpus);
    if (holders == RarityJoin::kHot) {
      EXPECT_EQ(joined.figures.hot_keys, 0u);
      EXPECT_EQ(joined.pairs.size(), holders * (holders - 1) / 2) << "all with all";
    } else {
      EXPECT_EQ(joined.figures.hot_keys, 60u);
      EXPECT_EQ(joined.pairs.size(), 2 * holders - 3) << "all with two leaders";
    }
  }
}

TEST(RarityJoin, LooksForStraysAmongOtherLeadersEachRound) {
  Corpus corpus;
  const auto source = corpus.fresh(60);
  for (int i = 0; i < 200; ++i) corpus.add(source + corpus.fresh(20));
  corpus.add(corpus.fresh(80));
  // 0..119 and 120..149 are families, the others are in none.
  std::vector<DocId> family(201, kNoDocument);
  std::fill_n(family.begin(), 120, DocId{0});
  std::fill_n(family.begin() + 120, 30, DocId{120});
  std::set<DocId> led, leaders;
  for (unsigned round = 1; round <= 20; ++round)
    for (const auto& [leader, d] : join(corpus, {.family = family, .round = round}).strays) {
      EXPECT_LT(leader, 120u) << "of the family that the keys belong to";
      EXPECT_GE(d, 120u);
      leaders.insert(leader);
      led.insert(d);
    }
  EXPECT_EQ(led.size(), 80u) << "all that share the keys, and no other";
  EXPECT_GT(leaders.size(), 20u);
}

TEST(RarityJoin, AFamilyOfPagesLeadsNoOthersOfItsTemplate) {
  Corpus corpus;
  const auto page = corpus.fresh(60);
  for (int i = 0; i < 200; ++i) corpus.add(page + corpus.fresh(20));
  std::vector<DocId> family(200, kNoDocument);
  std::fill_n(family.begin(), 100, DocId{0});
  EXPECT_TRUE(join(corpus, {.family = family}).strays.empty()) << "half of the holders are no majority";
}

TEST(RarityJoin, TheMajorityLeadsEvenWhereOthersComeFirst) {
  Corpus corpus;
  const auto source = corpus.fresh(60);
  for (int i = 0; i < 200; ++i) corpus.add(source + corpus.fresh(20));
  std::vector<DocId> family(200, DocId{40});
  std::fill_n(family.begin(), 40, DocId{0});
  std::set<DocId> led;
  for (const auto& [d, leader] : join(corpus, {.family = family}).strays) {
    EXPECT_GE(leader, 40u);
    led.insert(d);
  }
  EXPECT_EQ(led.size(), 40u);
}

// A template that all documents hold, in groups of similar texts. `loners` come before all others, so that
// they lead, and are similar to none.
Joined join_groups(std::uint32_t frame, std::size_t loners) {
  constexpr std::size_t kGroups = 4, kDocuments = 200;
  Corpus corpus;
  const auto page = corpus.fresh(60);
  for (std::size_t d = 0; d < kDocuments; ++d) {
    corpus.add(page + corpus.fresh(20));
    corpus.content[d] = d;
  }
  return join(
      corpus,
      {.alike = [=](DocId a, DocId b) { return a >= loners && b >= loners && a % kGroups == b % kGroups; },
       .frame = frame});
}

TEST(RarityJoin, DocumentsUnlikeTheFirstLeadersGetOthers) {
  const Joined joined = join_groups(0, 0);
  EXPECT_EQ(joined.figures.hot_unmatched, 0u);
  EXPECT_TRUE(joined.pairs.contains({1, 197})) << "of the first leaders";
  EXPECT_TRUE(joined.pairs.contains({2, 198})) << "first of those that the first leaders don't suit";
  EXPECT_FALSE(joined.pairs.contains({6, 198})) << "not a leader";
}

TEST(RarityJoin, WhereFramesCountLeadersWithoutMatchesAreReplaced) {
  EXPECT_EQ(join_groups(0, 2).figures.hot_unmatched, 200u) << "the loners lead in each round";
  EXPECT_EQ(join_groups(2, 2).figures.hot_unmatched, 2u) << "the loners";
}

TEST(RarityJoin, SaysHowMuchOfAPairMayBeAFrameIfItSharesSomethingRarer) {
  Corpus corpus;
  const auto frame = corpus.fresh(30), text = corpus.fresh(30), other = corpus.fresh(40);
  for (int page = 0; page < 10; ++page) corpus.add(frame + corpus.fresh(50));
  const DocId copy = corpus.add(frame + text + corpus.fresh(20)), bare = corpus.add(text + corpus.fresh(50));
  const DocId a = corpus.add(other + corpus.fresh(40)), b = corpus.add(other + corpus.fresh(40));
  const Joined joined = join(corpus, {.frame = 8});
  EXPECT_EQ(joined.frames.at({0, 1}), 0) << "two pages share their frame alone";
  EXPECT_NEAR(joined.frames.at({copy, bare}), 255 * 3 / 8, 20) << "30 of 80 keys, told by their weights";
  EXPECT_EQ(joined.frames.at({a, b}), 1) << "neither holds what many hold";
}

// A long page and a short text, whose lengths the rule would refuse.
TEST(RarityJoin, LooksBeyondTheReachOfTheRuleForCopiesInFrames) {
  for (const bool copied : {true, false}) {
    Corpus corpus;
    const auto frame = corpus.fresh(40), text = corpus.fresh(20);
    for (int page = 0; page < 10; ++page) corpus.add(frame + corpus.fresh(40));
    const DocId page = corpus.add(frame + text + corpus.fresh(20));
    const DocId alone =
        corpus.add((copied ? text : corpus.fresh(20)) + std::vector(frame.begin(), frame.begin() + 20), 40);
    const auto reachable = [](std::uint32_t shorter, std::uint32_t longer) { return longer < 2 * shorter; };
    EXPECT_EQ(join(corpus, {.frame = 8, .reachable = reachable}).pairs.contains({page, alone}), copied);
    EXPECT_FALSE(join(corpus, {.reachable = reachable}).pairs.contains({page, alone}))
        << "nobody asks for frames";
  }
}

TEST(RarityJoin, TheTierOfTheLongerDocumentMeasuresAPair) {
  for (const bool longer_first : {true, false}) {
    Corpus corpus;
    const auto passage = corpus.fresh(3);
    const auto add_longer = [&] { corpus.add(corpus.fresh(80), 300, passage + corpus.fresh(60)); };
    if (longer_first) add_longer();
    corpus.add(corpus.fresh(80), 200, passage + corpus.fresh(7));
    if (!longer_first) add_longer();
    EXPECT_EQ(join(corpus).pairs, (Pairs{{0, 1}})) << "three of ten long keys, though no short one";
  }
}

TEST(RarityJoin, AmongSomeThoseOfMostLikenessLead) {
  Corpus corpus;
  const auto text = corpus.fresh(60);
  for (int i = 0; i < 100; ++i) corpus.add(text + corpus.fresh(20));
  std::vector<std::uint32_t> likeness(100);
  likeness[10] = 5, likeness[20] = 9, likeness[30] = 1, likeness[40] = 7;
  EXPECT_EQ(join(corpus, {.likeness = likeness}).among,
            (Pairs{{10, 20}, {10, 40}, {20, 30}, {20, 40}, {30, 40}}));
}

TEST(RarityJoin, CountsHotDocumentsWithoutAMatch) {
  Corpus corpus;
  const auto site = corpus.fresh(60);
  for (int i = 0; i < 100; ++i) corpus.add(site + corpus.fresh(20));
  const auto none = [](DocId, DocId) { return false; };
  EXPECT_EQ(join(corpus).figures.hot_unmatched, 0u);
  EXPECT_EQ(join(corpus, {.alike = none}).figures.hot_unmatched, 100u) << "nothing was verified";
}

Corpus random_corpus() {
  Corpus corpus;
  std::uint64_t state = 1;
  auto next = [&](std::uint64_t below) { return mix64(++state * 0x9E3779B97F4A7C15ULL) % below; };
  const auto common = corpus.fresh(50);
  for (int i = 0; i < 3'000; ++i) {
    auto keys = corpus.fresh(40);
    if (i > 10 && next(3) == 0) {
      const auto& other = corpus.keys[next(static_cast<std::uint64_t>(i))];
      for (const std::uint64_t key : other)
        if (next(3) != 0) keys.push_back(key);
    }
    for (int k = 0; k < 5; ++k) keys.push_back(common[next(50)]);
    corpus.add(keys);
  }
  return corpus;
}

TEST(RarityJoin, AsksMoreOfPagesOfOneTemplateThatShareAPhrase) {
  Corpus corpus;
  const auto page = corpus.fresh(48), phrase = corpus.fresh(8), article = corpus.fresh(24);
  for (int i = 0; i < 100; ++i) corpus.add(page + corpus.fresh(32));
  const DocId a = corpus.add(page + phrase + corpus.fresh(24)),
              b = corpus.add(page + phrase + corpus.fresh(24));
  const DocId c = corpus.add(page + article + corpus.fresh(8)),
              d = corpus.add(page + article + corpus.fresh(8));
  const Joined joined = join(corpus);
  EXPECT_TRUE(joined.template_only.contains({a, b}));
  EXPECT_TRUE(joined.pairs.contains({c, d}));
  EXPECT_FALSE(joined.template_only.contains({c, d}));
}

TEST(RarityJoin, FindsTheSameOnAnyNumberOfThreadsAndFromDisk) {
  const Corpus corpus = random_corpus();
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  Joined one, four;
  tbb::task_arena(1).execute([&] { one = join(corpus); });
  tbb::task_arena(4).execute([&] { four = join(corpus, {.memory = MemoryBudget::least(3'000)}); });
  EXPECT_GT(one.pairs.size(), 500u);
  EXPECT_EQ(one.pairs, four.pairs);
  EXPECT_EQ(one.template_only, four.template_only);
}

TEST(RarityJoin, FindsTheSameDocumentsInAnyOrder) {
  const Corpus corpus = random_corpus();
  Corpus reversed;
  for (std::size_t i = corpus.keys.size(); i-- > 0;) {
    reversed.add(corpus.keys[i]);
    reversed.content.back() = corpus.content[i];
  }
  const auto last = static_cast<DocId>(corpus.keys.size() - 1);
  Pairs mirrored;
  for (const auto& [a, b] : join(reversed).pairs) mirrored.insert({last - b, last - a});
  EXPECT_EQ(join(corpus).pairs, mirrored);
}

}  // namespace
}  // namespace leitong
