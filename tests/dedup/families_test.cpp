#include "dedup/families.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/try.hpp"
#include "cluster/stored.hpp"
#include "corpus/memory_documents.hpp"
#include "dedup/texts.hpp"
#include "index/rarity_join.hpp"

namespace leitong {
namespace {

/// All documents are common, and find_strays() offers what the test says.
class AllCommon final : public PairFinder {
 public:
  explicit AllCommon(std::vector<Candidate> strays = {}) : strays_(std::move(strays)) {}
  Result<void> add(DocId, std::span<const std::uint64_t>) override { return {}; }
  Result<void> find(CandidateSink&) override { return {}; }
  Result<void> find_strays(CandidateSink& sink, std::span<const DocId>, unsigned) override {
    LEITONG_TRY(sink.offer(strays_));
    return sink.flush();
  }
  [[nodiscard]] bool is_common(DocId) const override { return true; }

 private:
  std::vector<Candidate> strays_;
};

/// Edited copies of one text, which are all alike, of which a leader has led to the first `linked`.
class Family {
 public:
  Family(DocId members, DocId linked)
      : texts_(copies(members)), views_(testing::views(texts_)), pairs_(members, star(linked)) {
    table_.units.resize(members, 100);
    table_.content.resize(members, 0);
  }
  std::vector<VerifiedPair> completed(PairFinder& finder) {
    Verifier verifier(documents_, table_, pairs_, {rule_, true}, pairs_.run());
    EXPECT_TRUE(complete_families(pairs_, table_, verifier, finder, rule_));
    return pairs_.list();
  }

 private:
  static std::vector<std::string> copies(DocId members) {
    testing::Random random(1);
    const std::string source = testing::random_text(random, 100);
    std::vector<std::string> texts;
    for (DocId d = 0; d < members; ++d) texts.push_back(testing::edited(source, random, 2'000));
    return texts;
  }
  static std::vector<VerifiedPair> star(DocId linked) {
    std::vector<VerifiedPair> pairs;
    for (DocId d = 1; d < linked; ++d) pairs.push_back({0, d, 1, 1, 1});
    return pairs;
  }

  std::vector<std::string> texts_;
  std::vector<std::string_view> views_;
  const MemoryDocuments documents_{views_};
  const Rule rule_;
  DocumentTable table_;
  testing::Stored pairs_;
};

TEST(Families, FindThePairsOfAllTheirMembersUpToAFixedSize) {
  AllCommon finder;
  EXPECT_EQ(Family(kFamily, kFamily).completed(finder).size(), kFamily * (kFamily - 1) / 2);
  EXPECT_EQ(Family(kFamily + 1, kFamily + 1).completed(finder).size(), kFamily) << "linked by the leader";
}

TEST(Families, CompareAStrayWithAllTheirMembers) {
  constexpr DocId kMembers = 100;
  AllCommon finder({{7, kMembers}, {8, kMembers + 1}});
  const std::vector<VerifiedPair> pairs = Family(kMembers + 3, kMembers).completed(finder);
  EXPECT_EQ(pairs.size(), kMembers * (kMembers - 1) / 2 + 2 * kMembers)
      << "two strays, not compared with each other; nothing led to the third";
}

TEST(Families, TakeStraysOfThreeRounds) {
  class OneARound final : public PairFinder {
   public:
    Result<void> add(DocId, std::span<const std::uint64_t>) override { return {}; }
    Result<void> find(CandidateSink&) override { return {}; }
    Result<void> find_strays(CandidateSink& sink, std::span<const DocId> family, unsigned round) override {
      const auto members = static_cast<DocId>(std::ranges::count(family, 0u));
      const Candidate stray{round, members + round - 1};
      LEITONG_TRY(sink.offer({&stray, 1}));
      return sink.flush();
    }
    [[nodiscard]] bool is_common(DocId) const override { return true; }
  } finder;
  constexpr DocId kMembers = 100;
  EXPECT_EQ(Family(kMembers + 4, kMembers).completed(finder).size(),
            kMembers * (kMembers - 1) / 2 + 3 * kMembers);
}

TEST(Families, AreOnlyMadeOfManyDocuments) {
  AllCommon finder;
  constexpr DocId kMost = RarityJoin::kHot;  // that the join pairs all with all
  EXPECT_EQ(Family(kMost, kMost).completed(finder).size(), kMost - 1) << "the join has seen to smaller ones";
  EXPECT_EQ(Family(kMost + 1, kMost + 1).completed(finder).size(), (kMost + 1) * kMost / 2);
}

}  // namespace
}  // namespace leitong
