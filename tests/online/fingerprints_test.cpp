// Indexes of fingerprints give the verdicts of comparing all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "fingerprint_model.hpp"
#include "leitong/online.hpp"
#include "leitong/sign.hpp"
#include "online/segment.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;
using hamming::Fingerprint128;

struct Kind {
  std::string scheme;
  unsigned bits, distance;
};

Settings settings_of(const Kind& kind) {
  Settings settings{.durability = Durability::none, .postings_in_memory = 200, .scheme = kind.scheme};
  settings.params.push_back("distance=" + std::to_string(kind.distance));
  settings.params.push_back("features=chars");
  settings.params.push_back("bits=" + std::to_string(kind.bits));
  return settings;
}

class OnlineFingerprints : public testing::TestWithParam<Kind> {};

TEST_P(OnlineFingerprints, AreAsComparingEverythingSays) {
  const Kind& kind = GetParam();
  const TempFolder folder("fingerprints");
  const auto all = planted(kind.bits, kind.distance, 3000, 41);
  std::vector<std::string> ids;
  // The search keeps short ids, and reads the others from the store.
  for (std::size_t i = 0; i < all.size(); ++i)
    ids.push_back((i % 3 == 0 ? "a fingerprint: " : "f") + std::to_string(i));
  for (const bool on_disk : {false, true}) {
    SCOPED_TRACE(on_disk ? "on disk" : "in memory");
    const fs::path place = on_disk ? folder.path() / "i" : fs::path();
    std::mt19937 random(5);
    FingerprintModel model(kind.distance);
    auto opened = std::make_unique<Opened>(place, settings_of(kind));
    std::size_t near = 0;
    for (std::size_t first = 0; first < all.size();) {
      const std::size_t last = std::min(all.size(), first + 1 + random() % 150);
      std::vector<Text> batch;
      std::vector<Fingerprint128> asked;
      std::string expected, expected_of_check;
      for (std::size_t i = first; i < last; ++i) {
        batch.push_back({.id = ids[i], .text = {}, .fingerprint = all[i]});
        asked.push_back(all[all.size() - 1 - i]);
        expected_of_check += model.check(asked.back());
      }
      ASSERT_EQ(said(value(opened->index.check(asked))), expected_of_check);
      for (std::size_t i = first; i < last; ++i) expected += model.add(ids[i], all[i]);
      ASSERT_EQ(said(value(opened->index.check_and_add(batch))), expected) << first;
      near += static_cast<std::size_t>(std::ranges::count(expected, ':'));
      for (int i = 0; i < 4; ++i) {
        const std::string& leaving = ids[random() % last];
        if (value(opened->index.remove(leaving))) model.remove(leaving);
      }
      if (random() % 8 == 0) {
        ASSERT_TRUE(opened->index.compact());
      }
      if (on_disk && random() % 4 == 0) {
        opened.reset();
        opened = std::make_unique<Opened>(
            place, Settings{.durability = Durability::none, .postings_in_memory = 200});
      }
      first = last;
    }
    EXPECT_GT(near, all.size() / 8);
    const auto whole = opened->index.verify();
    EXPECT_TRUE(whole) << whole.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OnlineFingerprints,
                         testing::Values(Kind{"simhash", 64, 3}, Kind{"simhash", 64, 10},
                                         Kind{"simhash", 64, 0}, Kind{"simhash", 128, 10}),
                         [](const auto& param) {
                           std::string name = param.param.scheme + "_" + std::to_string(param.param.bits) +
                                              "_" + std::to_string(param.param.distance);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

const Kind kChars{"simhash", 64, 10};

// The bits are those of `leitong sign`, whatever the index stores.
TEST(OnlineFingerprintsOfTexts, AreThoseOfSigner) {
  RandomTexts random(42);
  std::vector<std::string> texts;
  for (int i = 0; i < 400; ++i)
    texts.push_back(i > 0 && i % 2 == 0
                        ? random.edited(texts[random.below(static_cast<std::uint32_t>(i))], .02)
                        : random.text(300));
  const Context context;
  const Signer signer = value(Signer::open(context, {.method = "simhash", .params = {"features=chars"}}));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const Signatures signatures = value(signer.sign(context, views));
  for (const bool keep : {true, false}) {
    Settings settings = settings_of(kChars);
    settings.keep_texts = keep;
    Opened opened({}, settings);
    FingerprintModel model(kChars.distance);
    std::size_t near = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string id = std::to_string(i);
      const std::vector<Text> one = {{id, texts[i]}};
      const Fingerprint128 fingerprint{signatures[i][0], 0};
      const std::string expected = model.add(id, fingerprint);
      ASSERT_EQ(said(value(opened.index.check_and_add(one))), expected);
      near += expected != "new ";
      const auto stored = value(opened.index.get(id));
      EXPECT_EQ(stored->fingerprint, fingerprint);
      EXPECT_EQ(stored->text, keep ? texts[i] : "");
    }
    EXPECT_GT(near, 60u);
    EXPECT_NE(value(opened.index.figures()).scheme.find("simhash/"), std::string::npos);
    const Answer answer = value(opened.index.check(views))[2];
    EXPECT_EQ(answer.verdict, Verdict::exact);
  }
}

// Such texts have nothing that the scheme looks at, so they are equal or unrelated.
TEST(OnlineFingerprintsOfTexts, TextsWithoutFingerprintAreSeenIfTheyAreEqual) {
  for (const bool keep : {true, false}) {
    Settings settings = settings_of(kChars);
    settings.keep_texts = keep;
    Opened opened({}, settings);
    EXPECT_EQ(opened.add({{"1", ""}, {"2", "?"}, {"3", "!"}, {"4", "?"}, {"5", ""}}),
              "new new new exact:2 exact:1 ");
    EXPECT_EQ(opened.add({{"2", "?"}, {"3", "?"}}), "new refused ");
    ASSERT_TRUE(value(opened.index.remove("2")));
    EXPECT_EQ(opened.check({"?", "", "."}), "exact:4 exact:1 new ");
  }
}

TEST(OnlineFingerprintsOfTexts, SourcesAreShownTogetherWithoutTexts) {
  const TempFolder folder("sources");
  RandomTexts random(43);
  const std::string a = random.text(400), b = random.text(400);
  Settings settings = settings_of(kChars);
  settings.keep_texts = false;
  {
    Opened opened(folder.path() / "i", settings);
    ASSERT_TRUE(value(opened.index.begin("crawl")));
    EXPECT_EQ(opened.add({{"a", a, "crawl"}, {"b", b, "crawl"}, {"c", a, "crawl"}}), "new new exact:a ");
    EXPECT_EQ(opened.check({a}), "new ");
  }
  Opened opened(folder.path() / "i");
  EXPECT_EQ(value(opened.index.commit("crawl")).fresh, 2u);
  EXPECT_EQ(opened.check({a, b, random.edited(b, .005)}), "exact:a exact:b near:b ");
  EXPECT_EQ(value(opened.index.remove_source("crawl")), 3u);
  EXPECT_EQ(opened.check({a, b}), "new new ");
}

// A batch whose commit fails leaves rows under numbers that other texts get later.
TEST(OnlineFingerprintsOfTexts, RowsOfTextsThatWereNeverAddedFindNoText) {
  const TempFolder folder("never");
  Settings settings = settings_of({"simhash", 64, 3});
  settings.postings_in_memory = 50;
  const std::uint64_t one = 0x0123456789abcdef;
  const fs::path place = folder.path() / "i", spare = folder.path() / "spare";
  std::vector<std::string> ids;
  for (int i = 0; i < 60; ++i) ids.push_back(std::to_string(i));
  const auto fill = [&](Index& index, std::uint64_t factor) {
    std::vector<Text> batch;
    for (std::uint64_t i = 0; i < 60; ++i)
      batch.push_back({.id = ids[i], .text = {}, .fingerprint = Fingerprint128{one * (factor + i), 0}});
    return verdicts(value(index.check_and_add(batch)));
  };
  {
    Opened opened(spare, settings);
    fill(opened.index, 1000);
  }
  { const Opened opened(place, settings); }
  // The search has rows of texts 0 to 59; the store has none.
  fs::remove_all(place / "fingerprints");
  fs::copy(spare / "fingerprints", place / "fingerprints", fs::copy_options::recursive);
  Opened opened(place);
  const std::vector<Fingerprint128> asked = {{one * 1000, 0}};
  EXPECT_EQ(verdicts(value(opened.index.check(asked))), "new ");
  const std::string added = fill(opened.index, 3);
  EXPECT_EQ(static_cast<int>(std::ranges::count(added, 'n')), 60) << added;
  EXPECT_EQ(verdicts(value(opened.index.check(asked))), "new ") << "it isn't the fingerprint of text 0";
}

TEST(OnlineFingerprintsOfTexts, TheSearchIsMadeAgainIfItIsMissingOrDamaged) {
  const TempFolder folder("anew");
  const fs::path place = folder.path() / "i";
  const Kind kind{"simhash", 64, 3};
  const auto all = planted(kind.bits, kind.distance, 1500, 44);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < all.size(); ++i) ids.push_back(std::to_string(i));
  std::string expected;
  {
    Opened opened(place, settings_of(kind));
    std::vector<Text> batch;
    for (std::size_t i = 0; i < all.size(); ++i)
      batch.push_back({.id = ids[i], .text = {}, .fingerprint = all[i]});
    for (std::size_t i = 0; i < all.size(); i += 100)
      value(opened.index.check_and_add(std::span(batch).subspan(i, 100)));
    for (std::size_t i = 0; i < all.size(); i += 7) value(opened.index.remove(ids[i]));
    expected = said(value(opened.index.check(all)));
    ASSERT_TRUE(opened.index.snapshot(folder.path() / "copy"));
  }
  fs::remove_all(place / "fingerprints");
  EXPECT_EQ(said(value(Opened(place).index.check(all))), expected);
  EXPECT_EQ(said(value(Opened(folder.path() / "copy").index.check(all))), expected);

  std::size_t damaged = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(place / "fingerprints")) {
    if (!entry.is_regular_file() || entry.file_size() < 1000) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file << "damage";
    ++damaged;
  }
  ASSERT_GT(damaged, 0u);
  const Context context;
  {
    const auto opened = Index::open(context, place);
    const auto answers =
        opened ? opened->check(all) : Result<std::vector<Answer>>(tl::unexpected<Error>(opened.error()));
    ASSERT_FALSE(answers);
    EXPECT_EQ(answers.error().code, ErrorCode::corrupt);
    EXPECT_NE(answers.error().message.find("fingerprints"), std::string::npos) << answers.error().message;
  }
  ASSERT_TRUE(rebuild(context, place));
  EXPECT_EQ(said(value(Opened(place).index.check(all))), expected);
}

// Matches are reported without their rows, from what a record holds of them (docs/format.md).
TEST(OnlineFingerprintsOfTexts, ARecordHasTheIdWhereThatIsAllThereIsToTell) {
  const TempFolder folder("ids");
  const fs::path place = folder.path() / "i";
  const std::vector<std::string> ids = {"a", "123456789012345", "1234567890123456", "s", "t"};
  const std::uint64_t one = 0x0123456789abcdef;
  std::vector<Text> texts;
  std::vector<Fingerprint128> asked;
  for (const std::string& id : ids) {
    asked.push_back({one * (asked.size() + 7), 0});
    texts.push_back({.id = id, .text = {}, .fingerprint = asked.back()});
  }
  texts[3].source = "crawl";
  texts[4].time = 17;
  std::vector<Answer> answers;
  {
    Settings settings = settings_of({"simhash", 64, 3});
    settings.postings_in_memory = 5;  // after which they are moved to a segment
    Opened opened(place, settings);
    ASSERT_EQ(verdicts(value(opened.index.check_and_add(texts))), "new new new new new ");
    answers = value(opened.index.check(asked));
  }
  EXPECT_EQ(said(value(Opened(place).index.check(asked))), said(answers));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_TRUE(answers[i].match);
    EXPECT_EQ(answers[i].match->id, texts[i].id);
    EXPECT_EQ(answers[i].match->source, texts[i].source);
    EXPECT_EQ(answers[i].match->time, texts[i].time);
    EXPECT_EQ(answers[i].match->distance, 0u);
  }
  const auto segment = Segment::open(place / "segment-000001.online");
  ASSERT_TRUE(segment);
  for (TextNumber i = 0; i < 5; ++i) {
    std::string expected(36, '\0');
    expected[0] = 1;  // the search must skip it
    std::memcpy(&expected[4], &asked[i].low, 8);
    if (i < 2) {
      expected.replace(20, texts[i].id.size(), texts[i].id);
      expected[35] = static_cast<char>(texts[i].id.size());
    }
    const TextRecord record = (*segment)->record(i).value();
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(&record), sizeof record), expected) << i;
  }
}

// The search is built from records, including those of texts that left long ago.
TEST(OnlineFingerprintsOfTexts, ATextThatLeftIsNotFoundByItsRecord) {
  const TempFolder folder("left");
  const auto all = planted(64, 3, 600, 47);
  std::vector<std::string> ids;
  std::vector<Text> texts;
  for (std::size_t i = 0; i < all.size(); ++i) ids.push_back(std::to_string(i));
  for (std::size_t i = 0; i < all.size(); ++i)
    texts.push_back({.id = ids[i], .text = {}, .fingerprint = all[i]});
  for (const fs::path& place : {folder.path() / "i", fs::path()}) {
    FingerprintModel model(3);
    auto opened = std::make_unique<Opened>(place, settings_of({"simhash", 64, 3}));
    value(opened->index.check_and_add(texts));
    for (std::size_t i = 0; i < all.size(); ++i) model.add(ids[i], all[i]);
    for (std::size_t i = 0; i < all.size(); i += 3)
      if (value(opened->index.remove(ids[i]))) model.remove(ids[i]);
    ASSERT_TRUE(opened->index.compact());
    if (!place.empty()) {
      opened.reset();
      fs::remove_all(place / "fingerprints");
      opened = std::make_unique<Opened>(place);
    }
    std::string expected;
    for (const Fingerprint128& one : all) expected += model.check(one);
    EXPECT_EQ(said(value(opened->index.check(all))), expected);
    const auto whole = opened->index.verify();
    EXPECT_TRUE(whole) << whole.error().message;
  }
}

TEST(OnlineFingerprintsOfTexts, OtherSchemesAreRefused) {
  const TempFolder folder("schemes");
  const Context context;
  const fs::path place = folder.path() / "i";
  value(Index::open(context, place, settings_of({"simhash", 64, 3})));
  const auto refusal = [&](const fs::path& where, const Settings& settings) {
    const auto opened = Index::open(context, where, settings);
    if (opened) return std::string("opened");
    EXPECT_EQ(opened.error().code, ErrorCode::invalid_argument);
    return opened.error().message;
  };
  EXPECT_EQ(refusal(place, {}), "opened");
  EXPECT_EQ(refusal(place, settings_of({"simhash", 64, 3})), "opened");
  EXPECT_NE(refusal(place, settings_of({"simhash", 64, 4})).find("distance 4"), std::string::npos);
  EXPECT_NE(refusal(place, settings_of({"simhash", 128, 3})).find("bits"), std::string::npos);
  EXPECT_NE(refusal(place, {.scheme = "default"}).find("simhash"), std::string::npos);
  EXPECT_NE(refusal({}, {.scheme = "minhash"}).find("choose one of: default, reuse, simhash"),
            std::string::npos);
  EXPECT_NE(refusal({}, {.scheme = "simhash", .params = {"distance=17"}}).find("16"), std::string::npos);
  const fs::path nothing = folder.path() / "nothing";
  EXPECT_NE(refusal(nothing, {.scheme = "simhash", .params = {"distance=17"}}).find("16"), std::string::npos);
  EXPECT_FALSE(fs::exists(nothing)) << "what no index can be made of leaves no folder";
  EXPECT_NE(refusal({}, {.params = {"distance=3"}}).find("name the scheme"), std::string::npos);
  EXPECT_NE(refusal({}, {.keep_texts = false}).find("keeps them"), std::string::npos);
}

TEST(OnlineFingerprintsOfTexts, ATextOrAFingerprintAndNoMoreBitsThanThereAre) {
  Opened texts;
  Opened prints({}, settings_of(kChars));
  const Fingerprint128 narrow{1, 0}, wide{1, 1};
  EXPECT_EQ(texts.add({{.id = "a", .text = {}, .fingerprint = narrow}}), "refused ");
  EXPECT_EQ(prints.add({{.id = "a", .text = "text", .fingerprint = narrow},
                        {.id = "b", .text = {}, .fingerprint = wide},
                        {.id = "c", .text = {}, .fingerprint = narrow},
                        {.id = "c", .text = {}, .fingerprint = narrow}}),
            "refused refused new new ");
  EXPECT_EQ(prints.add({{.id = "c", .text = {}, .fingerprint = narrow}}), "new ");
  const Explanation seen = value(prints.index.explain("text"));
  EXPECT_EQ(seen.units, 2u);  // pairs of letters
  EXPECT_EQ(seen.answer.verdict, Verdict::fresh);
}

}  // namespace
}  // namespace leitong::online
