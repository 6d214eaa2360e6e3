#include "dedup/verify.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cluster/stored.hpp"
#include "corpus/memory_documents.hpp"
#include "dedup/texts.hpp"
#include "feature/shingles.hpp"

namespace leitong {
namespace {

PodVector<std::uint32_t> shingles_of(const std::string& text) {
  PodVector<Unit> units;
  PodVector<std::uint32_t> set, scratch;
  to_units(text, units);
  shingle_set(units, set, scratch);
  return set;
}

TEST(Verifier, DecidesInManyBandsWhatItDecidesPairByPair) {
  // Shingle sets of 5 MB, so that the least memory has room for less than half of them.
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
    table.units.push_back(600);
    table.content.push_back(d);
  }
  for (DocId d = 1; d < kDocuments; ++d) chosen.insert({0, d});  // one document leads to all
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
  for (const std::uint64_t limit : {std::uint64_t{0}, MemoryBudget::least(0)}) {
    testing::Stored pairs(kDocuments, {}, limit);
    Verifier verifier(documents, table, pairs, {rule, true}, pairs.run());
    ASSERT_TRUE(verifier.offer(candidates));
    ASSERT_TRUE(verifier.offer(std::span(candidates).first(candidates.size() / 2)));
    ASSERT_TRUE(verifier.flush());
    EXPECT_EQ(verifier.decided(), candidates.size());
    ASSERT_TRUE(static_cast<PairStore&>(pairs).sort());
    std::set<std::pair<DocId, DocId>> found;
    for (const VerifiedPair& p : pairs.list()) EXPECT_TRUE(found.insert({p.a, p.b}).second);
    EXPECT_EQ(found, expected);
  }
}

// Hashes of 64 bits can be made to collide: that must remove nothing.
TEST(Verifier, IsFullWithAnEighthOfTheBuffers) {
  const DocumentTable table;
  const MemoryDocuments documents({});
  testing::Stored pairs(0, {}, MemoryBudget::least(0));
  Verifier verifier(documents, table, pairs, {Rule(), true}, pairs.run());
  const std::vector<Candidate> eighth(MemoryBudget::kLeastBuffers / 8 / sizeof(Candidate), Candidate{0, 1});
  ASSERT_TRUE(verifier.offer(eighth));
  EXPECT_FALSE(verifier.full());
  ASSERT_TRUE(verifier.offer({eighth.data(), 1}));
  EXPECT_TRUE(verifier.full());
}

TEST(Verifier, ComparesCopiesAlsoWhereNothingElseIsVerified) {
  const std::vector<std::string> texts{"今天天气很好", "今天天气不好", "今天天气很好"};
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  DocumentTable table;
  for (int i = 0; i < 3; ++i) {
    table.units.push_back(6);
    table.content.push_back(1);
  }
  for (const bool verify : {true, false}) {
    testing::Stored pairs(3, {});
    const Rule rule;
    const Verifier verifier(documents, table, pairs, {rule, verify}, pairs.run());
    std::vector<Copy> copies{{1, 0}, {2, 0}};
    EXPECT_EQ(verifier.confirm(copies).value(), 1u);
    ASSERT_EQ(copies.size(), 1u);
    EXPECT_EQ(copies[0].copy, 2u);
  }
}

}  // namespace
}  // namespace leitong
