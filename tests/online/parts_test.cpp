// Indexes by the scheme "reuse": which texts hold a part of a text?
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/dedup.hpp"
#include "leitong/online.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

const Settings kReuse{.scheme = "reuse"};
constexpr std::size_t kLetter = 3;  // bytes of each letter of random texts

std::string run_of(const std::string& text, std::size_t begin, std::size_t letters) {
  return text.substr(kLetter * begin, kLetter * letters);
}

std::string with_run(std::string text, std::size_t at, const std::string& run) {
  return text.insert(kLetter * at, run);
}

Answer checked(Opened& opened, const std::string& text) {
  const std::vector<std::string_view> asked = {text};
  return value(opened.index.check(asked))[0];
}

std::string ids_of(const Answer& answer) {
  std::string ids;
  for (const SharedPart& part : answer.parts) ids += part.id + " ";
  return ids;
}

TEST(OnlineParts, APassageOfSixtyUnitsIsAlwaysFound) {
  RandomTexts random(31);
  Opened opened({}, kReuse);
  std::vector<std::string> articles;
  for (int i = 0; i < 40; ++i) articles.push_back(random.text(3'000));
  for (int i = 0; i < 40; ++i)
    opened.add({{std::string("a").append(std::to_string(i)), articles[static_cast<std::size_t>(i)]}});
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t begin = random.below(2'900), at = random.below(2'000), length = 58 + i % 5;
    const std::string run = run_of(articles[i], begin, length), essay = with_run(random.text(2'000), at, run);
    const Answer answer = checked(opened, essay);
    if (length < 60 && answer.verdict == Verdict::fresh) continue;  // neighbours may be equal by chance
    ASSERT_EQ(answer.verdict, Verdict::parts) << length;
    ASSERT_EQ(answer.parts.size(), 1u);
    const SharedPart& part = answer.parts[0];
    EXPECT_EQ(part.id, "a" + std::to_string(i));
    EXPECT_EQ(part.measure, "passage");
    ASSERT_EQ(part.passages.size(), 1u);
    const CopiedPassage& passage = part.passages[0];
    EXPECT_GE(passage.bytes.units, length);
    EXPECT_LE(passage.bytes.units, length + 3);
    EXPECT_EQ(essay.substr(passage.bytes.a.begin, passage.bytes.a.size()),
              articles[i].substr(passage.bytes.b.begin, passage.bytes.b.size()));
    EXPECT_LE(passage.a.begin, at);
    EXPECT_EQ(passage.bytes.a.begin, kLetter * passage.a.begin);
    EXPECT_EQ(passage.bytes.b.end, kLetter * passage.b.end);
    EXPECT_EQ(passage.a.end - passage.a.begin, passage.bytes.units);
    EXPECT_EQ(part.units, passage.bytes.units);
    EXPECT_DOUBLE_EQ(part.share, static_cast<double>(part.units) / static_cast<double>(2'000 + length));
    EXPECT_DOUBLE_EQ(part.share_of_source, static_cast<double>(part.units) / 3'000);
  }
}

// Articles with stock phrases that many of them hold, and essays with such phrases and a run of one article,
// as it is or with letters changed. When the essays come, the index knows the same templates as the batch.
TEST(OnlineParts, AreThoseOfTheBatch) {
  RandomTexts random(44);
  std::vector<std::string> texts = random.with_stock_phrases(600), ids;
  constexpr std::size_t kArticles = 300;
  for (std::size_t i = kArticles; i < texts.size(); ++i) {
    const std::string& article = texts[i - kArticles];
    const std::string run = run_of(article, random.below(100), 60 + random.below(120));
    constexpr double kEdits[] = {0, .05, .10};
    texts[i] = with_run(texts[i], 100, random.edited(run, kEdits[i % 3]));
  }
  std::vector<Text> arriving;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  for (std::size_t i = 0; i < texts.size(); ++i) arriving.push_back({ids[i], texts[i]});
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const Context context({.threads = 2});
  const auto batch = deduplicate(context, views, {.preset = Preset::reuse});
  ASSERT_TRUE(batch) << batch.error().message;
  std::set<std::pair<std::string, std::string>> of_batch, of_index, of_both;
  for (const SimilarTexts& pair : value(batch->pairs()))
    if (pair.b >= kArticles) of_batch.emplace(ids[pair.b], ids[pair.a]);
  Opened opened({}, kReuse);
  const auto answers = value(opened.index.check_and_add(arriving));
  for (std::size_t i = kArticles; i < answers.size(); ++i) {
    if (answers[i].match) of_index.emplace(ids[i], answers[i].match->id);
    // Of pairs that only templates keep below the rule the batch decides few (worth_deciding_again()).
    for (const SharedPart& part : answers[i].parts)
      if (part.measure != "own_text" || of_batch.contains({ids[i], part.id}))
        of_index.emplace(ids[i], part.id);
  }
  std::ranges::set_intersection(of_batch, of_index, std::inserter(of_both, of_both.end()));
  EXPECT_GE(of_batch.size(), 200u);
  const auto share = [&](const auto& of) {
    return static_cast<double>(of_both.size()) / static_cast<double>(of.size());
  };
  EXPECT_GE(share(of_batch), .99) << "found of " << of_batch.size();
  EXPECT_GE(share(of_index), .99) << "right of " << of_index.size();
}

TEST(OnlineParts, PlacesAreBytesAndCharacters) {
  RandomTexts random(32);
  Opened opened({}, kReuse);
  const std::string article = "abc, " + random.text(400);
  opened.add({{"a", article}});
  const std::string run = article.substr(5 + kLetter * 100, kLetter * 80);
  const std::string essay = "Éa – " + random.text(300) + run + random.text(50);
  const Answer answer = checked(opened, essay);
  ASSERT_EQ(ids_of(answer), "a ");
  const CopiedPassage& passage = answer.parts[0].passages.at(0);
  EXPECT_EQ(passage.a, (CharacterRange{305, 385}));
  EXPECT_EQ(passage.b, (CharacterRange{105, 185}));
  EXPECT_EQ(passage.bytes.a.begin, essay.find(run));
  EXPECT_EQ(passage.bytes.b.begin, article.find(run));
}

TEST(OnlineParts, SeveralTextsAreNamedTheLongestPartFirst) {
  RandomTexts random(33);
  Opened opened({}, kReuse);
  const std::string a = random.text(500), b = random.text(500), c = random.text(500);
  EXPECT_EQ(opened.add({{"a", a, "site"}, {"b", b}, {"c", c}}), "new new new ");
  std::string essay = random.text(300) + run_of(a, 10, 70) + random.text(40) + run_of(b, 200, 120);
  const Answer answer = checked(opened, essay);
  EXPECT_EQ(answer.verdict, Verdict::parts);
  EXPECT_EQ(ids_of(answer), "b a ");
  EXPECT_EQ(answer.parts[1].source, "site");
  EXPECT_FALSE(answer.match);
  // An edited copy of one text that holds a part of another one.
  const Answer near = checked(opened, random.edited(c, .02) + run_of(a, 10, 70));
  ASSERT_EQ(near.verdict, Verdict::near);
  EXPECT_EQ(near.match->id, "c");
  EXPECT_EQ(ids_of(near), "a ");
  EXPECT_EQ(checked(opened, a).parts.size(), 0u) << "a copy needs no other explanation";
}

TEST(OnlineParts, TextsOfABatchAreFoundToo) {
  RandomTexts random(34);
  Opened opened({}, kReuse);
  const std::string a = random.text(500), essay = random.text(300) + run_of(a, 100, 90);
  EXPECT_EQ(opened.add({{"a", a}, {"essay", essay}}), "new parts ");
  EXPECT_EQ(opened.add({{"essay", essay}}), "parts ") << "the verdict of its first arrival";
  EXPECT_EQ(value(opened.index.get("essay"))->verdict, Verdict::parts);
  EXPECT_EQ(value(opened.index.figures()).fresh, 2u);
  // It represents itself.
  EXPECT_EQ(opened.check({random.edited(essay, .02)}), "near:essay ");
}

TEST(OnlineParts, TheTextsOfAFamilyPostWhatIsTheirOwn) {
  RandomTexts random(35);
  Opened opened({}, kReuse);
  const std::string a = random.text(400), added = random.text(100);
  EXPECT_EQ(opened.add({{"a", a}, {"longer", a + added}}), "new near:a ");
  EXPECT_EQ(ids_of(checked(opened, random.text(300) + run_of(a, 50, 80))).substr(0, 2), "a ");
  EXPECT_EQ(ids_of(checked(opened, random.text(300) + run_of(added, 10, 80))), "longer ");
}

TEST(OnlineParts, WhatEightTextsHoldIsATemplate) {
  RandomTexts random(36);
  Opened opened({}, kReuse);
  const std::string footer = random.text(100), quoted = random.text(90);
  for (int i = 0; i < 24; ++i) {
    const std::string text = (i == 20 ? quoted : "") + random.text(900) + footer;
    const std::string verdict = opened.add({{"t" + std::to_string(i), text}});
    if (i >= 8) {
      EXPECT_EQ(verdict, "new ") << i;
    }
  }
  const Answer answer = checked(opened, random.text(500) + quoted + random.text(500) + footer);
  ASSERT_EQ(ids_of(answer), "t20 ");
  EXPECT_LE(answer.parts[0].units, 92u) << "the footer is not told as a passage";
}

TEST(OnlineParts, ARemovedTextIsNoSource) {
  RandomTexts random(37);
  Opened opened({}, kReuse);
  const std::string a = random.text(500), essay = random.text(300) + run_of(a, 100, 90);
  opened.add({{"a", a}, {"copy", a}});
  EXPECT_EQ(ids_of(checked(opened, essay)), "a ");
  ASSERT_TRUE(value(opened.index.remove("a")));
  EXPECT_EQ(ids_of(checked(opened, essay)), "copy ") << "it took the place";
  ASSERT_TRUE(value(opened.index.remove("copy")));
  EXPECT_EQ(checked(opened, essay).verdict, Verdict::fresh);
  ASSERT_TRUE(opened.index.compact());
  EXPECT_EQ(checked(opened, essay).verdict, Verdict::fresh);
}

TEST(OnlineParts, AreTheSameAfterReopeningAndRepair) {
  const TempFolder folder("parts");
  const auto place = folder.path() / "i";
  RandomTexts random(38);
  const std::string a = random.text(500), b = random.text(700);
  const std::string essay = random.text(300) + run_of(a, 100, 90) + run_of(b, 300, 64);
  {
    Opened opened(place, kReuse);
    opened.add({{"a", a}, {"b", b}, {"near", random.edited(a, .02)}});
    EXPECT_EQ(ids_of(checked(opened, essay)).substr(0, 2), "a ");
  }
  const auto ids_now = [&] {
    Opened opened(place);  // the index states its scheme
    EXPECT_TRUE(opened.index.verify());
    EXPECT_EQ(value(opened.index.figures()).scheme.substr(0, 6), "reuse/");
    return ids_of(checked(opened, essay));
  };
  const std::string ids = ids_now();
  EXPECT_NE(ids.find("a "), std::string::npos);
  EXPECT_NE(ids.find("b "), std::string::npos);
  ASSERT_TRUE(rebuild(Context({.threads = 2}), place));
  EXPECT_EQ(ids_now(), ids);
}

TEST(OnlineParts, CountsOfShinglesThatAreLostAreMadeAnew) {
  const TempFolder folder("parts-counts");
  const auto place = folder.path() / "i", counts = place / "shingle-counts";
  RandomTexts random(40);
  const std::vector<std::string> texts = random.with_stock_phrases(1'201);
  Settings settings = kReuse;
  settings.postings_in_memory = 50'000;
  {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < 1'200; ++i) ids.push_back(std::to_string(i));
    std::vector<Text> added;
    for (std::size_t i = 0; i < 1'200; ++i) added.push_back({ids[i], texts[i]});
    Opened opened(place, settings);
    value(opened.index.check_and_add(std::span(added).first(1'000)));
    value(opened.index.check_and_add(std::span(added).subspan(1'000)));
  }
  const std::string essay = texts[1'200] + run_of(texts[7], 20, 80);
  const auto parts_now = [&] {
    Opened opened(place);
    return ids_of(checked(opened, essay));
  };
  ASSERT_TRUE(std::filesystem::exists(counts));
  EXPECT_EQ(parts_now(), "7 ");
  std::filesystem::resize_file(counts, std::filesystem::file_size(counts) / 2);
  EXPECT_EQ(parts_now(), "7 ") << "damaged";
  std::filesystem::remove(counts);
  EXPECT_EQ(parts_now(), "7 ") << "lost";
  EXPECT_TRUE(std::filesystem::exists(counts)) << "it was written again";
}

TEST(OnlineParts, TheSchemeIsThatOfTheIndexForGood) {
  const TempFolder folder("parts-scheme");
  const Context context({.threads = 1});
  const auto other = folder.path() / "other", reuse = folder.path() / "reuse";
  value(Index::open(context, other));
  value(Index::open(context, reuse, kReuse));
  for (const auto& [place, scheme] : {std::pair(other, "reuse"), std::pair(reuse, "default")}) {
    const auto opened = Index::open(context, place, {.scheme = scheme});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::invalid_argument);
  }
  for (const char* const server : {"redis://127.0.0.1:1/i", "hbase://127.0.0.1:1/i"}) {
    const auto opened = Index::open(context, server, kReuse);
    ASSERT_FALSE(opened) << server;
    EXPECT_EQ(opened.error().code, ErrorCode::unsupported);
    EXPECT_NE(opened.error().message.find("\"reuse\""), std::string::npos) << "before any connection";
  }
  EXPECT_FALSE(Index::open(context, {}, {.scheme = "reuse", .keep_texts = false}));
}

TEST(OnlineParts, ADefaultIndexFindsNone) {
  RandomTexts random(39);
  Opened opened;
  const std::string a = random.text(500);
  opened.add({{"a", a}});
  EXPECT_EQ(checked(opened, random.text(300) + run_of(a, 100, 90)).verdict, Verdict::fresh);
}

}  // namespace
}  // namespace leitong::online
