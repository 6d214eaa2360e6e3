#include "leitong/dedup.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "api/answer.hpp"
#include "feature/shingles.hpp"
#include "made_up_texts.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

using testing::Answer;
using testing::deduplicated;
using testing::edited;
using testing::Random;
using testing::random_corpus;
using testing::random_text;
using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Pairs pairs_of(const Answer& result) {
  Pairs pairs;
  for (const SimilarTexts& p : result.pairs) pairs.insert({p.a, p.b});
  return pairs;
}

std::set<std::uint32_t> shingles_of(const std::string& text) {
  PodVector<Unit> units;
  PodVector<std::uint32_t> hashes;
  to_units(text, units);
  shingle_hashes(units, hashes);
  return {hashes.begin(), hashes.end()};
}

TEST(Deduplicate, KeepsTheLongestOfEachGroupAndTheFirstOfEquals) {
  Random random(1);
  const std::string article = random_text(random, 300), other = random_text(random, 300);
  const std::vector<std::string> texts = {article, other, edited(article, random, 50),
                                          article + random_text(random, 30), other};
  EXPECT_EQ(deduplicated(texts).kept, (std::vector<std::uint32_t>{3, 1, 3, 3, 1}));
}

TEST(Deduplicate, SeesThroughCaseWidthScriptVariantAndPunctuation) {
  const std::vector<std::string> texts = {
      "鳥鳴山更幽，明月照花間。Moon Over the Mountain 2024",
      "鸟鸣山更幽 明月照花间！ＭＯＯＮ　ＯＶＥＲ　ＴＨＥ　ＭＯＵＮＴＡＩＮ　２０２４"};
  const Answer result = deduplicated(texts);
  ASSERT_EQ(result.pairs.size(), 1u);
  EXPECT_EQ(result.pairs[0].jaccard, 1.0);
}

TEST(Deduplicate, ReportsTrueValuesOfTheSlowDefinition) {
  const std::vector<std::string> texts = random_corpus(2, 300);
  const Answer result = deduplicated(texts);
  ASSERT_GT(result.pairs.size(), 40u);
  for (const SimilarTexts& p : result.pairs) {
    const auto a = shingles_of(texts[p.a]), b = shingles_of(texts[p.b]);
    std::vector<std::uint32_t> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    const auto shared = static_cast<double>(common.size());
    EXPECT_NEAR(p.jaccard, shared / static_cast<double>(a.size() + b.size() - common.size()), 1e-6);
    EXPECT_NEAR(p.containment, shared / static_cast<double>(std::min(a.size(), b.size())), 1e-6);
  }
}

TEST(Deduplicate, RemovesOnlyForADirectlySimilarText) {
  const std::vector<std::string> texts = random_corpus(3, 1'000);
  const Answer result = deduplicated(texts);
  std::map<std::uint32_t, std::uint32_t> first_copy;  // of identical texts, the first
  Pairs direct = pairs_of(result);
  for (const SimilarTexts& p : result.pairs)
    if (p.jaccard == 1.0 && p.containment == 1.0) first_copy.emplace(p.b, p.a);
  auto original = [&](std::uint32_t d) { return first_copy.contains(d) ? first_copy[d] : d; };
  for (std::uint32_t d = 0; d < texts.size(); ++d) {
    const std::uint32_t a = original(d), b = original(result.kept[d]);
    EXPECT_TRUE(a == b || direct.contains(std::minmax(a, b))) << d << " left for " << result.kept[d];
    EXPECT_EQ(result.kept[result.kept[d]], result.kept[d]);
  }
}

TEST(Deduplicate, FindsWhatTheExactJoinFinds) {
  std::size_t found = 0, all = 0;
  for (std::uint64_t seed = 10; seed < 16; ++seed) {
    const std::vector<std::string> texts = random_corpus(seed, 800);
    const Answer answer = deduplicated(texts);
    const Pairs exact = pairs_of(deduplicated(texts, {.method = "all-pairs"}));
    for (const SimilarTexts& p : answer.pairs) {
      if (exact.contains({p.a, p.b}))
        ++found;
      else
        EXPECT_LT(p.jaccard, TemplateRule::kRareJaccard)
            << "two texts with noise may share less than the join goes by";
    }
    all += exact.size();
  }
  EXPECT_GE(static_cast<double>(found), .99 * static_cast<double>(all)) << found << " of " << all;
}

TEST(Deduplicate, TheExactJoinFindsWhatComparingEverythingFinds) {
  const std::vector<std::string> texts = random_corpus(20, 250);
  const Pairs exact =
      pairs_of(deduplicated(texts, {.method = "all-pairs", .threshold = .3, .measure = "jaccard"}));
  std::vector<std::set<std::uint32_t>> sets;
  for (const std::string& text : texts) sets.push_back(shingles_of(text));
  for (std::uint32_t a = 0; a < texts.size(); ++a)
    for (std::uint32_t b = a + 1; b < texts.size(); ++b) {
      std::vector<std::uint32_t> common;
      std::set_intersection(sets[a].begin(), sets[a].end(), sets[b].begin(), sets[b].end(),
                            std::back_inserter(common));
      const auto shared = static_cast<double>(common.size());
      if (shared < .3 * static_cast<double>(sets[a].size() + sets[b].size() - common.size())) continue;
      // Of identical texts only the first is compared with others.
      const bool copies = std::find(texts.begin(), texts.begin() + a, texts[a]) != texts.begin() + a ||
                          std::find(texts.begin(), texts.begin() + b, texts[b]) != texts.begin() + b;
      if (copies) continue;
      EXPECT_TRUE(exact.contains({a, b})) << a << ' ' << b;
    }
}

TEST(Deduplicate, GivesTheSameAnswerOnAnyNumberOfThreads) {
  const std::vector<std::string> texts = random_corpus(4, 2'000);
  const Answer one = deduplicated(texts, {}, 1);
  for (const unsigned threads : {2u, 5u}) {
    const Answer many = deduplicated(texts, {}, threads);
    EXPECT_EQ(one.kept, many.kept);
    EXPECT_EQ(pairs_of(one), pairs_of(many));
  }
}

TEST(Deduplicate, FindsTheSamePairsInAnyOrder) {
  const std::vector<std::string> texts = random_corpus(5, 1'000);
  std::vector<std::string> reversed(texts.rbegin(), texts.rend());
  // Copies are reported with the first of them, so pairs are compared by text.
  auto by_text = [](const Answer& result, const std::vector<std::string>& t) {
    std::set<std::pair<std::string, std::string>> pairs;
    for (const SimilarTexts& p : result.pairs) pairs.insert(std::minmax(t[p.a], t[p.b]));
    return pairs;
  };
  EXPECT_EQ(by_text(deduplicated(texts), texts), by_text(deduplicated(reversed), reversed));
}

TEST(Deduplicate, ManyCopiesAndLargeFamiliesStayNearLinear) {
  Random random(6);
  const std::string article = random_text(random, 200), family = random_text(random, 300);
  std::vector<std::string> texts(20'000, article);
  for (int i = 0; i < 3'000; ++i) texts.push_back(edited(family, random, 60));
  const Answer result = deduplicated(texts);
  EXPECT_LT(result.pairs.size(), 20'000u + 100u * 3'000u) << "not all with all";
  EXPECT_EQ(std::set<std::uint32_t>(result.kept.begin(), result.kept.begin() + 20'000).size(), 1u);
  std::set<std::uint32_t> kept(result.kept.begin() + 20'000, result.kept.end());
  EXPECT_LT(kept.size(), 50u) << "nine of ten edited copies leave, though only leaders are compared with all";
}

TEST(Deduplicate, KeepsThePagesOfASiteWhoseTemplateIsMostOfThem) {
  Random random(16);
  const std::string head = random_text(random, 70), foot = random_text(random, 70);
  std::vector<std::string> phrases;
  for (int i = 0; i < 100; ++i) phrases.push_back(random_text(random, 16));
  std::vector<std::string> texts;
  for (int i = 0; i < 600; ++i)
    texts.push_back(head + random_text(random, 50) + phrases[random.below(phrases.size())] +
                    random_text(random, 20) + foot);
  const std::string article = random_text(random, 86);  // the same on two of the pages, a few words apart
  texts.push_back(head + article + foot);
  texts.push_back(head + edited(article, random, 20) + foot);
  const Answer result = deduplicated(texts);
  const std::set<std::uint32_t> kept(result.kept.begin(), result.kept.end());
  EXPECT_EQ(kept.size(), texts.size() - 1) << "only the edited copy leaves";
  EXPECT_EQ(result.kept[600], result.kept[601]);
}

TEST(Deduplicate, MeasuresAloneTakeTheirThreshold) {
  Random random(7);
  const std::string article = random_text(random, 400);
  const std::vector<std::string> texts = {article, article + random_text(random, 800)};
  EXPECT_TRUE(deduplicated(texts, {.threshold = .5, .measure = "jaccard"}).pairs.empty());
  EXPECT_EQ(deduplicated(texts, {.threshold = .9, .measure = "containment"}).pairs.size(), 1u);
  EXPECT_TRUE(deduplicated(texts, {.threshold = .5, .measure = "edit"}).pairs.empty());
  EXPECT_EQ(
      deduplicated({article, edited(article, random, 20)}, {.threshold = .8, .measure = "edit"}).pairs.size(),
      1u);
}

TEST(Deduplicate, ATextResemblesItselfSaidSeveralTimes) {
  Random random(9);
  for (const std::size_t length : {20, 800}) {
    const std::string once = random_text(random, length);
    std::string often;
    for (int i = 0; i < 10; ++i) often += once;
    EXPECT_EQ(deduplicated({once, often}).pairs.size(), 1u) << length;
    EXPECT_EQ(deduplicated({once, often}, {.threshold = .5, .measure = "jaccard"}).pairs.size(), 1u)
        << length;
  }
}

TEST(Deduplicate, TextsWithoutLettersAreCopiesOnlyOfTheSameBytes) {
  const Answer result = deduplicated({"", "。。！", "…", "你好世界", "😀😀", "。。！", "😀"});
  EXPECT_EQ(result.kept, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 1, 6}));
  EXPECT_TRUE(deduplicated({}).kept.empty());
}

TEST(Deduplicate, NamesInvalidSettings) {
  const std::vector<std::string_view> bad = {"good", "\xff"};
  const auto invalid = deduplicate(bad);
  ASSERT_FALSE(invalid);
  EXPECT_EQ(invalid.error().message, "text 1 is not valid UTF-8");
  const auto method = deduplicate({}, {.method = "psychic"});
  ASSERT_FALSE(method);
  EXPECT_NE(method.error().message.find("default"), std::string::npos) << "the known methods are named";
  EXPECT_FALSE(deduplicate({}, {.threshold = 1.5, .measure = "jaccard"}));
  EXPECT_FALSE(deduplicate({}, {.threshold = .5, .measure = "cosine"}));
}

}  // namespace
}  // namespace leitong
