#include "online/text_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "feature/shingles.hpp"
#include "random_texts.hpp"
#include "scheme/key_tiers.hpp"
#include "similarity/intersect.hpp"

namespace leitong::online {
namespace {

TextKeys keys_of(std::string_view text, const SipKey& bits = {1, 2}) {
  KeyScratch scratch;
  TextKeys keys;
  make_keys(text, {}, Secret(bits), scratch, keys);
  return keys;
}

TEST(TextKeys, TiersAreThoseOfTheScheme) {
  RandomTexts random(1);
  const auto tiers = [&](std::size_t units) {
    const TextKeys keys = keys_of(random.text(units));
    return std::pair(!keys.keys[0].empty(), !keys.keys[1].empty());
  };
  EXPECT_EQ(tiers(5), std::pair(false, false));
  EXPECT_EQ(tiers(6), std::pair(true, false));
  EXPECT_EQ(tiers(63), std::pair(true, false));
  EXPECT_EQ(tiers(64), std::pair(true, true));
  EXPECT_EQ(tiers(255), std::pair(true, true));
  EXPECT_EQ(tiers(256), std::pair(false, true));
}

TEST(TextKeys, AreDistinctAndOrderedByLevelThenByHash) {
  RandomTexts random(2);
  const std::string once = random.text(900);
  for (const std::string& text : {once, once + once}) {
    const TextKeys keys = keys_of(text);
    const std::vector<Key>& of_long = keys.keys[1];
    EXPECT_EQ(std::set<Key>(of_long.begin(), of_long.end()).size(), of_long.size());
    for (std::size_t i = 1; i < of_long.size(); ++i)
      EXPECT_LT(std::pair(-keys.levels[1][i - 1], of_long[i - 1]), std::pair(-keys.levels[1][i], of_long[i]));
    EXPECT_GT(keys.levels[1].front(), 2);
  }
}

// Compared with the shingles that winnowing chooses, one window after another.
TEST(TextKeys, AreTheHashesOfWhatIsChosenEachAtItsHighestLevel) {
  RandomTexts random(5);
  const std::string once = random.text(100), again = random.text(40);
  for (const std::string& text : {once, once + once, again + once + again + again, random.text(250)}) {
    const TextKeys keys = keys_of(text);
    const Secret secret({1, 2});
    WindowLevelScratch scratch;
    PodVector<ChosenShingle> chosen;
    window_levels(keys.units, kShortKeyUnits, kShortKeyWindow, secret.selection, scratch, chosen);
    std::map<Key, std::pair<int, std::uint32_t>> best;  // below the highest level, place
    for (const ChosenShingle& one : chosen) {
      const std::string_view bytes(reinterpret_cast<const char*>(&keys.units[one.place]),
                                   kShortKeyUnits * sizeof(Unit));
      const std::pair at{-static_cast<int>(one.level), one.place};
      const auto [known, is_new] = best.try_emplace(siphash(secret.shingles, bytes) >> (64 - kKeyBits), at);
      known->second = std::min(known->second, at);
    }
    ASSERT_EQ(keys.keys[0].size(), best.size());
    for (std::size_t i = 0; i < best.size(); ++i)
      EXPECT_EQ(std::pair(-static_cast<int>(keys.levels[0][i]), keys.places[0][i]), best.at(keys.keys[0][i]));
  }
}

TEST(TextKeys, QuotasGrowWithTheTextAndAreSharedByTheTiers) {
  RandomTexts random(3);
  const TextKeys both = keys_of(random.text(200));
  EXPECT_EQ(both.quota[0].post + both.quota[1].post, 12u);
  EXPECT_EQ(both.quota[0].look_up + both.quota[1].look_up, 24u);
  EXPECT_EQ(both.quota[0].post, 6u);
  const TextKeys large = keys_of(random.text(4000));
  EXPECT_EQ(large.quota[1].post, std::max<std::size_t>(12, large.keys[1].size() / 4));
  EXPECT_EQ(large.quota[1].look_up, std::max<std::size_t>(24, large.keys[1].size() / 2));
  EXPECT_EQ(quota_of(1'000'000).look_up, 2048u);
  // A text of few keys gives all of them, and the other tier gives the rest.
  const TextKeys small = keys_of(random.text(70));
  EXPECT_EQ(small.quota[1].post + small.quota[0].post, 12u);
  EXPECT_LE(small.quota[1].post, small.keys[1].size());
}

TEST(TextKeys, AnotherSecretGivesOtherKeysOfOtherPlaces) {
  RandomTexts random(4);
  const std::string text = random.text(2000);
  const TextKeys a = keys_of(text, {1, 2}), b = keys_of(text, {1, 3});
  for (const Key key : a.keys[1]) EXPECT_EQ(std::count(b.keys[1].begin(), b.keys[1].end(), key), 0);
  EXPECT_NE(a.content, b.content);
  EXPECT_EQ(a.sketched.sketch(), b.sketched.sketch());
}

TEST(TextKeys, ContentIsThatOfTheUnitsOrOfTheBytesWithoutUnits) {
  EXPECT_EQ(keys_of("渡船清晨六点开。").content, keys_of("渡船，清晨六點開").content);
  EXPECT_NE(keys_of("渡船清晨六点开").content, keys_of("渡船清晨七点开").content);
  EXPECT_NE(keys_of("?!").content, keys_of("!?").content);
  EXPECT_EQ(keys_of("?!").content, keys_of("?!").content);
}

}  // namespace
}  // namespace leitong::online
