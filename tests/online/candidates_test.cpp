// Which texts are compared if a part of a text is known to be template.
#include "online/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "online/posting_table.hpp"
#include "random_texts.hpp"

namespace leitong::online {
namespace {

const Secret& secret() {
  static const Secret same(SipKey{1, 2});
  return same;
}

TextKeys keys_of(std::string_view text) {
  KeyScratch scratch;
  TextKeys keys;
  make_keys(text, {}, secret(), scratch, keys);
  return keys;
}

/// Texts that posted all of their keys.
struct Held {
  void add(std::string_view text) {
    const auto number = static_cast<TextNumber>(records.size());
    const TextKeys keys = keys_of(text);
    for (std::size_t t = 0; t < kTiers; ++t)
      for (const Key key : keys.keys[t]) postings.add(key, number);
    records.push_back(
        {.units = static_cast<std::uint32_t>(keys.units.size()), .sketch = keys.sketched.sketch()});
  }

  Likely likely(const TextKeys& text, const Probes& probes) const {
    PostingLists lists;
    const TextSet removed;
    const PostingSources sources{.table = &postings, .removed = &removed};
    EXPECT_TRUE(find_lists(sources, probes.keys, probes.most, lists));
    LikelyScratch scratch;
    Likely found;
    EXPECT_TRUE(choose_likely(
        text, probes, lists, [this](TextNumber number) { return records[number]; }, Rule{}, true, scratch,
        found));
    return found;
  }

  PostingTable postings;
  std::vector<TextRecord> records;
};

constexpr auto kNoneIsFull = [](Key) { return false; };

/// Probes of a text whose units from `begin` to `end` are template.
Probes probes_of(const TextKeys& text, std::size_t begin, std::size_t end) {
  Probes probes;
  if (begin < end) {
    probes.template_places.resize(text.shingles.size(), 0);
    const std::size_t last = std::min(end - kShingleUnits + 1, text.shingles.size());
    for (std::size_t i = begin; i < last; ++i) probes.template_places[i] = 1;
    probes.own_part = 1 - static_cast<double>(last - begin) / static_cast<double>(text.shingles.size());
  }
  choose_probes(text, kNoneIsFull, probes);
  return probes;
}

TEST(Probes, KeysInTemplatesComeLast) {
  RandomTexts random(1);
  const TextKeys text = keys_of(random.text(1000));
  const Probes probes = probes_of(text, 100, 900);
  std::size_t outside = 0;
  for (std::size_t i = 0; i < probes.keys.size(); ++i) {
    const std::uint32_t place = text.places[1][probes.rank[i]];
    const bool within = place >= 100 && place + kLongKeyUnits <= 900;
    EXPECT_EQ(probes.is_template[i] != 0, within) << "key at unit " << place;
    outside += !within;
  }
  ASSERT_GT(outside, 4u);
  EXPECT_TRUE(std::is_sorted(probes.is_template.begin(), probes.is_template.end()));
  // As many probes as without templates.
  EXPECT_EQ(probes.keys.size(), probes_of(text, 0, 0).keys.size());
}

TEST(Candidates, ATextThatSharesOnlyATemplateIsDroppedUnlessItMayBeACopy) {
  RandomTexts random(2);
  const std::string frame = random.text(400);
  Held held;
  held.add(frame + random.text(300));
  const TextKeys text = keys_of(frame + random.text(300));
  const Likely unknown = held.likely(text, probes_of(text, 0, 0));
  ASSERT_EQ(unknown.chosen.size(), 1u);
  const Likely known = held.likely(text, probes_of(text, 0, 400));
  EXPECT_TRUE(known.chosen.empty());
  ASSERT_EQ(known.left_out.size(), 1u);
  EXPECT_EQ(known.left_out[0].fate, "template");
  // A text that consists of the frame is similar to another one.
  Held bare;
  bare.add(frame + random.text(5));
  const TextKeys nearly = keys_of(frame + random.text(6));
  EXPECT_EQ(bare.likely(nearly, probes_of(nearly, 0, 400)).chosen.size(), 1u);
}

TEST(Candidates, ACopyInAnotherFrameIsNotJudgedByTheSketchOfTheWhole) {
  RandomTexts random(3);
  const std::string frame = random.text(900), own = random.text(90);
  Held held;
  held.add(random.text(900) + own);
  const TextKeys text = keys_of(frame + own);
  const Likely unknown = held.likely(text, probes_of(text, 0, 0));
  EXPECT_TRUE(unknown.chosen.empty());
  ASSERT_EQ(unknown.left_out.size(), 1u);
  EXPECT_EQ(unknown.left_out[0].fate, "sketch");
  const Likely known = held.likely(text, probes_of(text, 0, 900));
  ASSERT_EQ(known.chosen.size(), 1u);
  EXPECT_TRUE(known.chosen[0].by_own_text);
}

}  // namespace
}  // namespace leitong::online
