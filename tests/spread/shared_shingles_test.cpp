#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "feature/shingles.hpp"
#include "made_up_texts.hpp"
#include "spread/steps.hpp"
#include "text/units.hpp"

namespace leitong::spread {
namespace {

using testing::Random;
using testing::random_text;
using testing::views;

Lists<std::uint32_t> shingle_sets(std::span<const std::string> texts) {
  Lists<std::uint32_t> sets;
  PodVector<Unit> units;
  PodVector<std::uint32_t> hashes;
  for (const std::string& text : texts) {
    to_units(text, {}, units);
    shingle_hashes(units, hashes);
    const std::set<std::uint32_t> set(hashes.begin(), hashes.end());
    sets.values.insert(sets.values.end(), set.begin(), set.end());
    sets.offsets.push_back(static_cast<std::int64_t>(sets.values.size()));
  }
  return sets;
}

TEST(SharedShingles, AFilterLetsThroughThoseOfItsTextsByRanges) {
  Random random(5);
  std::vector<std::string> texts = {random_text(random, 300), ""};
  for (int i = 0; i < 60; ++i)
    texts.push_back(i % 7 == 0 ? texts[0] : random_text(random, random.below(400)));
  const Context context({.threads = 2});
  std::vector<std::uint8_t> filter(1 << 10);
  const std::vector<std::string_view> given = views(texts);
  ASSERT_TRUE(add_to_filter(context, std::span(given).first(3), filter));
  const Lists<std::uint32_t> sets = shingle_sets(texts);
  std::set<std::uint32_t> bits;
  for (std::size_t i = 0; i < 3; ++i)
    for (const std::uint32_t shingle : sets[i]) bits.insert(shingle >> 19);
  const ByRange<std::uint32_t> made = wanted_shingles(context, given, filter, 5).value().shingles;
  ASSERT_EQ(made.text_begins.size(), 6u);
  std::vector<std::vector<std::uint32_t>> found(texts.size());
  for (std::size_t range = 0; range < 5; ++range) {
    std::size_t at = made.value_begins[range];
    for (std::size_t run = made.text_begins[range]; run < made.text_begins[range + 1]; ++run)
      for (std::uint32_t n = 0; n < made.counts[run]; ++n, ++at) {
        EXPECT_EQ(std::uint64_t{made.values[at]} * 5 >> 32, range);
        found[made.texts[run]].push_back(made.values[at]);
      }
    EXPECT_EQ(at, made.value_begins[range + 1]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::vector<std::uint32_t> expected;
    std::ranges::copy_if(sets[i], std::back_inserter(expected),
                         [&](std::uint32_t one) { return bits.contains(one >> 19); });
    EXPECT_EQ(found[i], expected);
  }
}

TEST(SharedShingles, OfTextsTheirFamiliesAndBareTexts) {
  Random random(9);
  const std::string head = random_text(random, 80);
  const std::vector<std::string> texts = {head, head + random_text(random, 300)};
  const Context context({.threads = 1});
  const Lists<std::uint32_t> sets = shingle_sets(texts);
  Lists<std::uint32_t> templates;
  for (int i = 0; i < 2; ++i) {
    templates.values.insert(templates.values.end(), sets[0].begin(), sets[0].end());
    templates.offsets.push_back(static_cast<std::int64_t>(templates.values.size()));
  }
  EXPECT_EQ(bare_texts(context, views(texts), templates, 2).value(), (std::vector<std::uint8_t>{1, 0}));
  EXPECT_TRUE(is_template(8, 80));
  EXPECT_FALSE(is_template(8, 81));
  EXPECT_FALSE(is_template(7, 7));
}

// Shingles of texts as they come from several parts of a corpus: in runs, with copies of texts.
struct Given {
  std::vector<std::int64_t> texts;
  std::vector<std::uint8_t> counts;
  std::vector<std::uint32_t> shingles;

  explicit Given(std::uint64_t seed) {
    Random random(seed);
    std::vector<std::int64_t> known;
    for (int i = 0; i < 300; ++i) known.push_back(number(random));
    for (int run = 0; run < 900; ++run) {
      texts.push_back(known[random.below(300)]);
      counts.push_back(static_cast<std::uint8_t>(random.below(30)));
      // Some shingles are in few texts, some in most.
      for (int i = 0; i < counts.back(); ++i)
        shingles.push_back(static_cast<std::uint32_t>(random.below(1 + random.below(400)) * 10'000'019));
    }
  }

  static std::int64_t number(Random& random) {
    return static_cast<std::int64_t>(random.below(1U << 31) << 33 | random.below(1U << 31));
  }

  [[nodiscard]] ShinglesOfTexts all() const { return {texts, counts, shingles}; }

  [[nodiscard]] std::map<std::uint32_t, std::set<std::int64_t>> holders() const {
    std::map<std::uint32_t, std::set<std::int64_t>> holders;
    auto shingle = shingles.begin();
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::uint32_t n = 0; n < counts[i]; ++n) holders[*shingle++].insert(texts[i]);
    return holders;
  }
};

// Two thirds of the texts are in pairs, some of these are asked about, and few of these want common shingles.
struct Known {
  std::vector<std::int64_t> texts, families;
  std::vector<std::uint8_t> flags;

  explicit Known(const Given& given) {
    Random random(7);
    for (const std::int64_t text : std::set(given.texts.begin(), given.texts.end())) {
      if (random.below(3) == 0) continue;
      texts.push_back(text);
      const std::uint64_t asked = random.below(20);
      flags.push_back(asked < 10 ? 0 : asked < 18 ? kAsked : kAsked | kWantsCommon);
      families.push_back(texts[random.below(texts.size())]);
    }
  }

  [[nodiscard]] TextsOfPairs all() const { return {texts, families, flags}; }
};

using Mark = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
std::vector<Mark> listed(const std::vector<ShingleOfText>& marks) {
  std::vector<Mark> all;
  for (const ShingleOfText& mark : marks)
    all.emplace_back(mark.shingle, mark.text, mark.families, mark.is_template);
  return all;
}

std::vector<Mark> expected_marks(const Given& given, const Known& known) {
  std::map<std::int64_t, std::uint32_t> positions;
  for (std::uint32_t i = 0; i < known.texts.size(); ++i) positions[known.texts[i]] = i;
  std::vector<Mark> expected;
  for (const auto& [shingle, texts] : given.holders()) {
    std::set<std::pair<bool, std::int64_t>> families;
    bool wanted = false;
    for (const std::int64_t text : texts) {
      const auto at = positions.find(text);
      families.emplace(at != positions.end(), at == positions.end() ? text : known.families[at->second]);
      wanted |= at != positions.end() && (known.flags[at->second] & kWantsCommon) != 0;
    }
    if (families.size() < (wanted ? kCommonFamilies : TemplateRule::kFamilies)) continue;
    const bool everywhere = is_template(families.size(), texts.size());
    for (const std::int64_t text : texts) {
      const auto at = positions.find(text);
      if (at == positions.end() || (known.flags[at->second] & kAsked) == 0) continue;
      if (everywhere || (known.flags[at->second] & kWantsCommon) != 0)
        expected.emplace_back(shingle, at->second, families.size(), everywhere);
    }
  }
  return expected;
}

TEST(SharedShingles, FamiliesAreCountedAndAgainWhenSomeAreJoined) {
  const Given given(2);
  Known known(given);
  const CountedShingles counted = count_range(given.all(), known.all()).value();
  EXPECT_EQ(listed(counted.marks), expected_marks(given, known));
  EXPECT_GT(counted.marks.size(), 100u);
  EXPECT_EQ(listed(mark_range(counted.held, counted.members, known.all()).value()), listed(counted.marks));
  for (std::int64_t& family : known.families) family = family < 0 ? known.texts[0] : family;
  const auto again = mark_range(counted.held, counted.members, known.all()).value();
  EXPECT_EQ(listed(again), expected_marks(given, known));
  EXPECT_NE(listed(again), listed(counted.marks));
}

TEST(SharedShingles, NobodyAsksOrNobodyIsKnown) {
  const Given given(3);
  Known known(given);
  known.flags.assign(known.flags.size(), 0);
  EXPECT_TRUE(count_range(given.all(), known.all()).value().held.empty());
  EXPECT_TRUE(count_range(given.all(), {}).value().held.empty());
  EXPECT_TRUE(count_range({}, known.all()).value().held.empty());
  EXPECT_TRUE(mark_range({}, {}, known.all()).value().empty());
}

TEST(SharedShingles, ColumnsThatDoNotFitAreRefused) {
  Given given(4);
  Known known(given);
  const std::vector<HeldShingle> held = {{.shingle = 1, .members = 2}};
  const std::vector<std::uint32_t> one = {0}, beyond = {0, static_cast<std::uint32_t>(known.texts.size())};
  EXPECT_EQ(mark_range(held, one, known.all()).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(mark_range(held, beyond, known.all()).error().code, ErrorCode::invalid_argument);
  given.shingles.pop_back();
  EXPECT_EQ(count_range(given.all(), known.all()).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace leitong::spread
