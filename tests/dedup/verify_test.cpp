#include "dedup/verify.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cluster/stored.hpp"
#include "corpus/memory_documents.hpp"
#include "feature/shingles.hpp"
#include "made_up_texts.hpp"
#include "similarity/edit.hpp"
#include "similarity/intersect.hpp"
#include "text/packed_units.hpp"

namespace leitong {
namespace {

PodVector<std::uint32_t> shingles_of(const std::string& text) {
  PodVector<Unit> units;
  PodVector<std::uint32_t> set, scratch;
  to_units(text, units);
  shingle_set(units, set, scratch);
  return set;
}

void keep_all(std::span<const std::string> texts, KeptUnits& kept) {
  PodVector<Unit> units;
  PodVector<std::uint16_t> packed;
  for (DocId d = 0; d < texts.size(); ++d) {
    to_units(texts[d], units);
    packed.clear();
    pack_units(units, packed);
    EXPECT_TRUE(kept.keep(d, packed));
  }
  EXPECT_TRUE(kept.fit());
}

TEST(Verifier, DecidesInManyBandsAndBlocksWhatItDecidesPairByPair) {
  // Shingle sets of 5 MB in all, so that the least memory holds less than half of them.
  constexpr DocId kDocuments = 2'000;
  testing::Random random(1);
  std::vector<std::string> texts;
  DocumentTable table;
  std::set<std::pair<DocId, DocId>> chosen;
  for (DocId d = 0; d < kDocuments; ++d) {
    const auto source = static_cast<DocId>(d == 0 ? 0 : random.below(d));
    if (d % 3 == 0) {
      texts.push_back(testing::random_text(random, 600));
    } else {
      texts.push_back(testing::edited(texts[source], random, 4 + random.below(40)));
      chosen.insert({source, d});
    }
    PodVector<Unit> units;
    to_units(texts.back(), units);
    table.units.push_back(static_cast<std::uint32_t>(units.size()));
    table.content.push_back(d);
  }
  for (DocId d = 1; d < kDocuments; ++d) chosen.insert({0, d});  // one document leads to all others
  while (chosen.size() < 12'000) {
    const auto a = static_cast<DocId>(random.below(kDocuments)),
               b = static_cast<DocId>(random.below(kDocuments));
    if (a != b) chosen.insert(std::minmax(a, b));
  }
  std::vector<Candidate> candidates;
  for (const auto& [a, b] : chosen) candidates.push_back({a, b});

  const Rule rule;
  std::set<std::pair<DocId, DocId>> expected;
  std::vector<PodVector<std::uint32_t>> sets;
  for (const std::string& text : texts) sets.push_back(shingles_of(text));
  for (const Candidate& c : candidates) {
    std::vector<std::uint32_t> shared;
    std::set_intersection(sets[c.a].begin(), sets[c.a].end(), sets[c.b].begin(), sets[c.b].end(),
                          std::back_inserter(shared));
    if (rule.decide(c, shared.size(), sets[c.a].size(), sets[c.b].size())) expected.insert({c.a, c.b});
  }
  ASSERT_GT(expected.size(), 500u);

  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  struct Way {
    std::uint64_t memory;
    bool keeps_units;
  };
  constexpr std::uint64_t kLittle = MemoryBudget::least(0);
  for (const auto& [limit, keeps_units] :
       {Way{0, false}, Way{0, true}, Way{kLittle, false}, Way{kLittle, true}}) {
    testing::Stored pairs(kDocuments, {}, limit);
    KeptUnits units(table, pairs.run());
    if (keeps_units) keep_all(texts, units);
    EXPECT_EQ(units.in_memory(), limit == 0 || !keeps_units);
    Verifier verifier(documents, table, pairs, {.rule = rule, .units = &units}, pairs.run());
    for (int times = 0; times < 6; ++times) ASSERT_TRUE(verifier.offer(candidates));  // more than may wait
    ASSERT_TRUE(verifier.offer(std::span(candidates).first(candidates.size() / 2)));
    ASSERT_TRUE(verifier.flush());
    EXPECT_EQ(verifier.decided(), candidates.size());
    ASSERT_TRUE(static_cast<PairStore&>(pairs).sort());
    std::set<std::pair<DocId, DocId>> found;
    for (const VerifiedPair& p : pairs.list()) EXPECT_TRUE(found.insert({p.a, p.b}).second);
    EXPECT_EQ(found, expected);
  }
}

// Two edited copies of one work, each with a passage of its own, are no copies of each other, whether or not
// the work was compared before.
TEST(Verifier, SettlesAPairIndependentlyOfEarlierComparisons) {
  testing::Random random(3);
  const std::string work = testing::random_text(random, 1'000);
  const auto with_passage_at = [&](std::size_t unit) {
    constexpr std::size_t kUnitBytes = 3;
    std::string text = work;
    return text.replace(kUnitBytes * unit, kUnitBytes * 100, testing::random_text(random, 100));
  };
  const std::vector<std::string> texts = {work, with_passage_at(200), with_passage_at(600)};
  DocumentTable table;
  for (DocId d = 0; d < 3; ++d) {
    table.units.push_back(1'000);
    table.content.push_back(d);
  }
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  const Rule rule;
  const auto standings = [&](std::span<const Candidate> candidates, std::size_t first, bool knows_templates) {
    testing::Stored pairs(3, {}), aside(3, {});
    PairStore& put_aside = aside;
    Verifier verifier(documents, table, pairs, {.aside = &put_aside}, pairs.run());
    TemplateStage templates({documents, table, rule, {}}, pairs.run());
    if (knows_templates) verifier.decide_again(templates, pairs);
    EXPECT_TRUE(verifier.offer(candidates.first(first)));
    EXPECT_TRUE(verifier.flush());
    EXPECT_TRUE(verifier.offer(candidates.subspan(first)));
    EXPECT_TRUE(verifier.flush());
    EXPECT_TRUE(static_cast<PairStore&>(pairs).sort());
    std::vector<PairStanding> found;
    for (const VerifiedPair& pair : pairs.list()) found.push_back(pair.standing);
    return found;
  };
  using enum PairStanding;
  std::vector<Candidate> candidates = {{0, 1}, {0, 2}, {1, 2}};
  for (const std::size_t first : {0, 2, 3})
    EXPECT_EQ(standings(candidates, first, true), (std::vector{same_work, same_work, ordinary})) << first;
  for (Candidate& candidate : candidates) candidate.frame = 1;  // nearly no common keys
  for (const std::size_t first : {0, 2, 3})
    EXPECT_EQ(standings(candidates, first, false), (std::vector{same_work, same_work, settled})) << first;
}

TEST(Verifier, DecidesByEditSimilarityWhereThatIsTheMeasure) {
  testing::Random random(2);
  std::vector<std::string> texts;
  DocumentTable table;
  std::vector<Candidate> candidates;
  for (DocId d = 0; d < 60; ++d) {
    texts.push_back(d % 2 == 0 ? testing::random_text(random, 80)
                               : testing::edited(texts.back(), random, 3 + random.below(10)));
    table.units.push_back(80);
    table.content.push_back(d);
    if (d % 2 == 1) candidates.push_back({d - 1, d});
    if (d > 2) candidates.push_back({d - 2, d});
  }
  Rule rule;
  rule.measure = Measure::edit;
  rule.threshold = .8;
  std::map<std::pair<DocId, DocId>, float> expected;
  for (const Candidate& c : candidates) {
    PodVector<Unit> a, b;
    to_units(texts[c.a], a);
    to_units(texts[c.b], b);
    if (const double similarity = edit_similarity(a, b); similarity >= rule.threshold)
      expected[{c.a, c.b}] = static_cast<float>(similarity);
  }
  ASSERT_GT(expected.size(), 5u);
  ASSERT_LT(expected.size(), 25u);

  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  testing::Stored pairs(60, {});
  Verifier verifier(documents, table, pairs, {rule, true}, pairs.run());
  ASSERT_TRUE(verifier.offer(candidates));
  ASSERT_TRUE(verifier.flush());
  ASSERT_TRUE(static_cast<PairStore&>(pairs).sort());
  std::map<std::pair<DocId, DocId>, float> found;
  for (const VerifiedPair& p : pairs.list()) {
    EXPECT_EQ(p.measure, Measure::edit);
    found[{p.a, p.b}] = p.score;
  }
  EXPECT_EQ(found, expected);
}

// What led to a pair is common to many texts. Then it counts only if the two share something throughout, as
// edited copies of one text do, and are similar as wholes: a text whose parts are scattered over a longer one
// is not.
TEST(Verifier, AcceptsWhatCommonKeysLedToIfTheTwoAreAlikeThroughout) {
  testing::Random random(3);
  std::string text, edited, longer;
  for (int phrase = 0; phrase < 40; ++phrase) {
    const std::string its = testing::random_text(random, 20);
    text += its;
    edited += its + testing::random_text(random, 6);
    longer += its + testing::random_text(random, 30);
  }
  const std::vector<std::string> texts{text, edited, longer};
  DocumentTable table;
  for (const unsigned units : {840, 1000, 2040}) {
    table.units.push_back(units);
    table.content.push_back(units);
  }
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  testing::Stored pairs(3, {});
  const Rule rule;
  Verifier verifier(documents, table, pairs, {rule, true}, pairs.run());
  const std::vector<Candidate> candidates{{0, 1, 0, true}, {0, 2, 0, true}};
  ASSERT_TRUE(verifier.offer(candidates));
  ASSERT_TRUE(verifier.flush());
  ASSERT_TRUE(static_cast<PairStore&>(pairs).sort());
  ASSERT_EQ(pairs.list().size(), 1u);
  EXPECT_EQ(pairs.list()[0].b, 1u);
  EXPECT_LT(pairs.list()[0].jaccard, rule.template_jaccard);
  const auto shared = intersection_size(shingles_of(text), shingles_of(longer));
  const auto ordinary = rule.decide({0, 2}, shared, shingles_of(text).size(), shingles_of(longer).size());
  ASSERT_TRUE(ordinary) << "by the rule alone it would be one";
  EXPECT_EQ(ordinary->measure, Measure::containment);
}

// Simulates character recognition: replaces about one letter in `rarity`.
std::string misread(std::string text, testing::Random& random, std::uint64_t rarity) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z' && random.below(rarity) == 0) c = static_cast<char>('a' + random.below(26));
  return text;
}

TEST(Verifier, PutsOneTextWithNoiseAsideWhereTemplatesAreLookedFor) {
  testing::Random random(5);
  std::vector<std::string> texts;
  DocumentTable table;
  for (DocId d = 0; d < 40; ++d) {
    texts.push_back(d % 2 == 0 ? testing::random_text(random, 2'000, false)
                               : misread(texts.back(), random, 8));
    table.units.push_back(static_cast<std::uint32_t>(1'000 + d));
    table.content.push_back(d);
  }
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  for (const bool templates : {true, false}) {
    for (const std::uint64_t limit : {std::uint64_t{0}, MemoryBudget::least(0)}) {
      testing::Stored pairs(texts.size(), {}, limit), aside(texts.size(), {}, limit);
      PairStore* const put_aside = templates ? &static_cast<PairStore&>(aside) : nullptr;
      Verifier verifier(documents, table, pairs, {.rule = Rule(), .aside = put_aside}, pairs.run());
      for (DocId a = 0; a < texts.size(); ++a)
        for (DocId b = a + 1; b < texts.size(); ++b) ASSERT_TRUE(verifier.consider(a, b, false));
      ASSERT_TRUE(verifier.flush());
      for (PairStore* const store : {&static_cast<PairStore&>(pairs), &static_cast<PairStore&>(aside)})
        ASSERT_TRUE(store->sort());
      EXPECT_TRUE(pairs.list().empty());
      const auto found = aside.list();
      ASSERT_EQ(found.size(), templates ? texts.size() / 2 : 0);
      for (const VerifiedPair& pair : found) {
        EXPECT_EQ(pair.a / 2, pair.b / 2);
        EXPECT_EQ(pair.measure, Measure::edit);
        EXPECT_EQ(pair.standing, PairStanding::aside);
        EXPECT_NEAR(pair.score, .88, .05);
        EXPECT_LT(pair.jaccard, .35);
      }
      if (templates) EXPECT_FALSE(verifier.works()->together(0, 1));
    }
  }
}

TEST(Verifier, IsFullWithAnEighthOfTheBuffers) {
  const DocumentTable table;
  const MemoryDocuments documents({});
  testing::Stored pairs(0, {}, MemoryBudget::least(0));
  const Rule rule;
  Verifier verifier(documents, table, pairs, {rule, true}, pairs.run());
  const std::vector<Candidate> eighth(MemoryBudget::kLeastBuffers / 8 / sizeof(Candidate), Candidate{0, 1});
  ASSERT_TRUE(verifier.offer(eighth));
  EXPECT_FALSE(verifier.full());
  ASSERT_TRUE(verifier.offer({eighth.data(), 1}));
  EXPECT_TRUE(verifier.full());
}

// The same is true where templates are looked for.
TEST(Verifier, RefusesSizesThatNothingSharedCouldMakeSimilar) {
  testing::Random random(4);
  const std::string text = testing::random_text(random, 30);
  const std::vector<std::string> texts{text, text + testing::random_text(random, 400)};
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  DocumentTable table;
  for (const unsigned units : {31, 432}) {
    table.units.push_back(units);
    table.content.push_back(units);
  }
  testing::Stored pairs(2, {}), aside(2, {});
  PairStore& set_aside = aside;
  Verifier verifier(documents, table, pairs, {.rule = {}, .aside = &set_aside}, pairs.run());
  const std::vector<Candidate> candidates{{0, 1}};
  ASSERT_TRUE(verifier.offer(candidates));
  ASSERT_TRUE(verifier.flush());
  EXPECT_EQ(verifier.decided(), 1u);
  ASSERT_TRUE(static_cast<PairStore&>(pairs).sort());
  ASSERT_TRUE(set_aside.sort());
  EXPECT_TRUE(pairs.list().empty());
  EXPECT_TRUE(aside.list().empty());
}

}  // namespace
}  // namespace leitong
