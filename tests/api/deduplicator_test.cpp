#include <gmock/gmock.h>

#include "api/answer.hpp"
#include "leitong/dedup.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

using testing::Answer;
using testing::answer_of;
using testing::edited;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Random;
using testing::random_corpus;
using testing::random_text;

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

Answer in_batches_of(std::size_t batch, const Context& context, const std::vector<std::string>& texts) {
  auto deduplicator = Deduplicator::open(context);
  const auto all = views(texts);
  for (std::size_t i = 0; i < all.size(); i += batch)
    EXPECT_TRUE(deduplicator->add(std::span(all).subspan(i, std::min(batch, all.size() - i))));
  EXPECT_EQ(deduplicator->size(), texts.size());
  return answer_of(deduplicator->finish());
}

TEST(Deduplicator, DecidesAsForTextsInOneArray) {
  const auto texts = random_corpus(11, 800);
  const Answer whole = testing::deduplicated(texts);
  ASSERT_GT(whole.pairs.size(), 40u);
  const Context context;
  for (const std::size_t batch : {1u, 37u, 10'000u}) {
    const Answer parts = in_batches_of(batch, context, texts);
    EXPECT_EQ(parts.kept, whole.kept);
    EXPECT_EQ(parts.pairs.size(), whole.pairs.size());
  }
}

TEST(Deduplicator, DecidesTheSameWhereTextsGoToTheWorkFolder) {
  Random random(12);
  std::vector<std::string> texts;
  const std::string tail = random_text(random, 200'000);
  for (int i = 0; i < 120; ++i)
    texts.push_back(random_text(random, 100 + i) + tail.substr(0, 600 * (i % 40)));
  const Context small({.threads = 2, .memory = std::uint64_t{72} << 20});
  EXPECT_EQ(in_batches_of(7, small, texts).kept, testing::deduplicated(texts).kept);
}

TEST(Deduplicator, NeverRemovesAReference) {
  Random random(13);
  const std::string article = random_text(random, 300);
  const std::vector<std::string> references = {article.substr(0, article.size() / 3 * 3 / 4 / 3 * 3),
                                               article};
  const std::vector<std::string> texts = {article + random_text(random, 10), random_text(random, 300)};
  const Context context;
  auto deduplicator = Deduplicator::open(context);
  ASSERT_TRUE(deduplicator->add_references(views(references)));
  ASSERT_TRUE(deduplicator->add(views(texts)));
  const auto late = deduplicator->add_references(views(references));
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message, HasSubstr("before"));
  const auto decisions = deduplicator->finish();
  ASSERT_TRUE(decisions) << decisions.error().message;
  EXPECT_TRUE(decisions->stays(0));
  EXPECT_TRUE(decisions->stays(1));
  EXPECT_FALSE(decisions->stays(2));
  EXPECT_TRUE(decisions->stays(3));
}

TEST(Deduplicator, KeepsTheTextOfTheLeastRank) {
  Random random(14);
  const std::string article = random_text(random, 300);
  const std::vector<std::string> texts = {article + random_text(random, 40), article,
                                          article + random_text(random, 20)};
  const std::vector<std::uint64_t> ranks = {9, 2, 5};
  const Context context;
  auto deduplicator =
      Deduplicator::open(context, {.keep = Keep::ranked, .removal = {.remove = Remove::similar}});
  EXPECT_FALSE(deduplicator->add(views(texts)));
  ASSERT_TRUE(deduplicator->add(views(texts), ranks));
  EXPECT_THAT(answer_of(deduplicator->finish()).kept, ElementsAre(1, 1, 1));

  auto first = Deduplicator::open(context, {.keep = Keep::first, .removal = {.remove = Remove::similar}});
  ASSERT_TRUE(first->add(views(texts)));
  EXPECT_THAT(answer_of(first->finish()).kept, ElementsAre(0, 0, 0));
}

TEST(Deduplicator, ATextOfALaterRankStaysIfTheBetterOneLacksMuchOfIt) {
  Random random(14);
  const std::string article = random_text(random, 300);
  const std::vector<std::string> texts = {article + random_text(random, 40), article,
                                          article + random_text(random, 5)};
  const std::vector<std::uint64_t> ranks = {9, 2, 5};
  const Context context;
  auto deduplicator = Deduplicator::open(context, {.keep = Keep::ranked});
  ASSERT_TRUE(deduplicator->add(views(texts), ranks));
  const auto decisions = deduplicator->finish();
  ASSERT_TRUE(decisions) << decisions.error().message;
  EXPECT_THAT(decisions->kept(), ElementsAre(0, 1, 1));
  EXPECT_EQ(decisions->relatives(), 1u);
  EXPECT_GT(decisions->reason(2)->loss, 0);
  EXPECT_LT(decisions->reason(2)->loss, .05);
}

TEST(Deduplicator, TakesNothingOfABatchThatHoldsABadText) {
  const Context context;
  auto deduplicator = Deduplicator::open(context);
  const std::vector<std::string> good = {"雷同"}, bad = {"雷同", "\xc3("};
  ASSERT_TRUE(deduplicator->add(views(good)));
  const auto refused = deduplicator->add(views(bad));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
  EXPECT_EQ(refused.error().message, "text 2 is not valid UTF-8");
  EXPECT_EQ(deduplicator->size(), 1u);
}

TEST(Deduplicator, GivesTextsBackAndDecidesOnce) {
  const Context context;
  auto deduplicator = Deduplicator::open(context);
  const std::vector<std::string> texts = {"雷同，同一雷声", "", "雷同同一雷声！", ""};
  ASSERT_TRUE(deduplicator->add(views(texts)));
  const auto decisions = deduplicator->finish();
  EXPECT_THAT(decisions->kept(), ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(decisions->reason(2)->measure, "copy");
  EXPECT_FALSE(decisions->reason(0).has_value());
  EXPECT_EQ(deduplicator->text(2).value(), texts[2]);
  EXPECT_FALSE(deduplicator->finish());
  EXPECT_FALSE(deduplicator->add(views(texts)));
}

TEST(Decisions, ARaisedThresholdDecidesAsARunWithIt) {
  const auto texts = random_corpus(16, 800);
  const Context context;
  const auto low = deduplicate(
      context, views(texts), {.threshold = .3, .measure = "jaccard", .removal = {.remove = Remove::similar}});
  const auto high = deduplicate(
      context, views(texts), {.threshold = .7, .measure = "jaccard", .removal = {.remove = Remove::similar}});
  ASSERT_TRUE(low && high);
  ASSERT_GT(low->removed(), high->removed());
  const auto raised = low->rethreshold("", .7);
  ASSERT_TRUE(raised) << raised.error().message;
  EXPECT_EQ(answer_of(raised).kept, answer_of(high).kept);
  EXPECT_EQ(answer_of(raised).pairs.size(), answer_of(high).pairs.size());
  EXPECT_EQ(raised->recall().sampled, 0u);
  EXPECT_EQ(answer_of(low->rethreshold("jaccard", .3)).kept, answer_of(low).kept);
  EXPECT_EQ(answer_of(raised->rethreshold("jaccard", .3)).kept, answer_of(raised).kept);
  // Copies are found by any rule.
  const std::vector<std::string> same = {"雷同，同一雷声", "雷同同一雷声！"};
  EXPECT_EQ(deduplicate(views(same))->rethreshold("containment", 1)->removed(), 1u);
}

TEST(Decisions, ARaisedThresholdKeepsATextWhoseLossForTheOtherOneIsNotKnown) {
  const auto texts = random_corpus(16, 800);
  const Context context;
  const auto low = deduplicate(context, views(texts), {.threshold = .3, .measure = "jaccard"});
  const auto high = deduplicate(context, views(texts), {.threshold = .7, .measure = "jaccard"});
  ASSERT_TRUE(low && high);
  const auto raised = low->rethreshold("", .7);
  ASSERT_TRUE(raised) << raised.error().message;
  EXPECT_LE(raised->removed(), high->removed());
  for (std::uint32_t text = 0; text < texts.size(); ++text)
    if (!raised->stays(text)) EXPECT_LE(raised->reason(text)->loss, .05) << text;
}

TEST(Decisions, WhatCoversMostIsKnownAtARaisedThreshold) {
  const auto texts = random_corpus(16, 800);
  const Context context;
  const auto decided = [&](double threshold) {
    return deduplicate(context, views(texts),
                       {.threshold = threshold, .measure = "jaccard", .keep = Keep::covering});
  };
  const auto low = decided(.3), high = decided(.7);
  ASSERT_TRUE(low && high);
  ASSERT_GT(high->removed(), 10u);
  EXPECT_EQ(answer_of(low->rethreshold("", .7)).kept, answer_of(high).kept)
      << "both losses of every pair were read";
  const auto refused =
      deduplicate(context, views(texts), {.keep = Keep::covering, .removal = {.remove = Remove::similar}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().setting, "keep");
}

TEST(Decisions, TextsWithoutTemplatesAreTheirOwnText) {
  const auto texts = random_corpus(17, 300);
  const auto decisions = deduplicate(views(texts));
  ASSERT_GT(decisions->removed(), 10u);
  EXPECT_EQ(answer_of(decisions->rethreshold("own_jaccard", .6)).kept,
            answer_of(decisions->rethreshold("jaccard", .6)).kept);
}

TEST(Decisions, RefuseAnInvalidThreshold) {
  const std::vector<std::string> texts = {"雷同"};
  const auto decisions = deduplicate(views(texts));
  EXPECT_THAT(decisions->rethreshold("edit", .5).error().message, HasSubstr("no measure \"edit\""));
  const auto counted = deduplicate(views(texts), {.template_text = TemplateText::counted});
  EXPECT_THAT(counted->rethreshold("own_jaccard", .5).error().message, HasSubstr("no own_jaccard"));
  EXPECT_THAT(decisions->rethreshold("", 1.5).error().message, HasSubstr("from 0 to 1"));
}

/// Twenty pages of one site, followed by a copy of the last one with another ending.
std::vector<std::string> pages_of_a_site() {
  Random random(21);
  const std::string head = random_text(random, 60), foot = random_text(random, 90);
  std::vector<std::string> pages;
  std::string text;
  for (int page = 0; page < 20; ++page) pages.push_back(head + (text = random_text(random, 80)) + foot);
  pages.push_back(head + text + "改写了末尾的几个字" + foot);
  return pages;
}

std::vector<std::string> removal_sentences(const Decisions& decisions) {
  std::vector<std::string> sentences(decisions.size());
  EXPECT_TRUE(decisions.for_each_removal([&](std::uint32_t text, std::string_view reason) -> Result<void> {
    sentences[text] = reason;
    return {};
  }));
  return sentences;
}

TEST(Decisions, SayInASentenceWhyATextLeft) {
  std::vector<std::string> pages = pages_of_a_site();
  pages.push_back(pages[19]);
  const auto decisions = deduplicate(views(pages));
  ASSERT_TRUE(decisions);
  const auto sentences = removal_sentences(*decisions);
  for (std::uint32_t text = 0; text < pages.size(); ++text)
    EXPECT_EQ(sentences[text].empty(), decisions->stays(text)) << text;
  EXPECT_THAT(
      sentences[19],
      ::testing::ContainsRegex("^similar: Jaccard 0\\.[0-9]+; [0-9]+ % of what they share is a template that "
                               "about 1[0-9] other families of texts hold; without it Jaccard"));
  EXPECT_EQ(sentences[21], sentences[19]) << "a copy leaves for the reason of its text";
  EXPECT_EQ(removal_sentences(*decisions->rethreshold("own_jaccard", .5))[19], sentences[19]);
  const std::vector<std::string> same = {"雷同，同一雷声", "雷同， 同一雷声", "雷同同一雷声！"};
  EXPECT_THAT(
      removal_sentences(*deduplicate(views(same))),
      ElementsAre("", "similar: the same text", "similar: a copy, which differs in signs or marks only"));
}

TEST(Decisions, ReportThatCopiesDifferInNumbersIfTheseAreMasked) {
  const std::vector<std::string> logs = {"08:30:05 pump 7 took 12.5 ms", "08:31:09 pump 12 took -3 ms",
                                         "08:31:09 pump 12 took -3 ms!",
                                         "08:30:05 fan 7 was stopped by hand"};
  const DedupSettings masked{.removal = {.numbers = Numbers::masked}};
  const auto decisions = deduplicate(views(logs), masked);
  ASSERT_TRUE(decisions);
  const std::string copy = "similar: a copy, which differs in numbers, signs or marks only";
  EXPECT_THAT(removal_sentences(*decisions), ElementsAre("", copy, copy, ""));
  EXPECT_EQ(decisions->reason(1)->measure, "copy");
  for (const Numbers numbers : {Numbers::same, Numbers::text})
    EXPECT_TRUE(deduplicate(views(logs), {.removal = {.numbers = numbers}})->stays(1));
}

TEST(Decisions, MarksCountWhereTheyAreKept) {
  const std::vector<std::string> texts = {"Été à la mer", "ete a la mer", "الرَّعْدُ بعد البرق",
                                          "الرعد بعد البرق"};
  const auto folded = deduplicate(views(texts)), kept = deduplicate(views(texts), {.marks = Marks::keep});
  ASSERT_TRUE(folded && kept);
  const std::string copy = "similar: a copy, which differs in signs or marks only";
  EXPECT_THAT(removal_sentences(*folded), ElementsAre("", copy, "", copy));
  EXPECT_EQ(kept->removed(), 0u);
}

TEST(Decisions, AFailureEndsTheDeliveryOfReasons) {
  const std::vector<std::string> same = {"雷同，同一雷声", "雷同同一雷声！"};
  const auto stopped = deduplicate(views(same))->for_each_removal([](std::uint32_t, std::string_view) {
    return Result<void>(fail(ErrorCode::io, "full"));
  });
  EXPECT_EQ(stopped.error().message, "full");
}

TEST(Decisions, SayOfANearMissWhatTemplatesHadToDoWithIt) {
  const auto decisions = deduplicate(views(pages_of_a_site()));
  ASSERT_TRUE(decisions);
  ASSERT_FALSE(decisions->near_misses().empty());
  for (const NearMiss& miss : decisions->near_misses()) {
    EXPECT_GT(miss.texts.jaccard, .4) << "the rule accepts it";
    EXPECT_LT(miss.closeness, .25) << "nearly all that the two share is a template";
    EXPECT_LT(miss.own_jaccard, .05);
    EXPECT_LE(miss.own_jaccard, miss.own_containment);
    EXPECT_GT(miss.template_share, .9);
    EXPECT_EQ(miss.families, 20u);
    EXPECT_THAT(miss.reason, ::testing::StartsWith("not similar: "));
    EXPECT_THAT(miss.reason,
                HasSubstr("is a template that about 18 other families of texts hold; without it "));
  }
}

TEST(Decisions, ANearMissWithoutTemplatesHasTheValuesOfTheWholeTexts) {
  Random random(22);
  const std::string text = random_text(random, 200);
  const std::vector<std::string> texts = {text, edited(text, random, 20)};
  const auto decisions = deduplicate(views(texts), {.threshold = .9, .measure = "jaccard"});
  ASSERT_EQ(decisions->near_misses().size(), 1u);
  const NearMiss& miss = decisions->near_misses()[0];
  EXPECT_EQ(miss.own_jaccard, miss.texts.jaccard);
  EXPECT_EQ(miss.own_containment, miss.texts.containment);
  EXPECT_EQ(miss.template_share, 0);
  EXPECT_THAT(miss.reason, ::testing::StartsWith("not similar: Jaccard 0."));
}

TEST(Deduplicator, ReportsItsRecallAndItsNearMisses) {
  const auto texts = random_corpus(15, 600);
  const Context context;
  const auto decisions = deduplicate(context, views(texts));
  ASSERT_TRUE(decisions);
  EXPECT_GT(decisions->recall().sampled, 0u);
  EXPECT_LE(decisions->recall().found, decisions->recall().pairs);
  for (const NearMiss& miss : decisions->near_misses()) EXPECT_LT(miss.closeness, 1);
  const auto quiet = deduplicate(context, views(texts), {.measure_recall = false});
  EXPECT_EQ(quiet->recall().sampled, 0u);
}

}  // namespace
}  // namespace leitong
