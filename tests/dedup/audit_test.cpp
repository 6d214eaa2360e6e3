#include "dedup/find_pairs.hpp"

#include <gtest/gtest.h>

#include <set>

#include "corpus/memory_documents.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

Audit audit_by(const std::vector<std::string>& texts, const FindOptions& options, unsigned threads = 0,
               std::uint64_t memory = 0) {
  const auto views = testing::views(texts);
  MemoryDocuments documents(views);
  const Context context({.threads = threads, .memory = memory});
  return on_threads(context, [&] {
    RunContext run(context);
    auto found = find_pairs(documents, options, longest_first, run);
    EXPECT_TRUE(found) << found.error().message;
    return found ? found->audit : Audit{};
  });
}
Audit audit_of(const std::vector<std::string>& texts, TemplateText templates = TemplateText::automatic) {
  return audit_by(texts, {.templates = templates});
}

// Works of two texts each, one behind the other.
std::vector<std::string> twin_works(testing::Random& random, int count) {
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) {
    texts.push_back(testing::random_text(random, 40));
    texts.push_back(testing::edited(texts.back(), random, 30));
  }
  return texts;
}

TEST(Audit, SamplesUntilThePairsTellTheRecall) {
  testing::Random random(5);
  const Audit audit = audit_of(twin_works(random, 6'000));
  EXPECT_FALSE(audit.all_documents) << "it need not";
  EXPECT_GT(audit.sampled_documents, 1'000U);
  EXPECT_LT(audit.sampled_documents, 6'000U);
  const Interval interval = audit.direct_interval();
  EXPECT_LE(interval.high - interval.low, .05);
}

TEST(Audit, TheSampleIsTheSameForAnyNumberOfThreads) {
  testing::Random random(6);
  const auto texts = twin_works(random, 3'000);
  const Audit one = audit_by(texts, {}, 1), four = audit_by(texts, {}, 4);
  EXPECT_EQ(one.sampled_documents, four.sampled_documents);
  EXPECT_EQ(one.pairs, four.pairs);
  EXPECT_EQ(one.direct, four.direct);
}

TEST(Audit, OfALargeCorpusAQuarterOfTheDocumentsIsDrawn) {
  testing::Random random(8);
  std::vector<std::string> texts;
  for (int i = 0; i < 3'000; ++i) {
    texts.push_back(testing::random_text(random, 300));
    texts.push_back(testing::edited(texts.back(), random, 100));
  }
  const Audit audit = audit_of(texts);
  EXPECT_LT(audit.sampled_documents, 1'700U) << "of 6,000";
  // Half of the sampled texts have a later twin, of which a quarter is drawn.
  EXPECT_NEAR(static_cast<double>(audit.pairs) / static_cast<double>(audit.sampled_documents), .5 / 4, .03);
  EXPECT_EQ(audit.direct, audit.pairs);
}

TEST(Audit, SamplesAsManyDocumentsAsAreAskedFor) {
  testing::Random random(7);
  const auto texts = twin_works(random, 400);
  for (const std::size_t asked : {1U, 50U, 600U}) {
    const Audit audit = audit_by(texts, {.recall_sample = asked});
    EXPECT_EQ(audit.sampled_documents, asked);
    EXPECT_FALSE(audit.all_documents);
  }
  const Audit all = audit_by(texts, {.recall_sample = 1'000});
  EXPECT_EQ(all.sampled_documents, std::set<std::string>(texts.begin(), texts.end()).size())
      << "copies stand for one";
  EXPECT_TRUE(all.all_documents);
}

TEST(Audit, WarnsOnlyWhereTheSampleLeavesNoDoubt) {
  Audit audit;
  audit.pairs = 50;
  audit.independent_pairs = 50;
  audit.direct = 49;
  audit.both_stay = 1;
  EXPECT_FALSE(audit.misses_many()) << "one of 50 may be chance";
  EXPECT_FALSE(audit.leaves_many());
  audit.all_documents = true;
  EXPECT_TRUE(audit.leaves_many()) << "nothing is chance";
  audit.all_documents = false;
  audit.direct = 40;
  EXPECT_TRUE(audit.misses_many());
}

// Short pages of one site that consist of header and footer, and an article there that contains 0.8 of each
// of them.
std::vector<std::string> site(testing::Random& random) {
  const std::string head = testing::random_text(random, 70), foot = testing::random_text(random, 70);
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(head + testing::random_text(random, 30) + foot);
  // Last, since a pair belongs to its earlier document.
  texts.push_back(head + testing::random_text(random, 1'500) + foot);
  return texts;
}

TEST(Audit, DecidesTemplatesInsideLongTextsByTheRuleOfTheRun) {
  testing::Random random(1);
  const Audit audit = audit_of(site(random));
  EXPECT_GE(audit.sampled_documents, 5u);
  EXPECT_EQ(audit.pairs, audit.direct) << "the template is no duplicate of the article";
}

TEST(Audit, CountsPairsThatTheRunFound) {
  testing::Random random(2);
  auto texts = site(random);
  const Audit before = audit_of(texts);
  texts.insert(texts.begin(), testing::edited(texts.back(), random, 60));
  const Audit after = audit_of(texts);
  EXPECT_EQ(after.pairs, before.pairs + 1);
  EXPECT_EQ(after.direct, before.direct + 1);
  EXPECT_EQ(after.linked, after.pairs) << "what was verified is linked";
}

// A page that is nothing but the template is contained in every page of the site. It leaves for one of them;
// the other pairs do not matter.
TEST(Audit, AMissedPairOfWhichOneTextHasLeftLeavesNothingToRemove) {
  testing::Random random(3);
  const std::string head = testing::random_text(random, 100);
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back(head + testing::random_text(random, 400));
  EXPECT_EQ(audit_of(texts).pairs, 0u) << "the pages are not alike";
  for (int i = 0; i < 40; ++i)  // first, since a pair belongs to its earlier document
    texts.insert(texts.begin(), testing::edited(head, random, 100));
  const Audit audit = audit_of(texts, TemplateText::counted);
  EXPECT_GT(audit.direct, 0u);
  EXPECT_GT(audit.pairs, audit.direct) << "only leaders are compared";
  EXPECT_TRUE(audit.misses_many());
  EXPECT_GE(audit.linked, audit.direct) << "what was verified is linked";
  EXPECT_EQ(audit.both_stay, 0u);
  EXPECT_FALSE(audit.leaves_many());
}

TEST(Audit, CountsDistinctShinglesOfTextsThatRepeatThemselves) {
  std::vector<std::string> texts;
  for (int length = 10; length < 310; ++length) {
    texts.emplace_back();
    for (int i = 0; i < length; ++i) texts.back() += "哈";
  }
  const Audit audit = audit_of(texts);
  EXPECT_TRUE(audit.all_documents) << "repeated shingles are no work";
  EXPECT_EQ(audit.sampled_documents, 300u);
  EXPECT_EQ(audit.pairs, 300u * 299 / 2);
  EXPECT_EQ(audit.linked, audit.pairs);
  EXPECT_EQ(audit.both_stay, 0u) << "the default method finds them, and one is kept";
}

TEST(Audit, PairsOfOneDocumentCountAsOneWhereTheyAreItsAll) {
  testing::Random random(4);
  const std::string text = testing::random_text(random, 300);
  std::vector<std::string> texts;
  for (int i = 0; i < 3; ++i) texts.push_back(testing::edited(text, random, 60));
  const Audit audit = audit_of(texts);
  ASSERT_EQ(audit.pairs, 3u);
  EXPECT_DOUBLE_EQ(audit.independent_pairs, 9.0 / 5) << "two of the first document, one of the second";
}

TEST(Audit, SaysHowSureItIs) {
  Audit audit;
  audit.pairs = audit.direct = 4;
  audit.independent_pairs = 4;
  EXPECT_NEAR(audit.direct_interval().low, .51, .001);
  EXPECT_EQ(audit.direct_interval().high, 1);
  audit.independent_pairs = 1;
  EXPECT_NEAR(audit.direct_interval().low, .207, .001) << "four pairs of one document";
  audit.all_documents = true;
  EXPECT_EQ(audit.direct_interval().low, 1) << "nothing was left to chance";
}

}  // namespace
}  // namespace leitong
