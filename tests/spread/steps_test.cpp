#include "spread/steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>

#include "api/answer.hpp"
#include "index/rarity_weights.hpp"
#include "made_up_texts.hpp"
#include "scheme/key_tiers.hpp"

namespace leitong::spread {
namespace {

using testing::Answer;
using testing::deduplicated;
using testing::edited;
using testing::Random;
using testing::random_text;
using testing::views;

const DedupSettings kCounted{.template_text = TemplateText::counted};

Steps open(const DedupSettings& settings = kCounted) { return Steps::open(settings).value(); }

std::vector<Candidate> all_pairs(std::size_t texts) {
  std::vector<Candidate> pairs;
  for (std::uint32_t a = 0; a < texts; ++a)
    for (std::uint32_t b = a + 1; b < texts; ++b) pairs.push_back({.a = a, .b = b});
  return pairs;
}

// A text, then copies of it with more and more edits, and so on.
std::vector<std::string> some_texts(std::size_t works) {
  Random random(3);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < works; ++i) {
    texts.push_back(random_text(random, 100 + 50 * i));
    texts.push_back(edited(texts.back(), random, 30));
    texts.push_back(edited(texts.back(), random, 12));
  }
  return texts;
}

TEST(DistributedSketch, TellsEqualTextsAndTheirKeys) {
  const std::vector<std::string> texts = {"渡船清晨六点开第一班，雾大的日子停航",
                                          "渡船清晨六點開第一班 霧大的日子停航",
                                          "The dough rises twice, once in the bowl", ""};
  const Context context({.threads = 2});
  const Sketches made = open().sketch(context, views(texts)).value();
  ASSERT_EQ(made.content.size(), 4u);
  EXPECT_EQ(made.content[0], made.content[1]);
  EXPECT_EQ(made.check[0], made.check[1]);
  EXPECT_NE(made.content[0], made.check[0]);
  EXPECT_NE(made.content[0], made.content[2]);
  EXPECT_NE(made.check[0], made.check[2]);
  EXPECT_TRUE(std::ranges::equal(made.keys[0], made.keys[1]));
  EXPECT_FALSE(made.keys[0].empty());
  EXPECT_TRUE(made.keys[3].empty());
  EXPECT_EQ(made.units[3], 0u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto keys = made.keys[i];
    EXPECT_TRUE(std::ranges::is_sorted(keys));
    EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
    EXPECT_EQ(std::ranges::count_if(keys, [](std::uint64_t key) { return key % 2 == 0; }),
              made.short_keys[i]);
    for (const std::uint64_t key : keys) EXPECT_LT(key >> 41, 1u);  // 40 bits and the tier
  }
}

TEST(DistributedSketch, OfCopiesSaysWhichAreTheSameTextAndWhichMayLeaveForEachOther) {
  const std::vector<std::string> texts{"If x < y, stop", "IF x<y, stop", "“If x < y”, stop",
                                       "If x > y, stop"};
  const Context context;
  const Sketches made = open().sketch(context, views(texts)).value();
  const Variants variants = open().variants(context, views(texts)).value();
  EXPECT_EQ(variants.form[0], variants.form[1]);
  EXPECT_NE(variants.form[0], variants.form[2]);
  EXPECT_EQ(variants.signs[0], variants.signs[2]);
  EXPECT_NE(variants.signs[0], variants.signs[3]);
  for (std::size_t i = 1; i < texts.size(); ++i) {
    EXPECT_EQ(made.content[0], made.content[i]);
    EXPECT_EQ(made.check[0], made.check[i]);
  }
}

TEST(DistributedSteps, FoldAsOneMachineDoes) {
  std::vector<std::string> texts;
  for (int i = 0; i < 6; ++i)
    texts.push_back("le 0" + std::to_string(i) + ":30:05 la pompe " + std::string(i % 2 == 0 ? "é" : "e") +
                    "tait arrêtée pendant " + std::to_string(i * i) + ",5 s, puis remise en marche");
  const Context context({.threads = 1});
  for (const Marks marks : {Marks::fold, Marks::keep})
    for (const Numbers numbers : {Numbers::same, Numbers::masked}) {
      const DedupSettings settings{
          .template_text = TemplateText::counted, .marks = marks, .removal = {.numbers = numbers}};
      const Steps steps = open(settings);
      EXPECT_EQ(steps.folding(), folding_of(settings));
      const Sketches made = steps.sketch(context, views(texts)).value();
      EXPECT_EQ(made.content[0] == made.content[2], numbers == Numbers::masked);
      EXPECT_EQ(made.content[0] == made.content[1], numbers == Numbers::masked && marks == Marks::fold);
      const Variants variants = steps.variants(context, views(texts)).value();
      EXPECT_NE(variants.form[0], variants.form[2]) << "another text";
      EXPECT_EQ(variants.signs[0] == variants.signs[4], numbers == Numbers::masked)
          << "the comma stands elsewhere";
      EXPECT_EQ(steps.scheme(context).value() == open().scheme(context).value(),
                numbers == Numbers::same && marks == Marks::fold);
      std::vector<std::uint8_t> filter(64);
      ASSERT_TRUE(add_to_filter(context, std::vector{views(texts)[0]}, filter, steps.folding()));
      const WantedShingles wanted =
          wanted_shingles(context, views(texts), filter, 1, steps.folding()).value();
      EXPECT_EQ(wanted.content, made.content);
      EXPECT_EQ(wanted.shingles.counts[0] == wanted.shingles.counts[2], numbers == Numbers::masked);
    }
}

TEST(DistributedSteps, CompareAcceptsThePairsOfOneMachine) {
  const std::vector<std::string> texts = some_texts(8);
  const Context context({.threads = 2});
  const auto pairs = open().compare(context, views(texts), all_pairs(texts.size())).value();
  const Answer expected = deduplicated(texts, kCounted);
  ASSERT_EQ(pairs.size(), expected.pairs.size());
  ASSERT_FALSE(pairs.empty());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].a, expected.pairs[i].a);
    EXPECT_EQ(pairs[i].b, expected.pairs[i].b);
    EXPECT_EQ(pairs[i].jaccard, expected.pairs[i].jaccard);
    EXPECT_EQ(pairs[i].containment, expected.pairs[i].containment);
    EXPECT_EQ(pairs[i].standing, PairStanding::ordinary);
  }
}

// Sketch, judge, compare and settle, one after the other; the groups of keys are made in the simplest way.
TEST(DistributedSteps, TogetherDecideAsOneMachine) {
  const std::vector<std::string> texts = some_texts(40);
  const Context context({.threads = 2});
  const Steps steps = open();
  const Sketches made = steps.sketch(context, views(texts)).value();
  std::map<std::uint64_t, std::vector<std::uint32_t>> holders;
  for (std::uint32_t i = 0; i < texts.size(); ++i)
    for (const std::uint64_t key : made.keys[i]) holders[key].push_back(i);
  std::vector<std::array<std::uint32_t, 2>> all(texts.size());
  std::vector<std::array<KeyTally, 2>> tallies(texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i)
    all[i] = {made.short_keys[i], static_cast<std::uint32_t>(made.keys[i].size()) - made.short_keys[i]};
  for (const auto& [key, group] : holders) {
    if (group.size() < 2) continue;
    for (const std::uint32_t i : group) {
      KeyTally& tally = tallies[i][key % 2];
      ++tally.shared;
      tally.weight[key_class(group.size())] += kKeyWeight[group.size()];
    }
  }
  std::vector<TextWeight> weights;
  for (std::uint32_t i = 0; i < texts.size(); ++i) weights.push_back(steps.weigh(all[i], tallies[i]));
  std::map<std::pair<std::uint32_t, std::uint32_t>, PairEvidence> evidence;
  for (const auto& [key, group] : holders)
    for (const std::uint32_t a : group)
      for (const std::uint32_t b : group) {
        if (a >= b || (key % 2 == 1 && std::max(made.units[a], made.units[b]) < kShortKeysBelow)) continue;
        PairEvidence& pair = evidence[{a, b}];
        pair.units = {made.units[a], made.units[b]};
        pair.weights = {weights[a], weights[b]};
        pair.shared[key_class(group.size())] += kKeyWeight[group.size()];
      }
  std::vector<Candidate> worth;
  for (const auto& [pair, shared] : evidence)
    if (const auto judged = steps.judge(shared))
      worth.push_back({pair.first, pair.second, judged->score, judged->template_only, judged->frame});
  PairEvidence of_nothing = evidence.begin()->second;
  of_nothing.shared = {};
  EXPECT_FALSE(steps.judge(of_nothing)) << "a pair without a common key";
  const auto pairs = steps.compare(context, views(texts), worth).value();

  std::vector<std::uint32_t> by_length(texts.size()), rank(texts.size());
  for (std::uint32_t t = 0; t < texts.size(); ++t) by_length[t] = t;
  std::ranges::stable_sort(by_length, [&](auto x, auto y) { return made.units[x] > made.units[y]; });
  for (std::uint32_t r = 0; r < texts.size(); ++r) rank[by_length[r]] = r;
  const std::vector<std::uint8_t> common(texts.size());
  const auto of_texts = views(texts);
  const Settled settled =
      steps
          .settle(context, {.texts = of_texts, .common = common, .pairs = pairs, .rank = rank, .corpus = 120})
          .value();
  const Answer expected = deduplicated(texts, kCounted);
  EXPECT_EQ(settled.kept, expected.kept);
  ASSERT_EQ(settled.pairs.size(), expected.pairs.size());
  for (std::size_t p = 0; p < expected.pairs.size(); ++p) {
    EXPECT_EQ(settled.pairs[p].a, expected.pairs[p].a);
    EXPECT_EQ(settled.pairs[p].b, expected.pairs[p].b);
  }
}

// The members of a family of common keys are all compared with each other.
TEST(DistributedSteps, CompleteFindsThePairsOfAFamily) {
  Random random(5);
  const std::string work = random_text(random, 300);
  std::vector<std::string> texts;
  for (int i = 0; i < 30; ++i) texts.push_back(edited(work, random, 60));
  const std::vector<std::uint8_t> common(texts.size(), 1);
  const std::vector<std::uint32_t> family(texts.size(), 0), none(texts.size(), kNoFamily);
  const auto of_texts = views(texts);
  const Context context({.threads = 1});
  const auto complete = [&](const std::vector<std::uint32_t>& families) {
    return open().complete(context, {.texts = of_texts, .common = common, .family = families}).value().size();
  };
  EXPECT_EQ(complete(family), 30u * 29 / 2);
  EXPECT_EQ(complete(none), 0u);
}

// A large family may find pairs in a later round though it found none in an earlier one.
TEST(DistributedSteps, SettleReportsTheResultOfEachRound) {
  const std::vector<std::string> texts = some_texts(4);
  const Context context({.threads = 1});
  const auto of_texts = views(texts);
  const auto pairs = open().compare(context, of_texts, all_pairs(texts.size())).value();
  const std::vector<std::uint8_t> common(texts.size());
  std::vector<std::uint32_t> rank(texts.size());
  for (std::uint32_t i = 0; i < rank.size(); ++i) rank[i] = i;
  const Components part{
      .texts = of_texts, .common = common, .pairs = pairs, .rank = rank, .corpus = 12, .every_round = true};
  const Settled every = open().settle(context, part).value();
  EXPECT_EQ(every.grew, (std::vector<std::uint8_t>{1, 0, 0, 0, 0}));
  ASSERT_EQ(every.kept.size(), 5 * texts.size());
  EXPECT_TRUE(std::equal(every.kept.begin(), every.kept.begin() + 12, every.kept.end() - 12));
  EXPECT_TRUE(std::ranges::all_of(every.pairs, [](const ComparedPair& pair) { return pair.round == 0; }));
}

TEST(DistributedSteps, RefuseWhatTheyCannotDo) {
  for (const DedupSettings& settings :
       {DedupSettings{.method = "simhash"}, DedupSettings{.preset = Preset::reuse},
        DedupSettings{.verify = false}, DedupSettings{.threshold = .15, .measure = "containment"},
        DedupSettings{.threshold = .9, .measure = "edit"}})
    EXPECT_EQ(Steps::open(settings).error().code, ErrorCode::unsupported);
  const Context context({.threads = 1});
  const std::vector<std::string> texts = {"a", "\xFF"};
  EXPECT_EQ(open().sketch(context, views(texts)).error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace leitong::spread
