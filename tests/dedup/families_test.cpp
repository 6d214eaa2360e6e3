#include "dedup/families.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <span>

#include "base/try.hpp"
#include "cluster/stored.hpp"
#include "corpus/memory_documents.hpp"
#include "index/rarity_join.hpp"
#include "made_up_texts.hpp"

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

/// Edited copies of one text, which are all similar; a leader has led to the first `linked` of them.
class Family {
 public:
  Family(DocId members, DocId linked) : Family(members, star(0, linked)) {}
  Family& of_units(std::uint32_t each) {
    std::ranges::fill(table_.units, each);
    return *this;
  }
  Family(DocId members, const std::vector<VerifiedPair>& known)
      : texts_(copies(members)), views_(testing::views(texts_)), pairs_(members, known) {
    table_.units.resize(members, 100);
    table_.content.resize(members, 0);
  }
  std::vector<VerifiedPair> completed(PairFinder& finder) {
    Verifier verifier(documents_, table_, pairs_, {rule_, true}, pairs_.run());
    EXPECT_TRUE(complete_families(pairs_, table_, verifier, finder, rule_));
    return pairs_.list();
  }

  /// The pairs of a leader with `size` - 1 others.
  static std::vector<VerifiedPair> star(DocId leader, DocId linked) {
    std::vector<VerifiedPair> pairs;
    for (DocId d = leader + 1; d < leader + linked; ++d) pairs.push_back({leader, d, 1, 1, 1});
    return pairs;
  }

 private:
  static std::vector<std::string> copies(DocId members) {
    testing::Random random(1);
    const std::string source = testing::random_text(random, 100);
    std::vector<std::string> texts;
    for (DocId d = 0; d < members; ++d) texts.push_back(testing::edited(source, random, 2'000));
    return texts;
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

TEST(Families, OfLongTextsAreLargeWithFewerMembers) {
  constexpr DocId kMembers = 100;
  constexpr std::uint32_t kUnits = kFamilyUnits / kMembers;
  AllCommon finder;
  EXPECT_EQ(Family(kMembers, kMembers).of_units(kUnits).completed(finder).size(),
            kMembers * (kMembers - 1) / 2);
  EXPECT_EQ(Family(kMembers, kMembers).of_units(kUnits + 1).completed(finder).size(), kMembers - 1)
      << "linked by the leader";
}

TEST(Families, OfFewMembersAreNeverLarge) {
  EXPECT_FALSE(is_large_family(kSmallFamily, UINT64_MAX));
  EXPECT_TRUE(is_large_family(kSmallFamily + 1, kFamilyUnits + 1));
}

TEST(Families, CompareAStrayWithAllTheirMembers) {
  constexpr DocId kMembers = 100;
  AllCommon finder({{7, kMembers}, {8, kMembers + 1}});
  const std::vector<VerifiedPair> pairs = Family(kMembers + 3, kMembers).completed(finder);
  EXPECT_EQ(pairs.size(), kMembers * (kMembers - 1) / 2 + 2 * kMembers)
      << "two strays, not compared with each other; nothing led to the third";
}

TEST(Families, StayApartWhereTheirStraysAre) {
  constexpr DocId kMembers = 100;
  std::vector<VerifiedPair> known = Family::star(0, kMembers);
  std::ranges::copy(Family::star(kMembers, kMembers), std::back_inserter(known));
  AllCommon finder({{7, 2 * kMembers}, {kMembers + 7, 2 * kMembers + 1}});
  EXPECT_EQ(Family(2 * kMembers + 2, known).completed(finder).size(),
            kMembers * (kMembers - 1) + 2 * kMembers)
      << "each stray with the members of its family";
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
  constexpr DocId kMost = RarityJoin::kHot;  // the most that the join pairs completely
  EXPECT_EQ(Family(kMost, kMost).completed(finder).size(), kMost - 1) << "the join has seen to smaller ones";
  EXPECT_EQ(Family(kMost + 1, kMost + 1).completed(finder).size(), (kMost + 1) * kMost / 2);
}

/// Records its calls, and offers the pairs of the test.
class Parts final : public PairFinder {
 public:
  using Offer = std::function<std::vector<Candidate>(const std::vector<DocId>& asked)>;
  Parts(Offer offer, std::set<DocId> rare) : offer_(std::move(offer)), rare_(std::move(rare)) {}
  Result<void> add(DocId, std::span<const std::uint64_t>) override { return {}; }
  Result<void> find(CandidateSink&) override { return {}; }
  Result<void> find_among(CandidateSink& sink, std::span<const std::uint32_t> likeness) override {
    likeness_.emplace_back(likeness.begin(), likeness.end());
    std::vector<DocId> asked;
    for (DocId d = 0; d < likeness.size(); ++d)
      if (likeness[d] > 0) asked.push_back(d);
    rounds_.push_back(asked);
    LEITONG_TRY(sink.offer(offer_(asked)));
    return sink.flush();
  }
  [[nodiscard]] bool is_common(DocId d) const override { return !rare_.contains(d); }
  /// For each round, the documents that were compared and how similar each is to the others of its part.
  [[nodiscard]] const std::vector<std::vector<DocId>>& rounds() const { return rounds_; }
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& likeness() const { return likeness_; }

 private:
  Offer offer_;
  std::set<DocId> rare_;
  std::vector<std::vector<DocId>> rounds_;
  std::vector<std::vector<std::uint32_t>> likeness_;
};

/// Edited copies of one text of which these pairs have been found: pairs of one work, and others.
std::vector<VerifiedPair> joined(std::vector<VerifiedPair> known, PairFinder& finder, DocId documents,
                                 std::span<const VerifiedPair> others = {}) {
  testing::Random random(1);
  const std::string source = testing::random_text(random, 300);
  std::vector<std::string> texts;
  DocumentTable table;
  for (DocId d = 0; d < documents; ++d) {
    texts.push_back(testing::edited(source, random, 200));
    table.units.push_back(300);
    table.content.push_back(1'000 - d);
  }
  const auto views = testing::views(texts);
  const MemoryDocuments source_of(views);
  for (VerifiedPair& pair : known) pair.standing = PairStanding::same_work;
  known.insert(known.end(), others.begin(), others.end());
  testing::Stored pairs(documents, known), aside(documents, {});
  PairStore &found = pairs, &set_aside = aside;
  Verifier verifier(source_of, table, found, {.rule = {}, .aside = &set_aside}, pairs.run());
  EXPECT_TRUE(verifier.know(found));
  EXPECT_TRUE(complete_families(found, table, verifier, finder, Rule()));
  return pairs.list();
}

TEST(PartsOfWorks, AreComparedByTheCopiesThatAreMostLikeTheOthers) {
  Parts finder(
      [](const std::vector<DocId>& asked) {
        return asked.size() == 3 ? std::vector<Candidate>{{asked[0], asked[1]}} : std::vector<Candidate>{};
      },
      {4});
  const auto pairs = joined({{0, 1, .5F}, {0, 2, .7F}, {3, 4, .9F}, {3, 5, .5F}, {6, 7, .8F}}, finder, 9);
  ASSERT_EQ(finder.rounds().size(), 2u) << "the second joins none";
  EXPECT_EQ(finder.rounds()[0], (std::vector<DocId>{2, 3, 7}))
      << "4 is not common; of 6 and 7, which are as like, the one of the smaller hash; 8 has no pair";
  EXPECT_NEAR(finder.likeness()[0][2], .7 * 65'535, 1);
  EXPECT_NEAR(finder.likeness()[0][3], .7 * 65'535, 1);
  EXPECT_NEAR(finder.likeness()[0][7], .8 * 65'535, 1);
  EXPECT_EQ(finder.rounds()[1].size(), 2u) << "2 and 3 have joined their parts";
  EXPECT_EQ(pairs.size(), 5u * 4 / 2 + 2) << "those of 0, 1, 2, 3 and 5, of 4 and its leader, and of 6 and 7";
}

TEST(PartsOfWorks, AreCompletedHoweverSmallTheyAre) {
  Parts none([](const std::vector<DocId>&) { return std::vector<Candidate>{}; }, {4});
  const auto pairs = joined({{0, 1, .8F}, {0, 2, .8F}, {0, 4, .8F}, {3, 5, .8F}, {3, 6, .8F}}, none, 8);
  std::set<std::pair<DocId, DocId>> found;
  for (const VerifiedPair& pair : pairs) found.emplace(pair.a, pair.b);
  EXPECT_EQ(found,
            (std::set<std::pair<DocId, DocId>>{{0, 1}, {0, 2}, {0, 4}, {1, 2}, {3, 5}, {3, 6}, {5, 6}}))
      << "4 has rare keys, which led to whatever it is like; 7 is alone";
}

TEST(PartsOfWorks, AreJoinedInEightRounds) {
  Parts finder(
      [](const std::vector<DocId>& asked) {
        return std::vector<Candidate>{{asked[0], asked[1]}};
      },
      {});
  std::vector<VerifiedPair> known;
  for (DocId part = 0; part < 12; ++part) known.push_back({2 * part, 2 * part + 1, .8F});
  joined(known, finder, 24);
  ASSERT_EQ(finder.rounds().size(), 8u);
  EXPECT_EQ(finder.rounds()[7].size(), 5u) << "each joined one";
}

TEST(PartsOfWorks, WhatIsLikeAMemberIsNotComparedWithTheOthersIfItHasAWorkOfItsOwn) {
  constexpr DocId kMembers = RarityJoin::kHot + 1;
  std::vector<VerifiedPair> known = Family::star(0, kMembers);
  std::ranges::copy(Family::star(kMembers, kMembers), std::back_inserter(known));
  Parts none([](const std::vector<DocId>&) { return std::vector<Candidate>{}; }, {});
  const VerifiedPair between{7, kMembers + 7, .9F, .9F, .9F};
  EXPECT_EQ(joined(known, none, 2 * kMembers, {&between, 1}).size(), kMembers * (kMembers - 1) + 1);
}

TEST(PartsOfWorks, AreTwoAtLeast) {
  Parts one([](const std::vector<DocId>&) { return std::vector<Candidate>{}; }, {});
  joined({{0, 1, .8F}}, one, 4);
  EXPECT_TRUE(one.rounds().empty());
  Parts two([](const std::vector<DocId>&) { return std::vector<Candidate>{}; }, {});
  joined({{0, 1, .8F}, {2, 3, .8F}}, two, 4);
  EXPECT_EQ(two.rounds().size(), 1u);
}

}  // namespace
}  // namespace leitong
