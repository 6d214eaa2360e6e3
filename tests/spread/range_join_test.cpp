#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "index/rarity_weights.hpp"
#include "made_up_texts.hpp"
#include "spread/steps.hpp"

namespace leitong::spread {
namespace {

using testing::Random;

struct Entry {
  std::uint64_t key;
  std::int64_t text;
  bool is_long;
};

// Of 120 texts most hold the first two keys, one of each tier, which are hot; ten texts come twice.
std::vector<Entry> some_entries() {
  Random random(3);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 60; ++i)
    keys.push_back((random.below(1U << 31) << 9 | random.below(1U << 9)) << 1 | i % 2);
  std::vector<Entry> entries;
  for (int text = 0; text < 120; ++text) {
    const auto number = static_cast<std::int64_t>(random.below(1U << 31) << 33 | random.below(1U << 31));
    const bool is_long = random.below(2) == 0;
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (i < 2 ? text % 10 < 7 : random.below(10) == 0)
        for (int copy = text < 10 ? 0 : 1; copy < 2; ++copy) entries.push_back({keys[i], number, is_long});
  }
  for (std::size_t i = entries.size(); i > 1; --i) std::swap(entries[i - 1], entries[random.below(i)]);
  return entries;
}

// What keys say, added up.
struct Sums {
  std::map<std::int64_t, std::array<std::array<std::uint32_t, 8>, 2>> tallies;
  std::map<std::pair<std::int64_t, std::int64_t>, std::array<std::uint64_t, 7>> pairs;
  std::vector<std::tuple<std::uint64_t, std::int64_t, bool>> hot;

  bool operator==(const Sums&) const = default;
};

Sums sums_of(RangeJoin join, std::size_t& results) {
  Sums sums;
  for (results = 0;; ++results) {
    const JoinedKeys made = join.next().value();
    if (made.tallies.empty()) return sums;
    EXPECT_TRUE(std::ranges::is_sorted(made.tallies, {}, &TallyOfText::text));
    for (const TallyOfText& of : made.tallies)
      for (int tier = 0; tier < 2; ++tier) {
        auto& sum = sums.tallies[of.text][tier];
        sum[6] += of.tallies[tier].shared;
        sum[7] += of.tallies[tier].hot;
        for (int c = 0; c < 6; ++c) sum[c] += of.tallies[tier].weight[c];
      }
    for (std::size_t i = 0; i < made.pairs.size(); ++i) {
      const KeysOfPair& pair = made.pairs[i];
      auto& sum = sums.pairs[{pair.text, pair.leader}];
      for (int c = 0; c < 6; ++c) sum[c] += pair.shared[c];
      sum[6] += pair.stars;
      EXPECT_TRUE(i == 0 || std::pair(made.pairs[i - 1].text, made.pairs[i - 1].leader) <
                                std::pair(pair.text, pair.leader));
    }
    for (const KeyOfText& of : made.hot) sums.hot.emplace_back(of.key, of.text, of.is_long != 0);
  }
}

Sums expected_sums(const std::vector<Entry>& entries) {
  std::map<std::uint64_t, std::map<std::int64_t, bool>> holders;
  for (const Entry& entry : entries) holders[entry.key][entry.text] = entry.is_long;
  Sums sums;
  for (const auto& [key, texts] : holders) {
    const auto df = static_cast<std::uint32_t>(texts.size());
    if (df < 2) continue;
    const bool hot = df > kHotKey;
    std::vector<std::pair<std::int64_t, bool>> leaders;
    for (const auto& [text, is_long] : texts) {
      auto& tally = sums.tallies[text][key % 2];
      ++tally[hot ? 7 : 6];
      if (hot)
        sums.hot.emplace_back(key, text, is_long);
      else
        tally[key_class(df)] += kKeyWeight[df];
      if (!hot || leaders.size() < 2) leaders.emplace_back(text, is_long);
    }
    for (const auto& [leader, leader_is_long] : leaders)
      for (const auto& [text, is_long] : texts) {
        if (text <= leader || (key % 2 == 1 && !is_long && !leader_is_long)) continue;
        auto& pair = sums.pairs[{text, leader}];
        if (hot)
          ++pair[6];
        else
          pair[key_class(df)] += kKeyWeight[df];
      }
  }
  return sums;
}

RangeJoin join_of(const Context& context, const std::vector<Entry>& entries, std::size_t most,
                  std::size_t at_once) {
  RangeJoin join(context, most);
  for (std::size_t begin = 0; begin < entries.size(); begin += at_once) {
    Lists<std::uint64_t> keys;
    for (std::size_t i = begin; i < std::min(begin + at_once, entries.size()); ++i) {
      keys.values.push_back(entries[i].key);
      keys.offsets.push_back(static_cast<std::int64_t>(keys.values.size()));
    }
    const ByRange<std::uint8_t> packed = pack_keys(keys, 3);
    for (unsigned range = 0; range < 6; ++range) {
      std::vector<std::int64_t> texts;
      std::vector<std::uint8_t> heads;
      for (std::size_t i = packed.text_begins[range]; i < packed.text_begins[range + 1]; ++i) {
        texts.push_back(entries[begin + packed.texts[i]].text);
        heads.push_back(head_of_keys(packed.counts[i], entries[begin + packed.texts[i]].is_long));
      }
      const std::size_t first = packed.value_begins[range], last = packed.value_begins[range + 1];
      EXPECT_TRUE(join.add({.texts = texts,
                            .heads = heads,
                            .keys = std::span(packed.values).subspan(first, last - first),
                            .tier = range % 2}));
    }
  }
  return join;
}

TEST(PackedKeys, OfARangeAndTierStandByTextAndOrder) {
  // Keys of three texts, of which the second has none.
  const Lists<std::uint64_t> keys{{2, 3, 5, 800, (7ULL << 33 | 9) << 1 | 1, 2, 801}, {0, 5, 5, 7}};
  for (const std::uint32_t ranges : {1U, 4U}) {
    const ByRange<std::uint8_t> made = pack_keys(keys, ranges);
    ASSERT_EQ(made.text_begins.size(), 2 * ranges + 1);
    std::vector<std::vector<std::uint64_t>> found(3);
    for (std::size_t range = 0; range < 2 * ranges; ++range) {
      std::size_t at = made.value_begins[range];
      for (std::size_t run = made.text_begins[range]; run < made.text_begins[range + 1]; ++run)
        for (std::uint32_t n = 0; n < made.counts[run]; ++n, at += 5) {
          std::uint64_t key = 0;
          for (std::size_t byte = 0; byte < 5; ++byte)
            key |= std::uint64_t{made.values[at + byte]} << 8 * byte;
          found[made.texts[run]].push_back(key << 1 | range % 2);
        }
      EXPECT_EQ(at, made.value_begins[range + 1]);
    }
    for (std::size_t text = 0; text < 3; ++text) {
      std::ranges::sort(found[text]);
      EXPECT_TRUE(std::ranges::equal(found[text], keys[text]));
    }
  }
}

TEST(RangeJoin, AddsUpWhatKeysSayInMemoryAndInSortedRunsOnDisk) {
  const std::vector<Entry> entries = some_entries();
  const Sums expected = expected_sums(entries);
  ASSERT_GE(expected.hot.size(), 2u * (kHotKey + 1));
  ASSERT_GT(expected.pairs.size(), 1000u);
  const Context context({.threads = 1});
  for (const std::size_t most : {1U << 20, 500U, 1U})  // at least 65 are taken
    for (const std::size_t at_once : {1U << 20, 7U}) {
      std::size_t results = 0;
      EXPECT_EQ(sums_of(join_of(context, entries, most, at_once), results), expected);
      EXPECT_EQ(results > 1, most <= 500);
    }
}

TEST(RangeJoin, SaysNothingOfKeysThatOneTextHolds) {
  const Context context({.threads = 1});
  std::size_t results = 0;
  EXPECT_EQ(sums_of(RangeJoin(context), results), Sums());
  EXPECT_EQ(
      sums_of(join_of(context, {{2, 5, true}, {2, 5, true}, {3, 5, true}, {4, -5, true}}, 100, 1), results),
      Sums());
}

TEST(RangeJoin, RefusesColumnsThatDifferInLengthAndKeysThatComeLate) {
  const Context context({.threads = 1});
  RangeJoin join(context);
  const std::vector<std::uint8_t> key = {2, 0, 0, 0, 0}, one = {head_of_keys(1, true)},
                                  two = {head_of_keys(2, true)};
  const std::vector<std::int64_t> text = {5};
  const KeysOfTexts given{.texts = text, .heads = one, .keys = key};
  std::vector<KeysOfTexts> bad(3, given);
  bad[0].texts = {};
  bad[1].heads = two;
  bad[2].keys = given.keys.first(4);
  for (const KeysOfTexts& columns : bad)
    EXPECT_EQ(join.add(columns).error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(join.add(given));
  EXPECT_TRUE(join.next().value().tallies.empty());
  EXPECT_EQ(join.add(given).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace leitong::spread
