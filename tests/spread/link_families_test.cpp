#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "api/answer.hpp"
#include "made_up_texts.hpp"
#include "scheme/key_tiers.hpp"
#include "spread/steps.hpp"

namespace leitong::spread {
namespace {

using testing::Answer;
using testing::deduplicated;
using testing::edited;
using testing::Random;
using testing::random_text;
using testing::views;

// Texts with what is known of them before families are linked, in the order of their contents.
struct Searched {
  std::vector<std::string> texts;
  std::vector<std::uint64_t> content;
  std::vector<ComparedPair> pairs;
  std::vector<std::uint8_t> is_common;
  std::vector<std::uint32_t> common, holders;
  std::vector<std::string_view> common_texts;
  std::vector<TextWeight> weights;  // of common ones
  std::vector<std::uint64_t> hot_keys;
  std::vector<std::uint32_t> rank;  // the longest first, then the first of those given

  Searched(const Context& context, const Steps& steps, const std::vector<std::string>& given) {
    const Sketches unsorted = steps.sketch(context, views(given)).value();
    std::vector<std::uint32_t> order(given.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return unsorted.content[i]; });
    for (const std::uint32_t i : order) texts.push_back(given[i]);
    const Sketches made = steps.sketch(context, views(texts)).value();
    content = made.content;
    std::vector<std::uint32_t> by_rank(texts.size());
    std::iota(by_rank.begin(), by_rank.end(), 0U);
    std::ranges::sort(by_rank, {}, [&](std::uint32_t i) { return std::pair(~made.units[i], order[i]); });
    rank.resize(texts.size());
    for (std::uint32_t r = 0; r < rank.size(); ++r) rank[by_rank[r]] = r;
    RangeJoin join(context);
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (const std::uint64_t key : made.keys[i]) {
        const std::array<std::int64_t, 1> position = {static_cast<std::int64_t>(i)};
        const std::array<std::uint8_t, 1> head = {head_of_keys(1, made.units[i] >= kShortKeysBelow)};
        const std::uint64_t bare = key >> 1;
        EXPECT_TRUE(join.add({.texts = position,
                              .heads = head,
                              .keys = {reinterpret_cast<const std::uint8_t*>(&bare), 5},
                              .tier = static_cast<unsigned>(key & 1)}));
      }
    const JoinedKeys joined = join.next().value();
    std::vector<std::array<std::uint32_t, 2>> all(texts.size());
    std::vector<std::array<KeyTally, 2>> tallies(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
      all[i] = {made.short_keys[i], static_cast<std::uint32_t>(made.keys[i].size()) - made.short_keys[i]};
    for (const TallyOfText& of : joined.tallies) tallies[of.text] = of.tallies;
    std::vector<TextWeight> of_texts;
    for (std::size_t i = 0; i < texts.size(); ++i) of_texts.push_back(steps.weigh(all[i], tallies[i]));
    std::vector<Candidate> worth;
    for (const KeysOfPair& of : joined.pairs)
      if (const auto judged = steps.judge({{made.units[of.text], made.units[of.leader]},
                                           {of_texts[of.text], of_texts[of.leader]},
                                           of.shared,
                                           static_cast<std::uint32_t>(of.stars)}))
        worth.push_back({static_cast<DocId>(of.leader), static_cast<DocId>(of.text), judged->score,
                         judged->template_only, judged->frame});
    pairs = steps.compare(context, views(texts), worth).value();
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      is_common.push_back(of_texts[i].common);
      if (of_texts[i].common == 0) continue;
      common.push_back(i);
      common_texts.push_back(texts[i]);
      weights.push_back(of_texts[i]);
    }
    for (const KeyOfText& of : joined.hot) {
      if (is_common[of.text] == 0) continue;
      hot_keys.push_back(of.key);
      holders.push_back(static_cast<std::uint32_t>(of.text));
    }
  }

  [[nodiscard]] Linking all() const {
    return {content, pairs, common, common_texts, weights, hot_keys, holders};
  }
};

using Pairs = std::map<std::pair<std::string, std::string>, float>;

Pairs by_texts(const std::vector<std::string>& texts, const auto& pairs) {
  Pairs found;
  for (const auto& pair : pairs)
    found[std::minmax(texts[pair.a], texts[pair.b])] = static_cast<float>(pair.jaccard);
  return found;
}

// A work in 400 copies whose edits make every other pair unlike, so that many match neither leader of the
// keys that they share.
std::vector<std::string> edited_copies() {
  Random random(5);
  const std::string work = random_text(random, 400);
  std::vector<std::string> texts;
  for (int i = 0; i < 400; ++i) texts.push_back(edited(work, random, 20));
  for (int i = 0; i < 20; ++i) texts.push_back(random_text(random, 300));
  return texts;
}

TEST(LinkFamilies, WithTheStepsThatFollowFindsThePairsOfOneMachine) {
  const std::vector<std::string> texts = edited_copies();
  const Context context({.threads = 2});
  const DedupSettings settings{.template_text = TemplateText::counted};
  const Steps steps = Steps::open(settings).value();
  const Searched searched(context, steps, texts);
  ASSERT_GT(searched.common.size(), 64u);
  const Linked linked = steps.link(context, searched.all()).value();
  EXPECT_GT(linked.pairs.size(), searched.pairs.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (linked.family[i] != kNoFamily) EXPECT_NE(linked.component[i], kNoFamily);
  const auto of_texts = views(searched.texts);
  const auto pairs_of = [&](const std::vector<ComparedPair>& known) {
    Components part{.texts = of_texts,
                    .common = searched.is_common,
                    .pairs = known,
                    .family = linked.family,
                    .rank = searched.rank,
                    .corpus = texts.size()};
    const std::vector<ComparedPair> completed = steps.complete(context, part).value();
    part.pairs = completed;
    return by_texts(searched.texts, steps.settle(context, part).value().pairs);
  };
  EXPECT_TRUE(pairs_of(linked.pairs) == by_texts(texts, deduplicated(texts, settings).pairs));
  EXPECT_LT(pairs_of(searched.pairs).size(), pairs_of(linked.pairs).size()) << "other leaders find some";
}

TEST(LinkFamilies, WithoutCommonTextsNothingIsAdded) {
  Random random(7);
  std::vector<std::string> texts;
  for (int i = 0; i < 6; ++i) {
    texts.push_back(random_text(random, 300));
    texts.push_back(edited(texts.back(), random, 30));
  }
  const Context context({.threads = 1});
  const Steps steps = Steps::open({}).value();
  const Searched searched(context, steps, texts);
  ASSERT_FALSE(searched.pairs.empty());
  const Linked linked = steps.link(context, searched.all()).value();
  EXPECT_EQ(by_texts(searched.texts, linked.pairs), by_texts(searched.texts, searched.pairs));
  EXPECT_EQ(std::ranges::count(linked.component, kNoFamily), 12);
  EXPECT_EQ(std::ranges::count(linked.family, kNoFamily), 12);
}

}  // namespace
}  // namespace leitong::spread
