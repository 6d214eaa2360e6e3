// Texts of which a part was copied: compares the fast search with a slow one that compares all pairs.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "corpus/memory_documents.hpp"
#include "dedup/find_pairs.hpp"
#include "io/run_context.hpp"
#include "leitong/online.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

using testing::Random;
using Pairs = std::set<std::pair<DocId, DocId>>;

struct Answer {
  Pairs pairs;
  std::vector<VerifiedPair> verified;
  MethodFigures figures;

  [[nodiscard]] const VerifiedPair* find(DocId a, DocId b) const {
    const auto at =
        std::ranges::find_if(verified, [&](const VerifiedPair& p) { return p.a == a && p.b == b; });
    return at == verified.end() ? nullptr : &*at;
  }
};

Answer search(const std::vector<std::string>& texts, const std::string& method,
              const Rule& rule = reuse_rule(), unsigned threads = 1, std::uint64_t memory = 0,
              TemplateText templates = TemplateText::automatic) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  MemoryDocuments source(views);
  const Context context({.threads = threads});
  RunContext run(context, memory);
  FindOptions options;
  options.method = method;
  options.rule = rule;
  options.templates = templates;
  const auto found = on_threads(context, [&] { return find_pairs(source, options, longest_first, run); });
  EXPECT_TRUE(found) << found.error().message;
  Answer answer;
  if (!found) return answer;
  answer.figures = found->figures;
  EXPECT_TRUE(found->pairs->for_each([&](const VerifiedPair& pair) {
    answer.pairs.insert({pair.a, pair.b});
    answer.verified.push_back(pair);
  }));
  return answer;
}

/// Articles of 150 to 3,000 characters. Every third one holds a passage of another one: 60 to 400 characters,
/// of which none, a twentieth, a tenth or a fifth are changed.
struct Planted {
  explicit Planted(std::size_t count, std::uint64_t seed = 5) : random(seed) {
    for (std::size_t i = 0; i < count; ++i) {
      std::string text = article(150 + random.below(i % 4 == 0 ? 2'850 : 700));
      if (i % 3 == 2) {
        const auto donor = static_cast<DocId>(random.below(i));
        const std::size_t length = std::min<std::size_t>(60 + random.below(340), texts[donor].size() / 3);
        const std::size_t begin = random.below(texts[donor].size() / 3 - length + 1);
        std::string run = texts[donor].substr(3 * begin, 3 * length);
        const std::uint64_t rarity = std::array<std::uint64_t, 4>{0, 20, 10, 5}[i / 3 % 4];
        if (rarity > 0) run = testing::edited(run, random, rarity);
        text.insert(3 * random.below(text.size() / 3 + 1), run);
        planted.emplace_back(donor, static_cast<DocId>(i));
      }
      texts.push_back(std::move(text));
    }
  }
  // Only Chinese characters, so that each has three bytes.
  std::string article(std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i)
      testing::append_utf8(0x4e00 + static_cast<std::uint32_t>(random.below(2'000)), text);
    return text;
  }
  Random random;
  std::vector<std::string> texts;
  std::vector<std::pair<DocId, DocId>> planted;
};

double part_of(const Pairs& exact, const Pairs& found) {
  const auto both = std::ranges::count_if(exact, [&](const auto& pair) { return found.contains(pair); });
  return static_cast<double>(both) / static_cast<double>(exact.size());
}

TEST(Reuse, IsFoundLikeByComparingAllPairs) {
  const Planted corpus(900);
  const Answer fast = search(corpus.texts, "default"), exact = search(corpus.texts, "all-pairs");
  ASSERT_GT(exact.pairs.size(), 100u);
  EXPECT_GE(part_of(exact.pairs, fast.pairs), .98);
  EXPECT_TRUE(std::ranges::includes(exact.pairs, fast.pairs)) << "each is within the rule";
  for (const VerifiedPair& pair : fast.verified) {
    const VerifiedPair* twin = exact.find(pair.a, pair.b);
    ASSERT_NE(twin, nullptr);
    EXPECT_EQ(std::tuple(pair.measure, pair.score, pair.passage_units),
              std::tuple(twin->measure, twin->score, twin->passage_units));
  }
}

/// The pairs of a text with an earlier one that an online index names when the texts come one by one.
Pairs pairs_of_index(const std::vector<std::string>& texts) {
  const Context context({.threads = 2});
  auto index = online::Index::open(context, {}, {.scheme = "reuse"});
  EXPECT_TRUE(index);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  std::vector<online::Text> arriving;
  for (std::size_t i = 0; i < texts.size(); ++i) arriving.push_back({ids[i], texts[i]});
  const auto answers = index->check_and_add(arriving);
  EXPECT_TRUE(answers);
  Pairs pairs;
  const auto add = [&](const std::string& id, std::size_t i) {
    pairs.insert({static_cast<DocId>(std::stoul(id)), static_cast<DocId>(i)});
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const online::Answer& answer = (*answers)[i];
    if (answer.match) add(answer.match->id, i);
    for (const online::SharedPart& part : answer.parts) add(part.id, i);
  }
  return pairs;
}

// Passages are guaranteed. Of pairs that only a containment decides, an index finds fewer than the batch,
// since it has fewer keys, and it names others, since it knows fewer templates (docs/online-index.md has
// figures).
TEST(Reuse, AnOnlineIndexNamesTheSourceOfEachPassage) {
  const Planted corpus(900, 11);
  const Pairs online = pairs_of_index(corpus.texts);
  std::size_t whole = 0;
  for (const auto& [donor, text] : corpus.planted) {
    if (text / 3 % 4 != 0) continue;  // edited
    ++whole;
    EXPECT_TRUE(online.contains({donor, text})) << donor << " " << text;
  }
  EXPECT_GT(whole, 70u);
}

TEST(Reuse, OfAContainmentAloneIsFoundLikeByComparingAllPairs) {
  const Planted corpus(900, 6);
  Rule rule = reuse_rule();
  rule.passage_units = 0;
  const Answer fast = search(corpus.texts, "default", rule), exact = search(corpus.texts, "all-pairs", rule);
  ASSERT_GT(exact.pairs.size(), 50u);
  EXPECT_GE(part_of(exact.pairs, fast.pairs), .95);
  EXPECT_TRUE(std::ranges::includes(exact.pairs, fast.pairs));
}

TEST(Reuse, ARunOfSixtyUnitsIsAlwaysFound) {
  Planted corpus(0, 7);
  for (int i = 0; i < 40; ++i) corpus.texts.push_back(corpus.article(4'000));
  for (std::size_t i = 0; i < 40; i += 2) {
    const std::string run = corpus.texts[i].substr(3 * corpus.random.below(3'900), 3 * (59 + i % 4));
    corpus.texts[i + 1].insert(3 * corpus.random.below(4'000), run);
  }
  const Answer answer = search(corpus.texts, "default");
  for (DocId i = 0; i < 40; i += 2) {
    const VerifiedPair* pair = answer.find(i, i + 1);
    if (i % 4 == 0) {
      EXPECT_EQ(pair, nullptr) << "59 units";
      continue;
    }
    ASSERT_NE(pair, nullptr);
    EXPECT_EQ(pair->measure, Measure::passage);
    EXPECT_GE(pair->passage_units, 61);
    EXPECT_LE(pair->passage_units, 63) << "the places beside it may be equal by chance";
    EXPECT_FLOAT_EQ(pair->score, static_cast<float>(pair->passage_units - 4) / 3'996)
        << "of the shorter text";
  }
}

TEST(Reuse, OfATemplateIsNone) {
  Planted corpus(0, 8);
  const std::string footer = corpus.article(150), quoted = corpus.article(90);
  for (int i = 0; i < 24; ++i) corpus.texts.push_back(corpus.article(600) + footer);
  corpus.texts[3] = quoted + corpus.texts[3];
  corpus.texts[9] = corpus.article(1'500) + quoted + footer;
  EXPECT_EQ(search(corpus.texts, "default").pairs, (Pairs{{3, 9}}));
  const Answer counted = search(corpus.texts, "default", reuse_rule(), 1, 0, TemplateText::counted);
  EXPECT_EQ(counted.pairs.size(), 24u * 23 / 2) << "with templates all share the footer";
}

/// Articles with stock phrases, each held by far more than 8 of them, every 20 to 60 characters.
std::vector<std::string> articles_of_phrases(Planted& corpus, std::size_t count) {
  std::vector<std::string> phrases, texts;
  for (std::size_t i = 0; i < 12; ++i) phrases.push_back(corpus.article(6 + i % 8));
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    while (text.size() < 3 * 800)
      text += corpus.article(20 + corpus.random.below(40)) + phrases[corpus.random.below(phrases.size())];
    texts.push_back(std::move(text));
  }
  return texts;
}

TEST(Reuse, APassageThatHoldsStockPhrasesIsFound) {
  Planted corpus(0, 10);
  corpus.texts = articles_of_phrases(corpus, 200);
  // Of 120 characters at least three quarters are outside of the phrases.
  Pairs planted;
  for (DocId i = 0; i < 100; i += 2) {
    const std::string run = corpus.texts[i].substr(3 * corpus.random.below(600), 3 * 120);
    corpus.texts[i + 1].insert(3 * corpus.random.below(700), run);
    planted.insert({i, i + 1});
  }
  const Answer fast = search(corpus.texts, "default"), exact = search(corpus.texts, "all-pairs");
  EXPECT_TRUE(std::ranges::includes(fast.pairs, planted));
  EXPECT_EQ(fast.pairs, exact.pairs);
  EXPECT_EQ(exact.pairs, planted) << "phrases alone make no pair";
  std::size_t by_passage = 0;
  for (const VerifiedPair& pair : fast.verified) {
    const VerifiedPair* twin = exact.find(pair.a, pair.b);
    ASSERT_NE(twin, nullptr);
    EXPECT_EQ(std::tuple(pair.measure, pair.score, pair.passage_units),
              std::tuple(twin->measure, twin->score, twin->passage_units));
    by_passage += pair.measure == Measure::passage;
  }
  EXPECT_GT(by_passage, 20u);
}

TEST(Reuse, IsTheSameForAnyThreadsAndMemory) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  const Planted corpus(1'500, 9);
  const Answer one = search(corpus.texts, "default");
  EXPECT_EQ(search(corpus.texts, "default", reuse_rule(), 4).pairs, one.pairs);
  const Answer small =
      search(corpus.texts, "default", reuse_rule(), 2, MemoryBudget::least(corpus.texts.size()));
  EXPECT_EQ(small.pairs, one.pairs);
  EXPECT_EQ(small.figures, one.figures);
}

}  // namespace
}  // namespace leitong
