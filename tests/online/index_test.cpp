#include "leitong/online.hpp"
#include "leitong/records.hpp"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "online/repair.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

std::string add_in_batches(Index& index, const Arrivals& arrivals, std::size_t batch) {
  std::string answers;
  for (std::size_t i = 0; i < arrivals.ids.size(); i += batch)
    answers +=
        verdicts(value(index.check_and_add(arrivals.between(i, std::min(i + batch, arrivals.ids.size())))));
  return answers;
}

TEST(OnlineIndex, KnowsNewExactAndNearTexts) {
  RandomTexts random(1);
  const std::string a = random.text(300), b = random.text(300), like_a = random.edited(a, .03);
  Opened opened;
  EXPECT_EQ(opened.check({a}), "new ");
  EXPECT_EQ(opened.add({{"a", a}, {"b", b}}), "new new ");
  EXPECT_EQ(opened.check({a, like_a, "。" + b, random.text(300)}), "exact:a near:a near:b new ");
  const std::vector<std::string_view> query = {like_a};
  const Answer answer = value(opened.index.check(query))[0];
  EXPECT_EQ(answer.match->measure, "jaccard");
  EXPECT_EQ(answer.match->score, answer.match->jaccard);
  EXPECT_GT(answer.match->jaccard, .4);
  EXPECT_FALSE(answer.bounds.any());
}

TEST(OnlineIndex, ABatchIsJoinedWithItself) {
  RandomTexts random(2);
  const std::string a = random.text(200), like_a = random.edited(a, .03);
  Opened opened;
  EXPECT_EQ(opened.add({{"1", a}, {"2", like_a}, {"3", a}, {"4", like_a}}), "new near:1 exact:1 exact:2 ");
}

TEST(OnlineIndex, FoldsAsItWasMade) {
  const TempFolder folder("folding");
  const std::string first = "08:30:05 la pompe 7 a été arrêtée, 12.5 ms",
                    numbers = "23:59:59 la pompe 12 a été arrêtée, 1 ms",
                    marks = "08:30:05 la pompe 7 a ete arretee, 12.5 ms";
  const auto answers = [&](const Folding& folding) {
    Opened opened({}, {.folding = folding});
    opened.add({{"a", first}});
    std::string found;
    for (const std::string& text : {numbers, marks}) {
      const std::vector<std::string_view> asked = {text};
      const Answer answer = value(opened.index.check(asked))[0];
      found +=
          answer.match ? std::string(answer.match->measure) + (answer.match->covered ? "+ " : " ") : "new ";
    }
    return found;
  };
  EXPECT_EQ(answers({.numbers = NumberUnits::masked}), "copy+ copy+ ");
  EXPECT_EQ(answers({Marks::keep, NumberUnits::masked}).substr(0, 6), "copy+ ");
  EXPECT_EQ(answers({.marks = Marks::keep}).find("copy"), std::string::npos);
  EXPECT_EQ(answers({}).substr(answers({}).size() - 6), "copy+ ");

  const fs::path place = folder.path() / "i";
  const Settings masked{.folding = {.numbers = NumberUnits::masked}};
  Opened(place, masked).add({{"a", first}});
  EXPECT_EQ(Opened(place).check({numbers}), "near:a ") << "nobody needs to say it again";
  EXPECT_EQ(Opened(place, masked).check({numbers}), "near:a ");
  const auto refused = Index::open(Context(), place, {.folding = {.marks = Marks::keep}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(refused.error().message.find("parameter numbers=masked: in the first only"), std::string::npos)
      << refused.error().message;
  EXPECT_FALSE(Index::open(Context(), {}, {.scheme = "simhash", .folding = {.marks = Marks::keep}}))
      << "it looks at words";
}

TEST(OnlineIndex, LaterOnesAreComparedWithTheFirstOfAFamily) {
  RandomTexts random(3);
  const std::string a = random.text(400), b = random.edited(a, .04), c = random.edited(b, .04);
  Opened opened;
  EXPECT_EQ(opened.add({{"a", a}}), "new ");
  EXPECT_EQ(opened.add({{"b", b}}), "near:a ");
  EXPECT_EQ(opened.add({{"c", c}}), "near:a ");
  EXPECT_EQ(value(opened.index.get("c"))->family, "a");
  EXPECT_EQ(value(opened.index.get("a"))->family, std::nullopt);
}

TEST(OnlineIndex, AddLooksForCopiesOnly) {
  RandomTexts random(4);
  const std::string a = random.text(300), like_a = random.edited(a, .02);
  Opened opened;
  const std::vector<Text> texts = {{"a", a}, {"b", like_a}, {"c", a}};
  EXPECT_EQ(verdicts(value(opened.index.add(texts))), "new new exact:a ");
  EXPECT_EQ(opened.check({like_a}), "exact:b ");
}

// Texts that are empty after folding, or too short for a key.
TEST(OnlineIndex, TinyTextsAreSeenIfTheyAreEqual) {
  Opened opened;
  EXPECT_EQ(
      opened.add({{"1", ""}, {"2", "?"}, {"3", "!"}, {"4", "?"}, {"5", "好"}, {"6", "好。"}, {"7", "好的"}}),
      "new new new exact:2 new near:5 new ");
  EXPECT_EQ(opened.check({"", "!", "，好"}), "exact:1 exact:3 near:5 ");
}

// They have few keys, which are common to all texts of their kind.
TEST(OnlineIndex, TextsThatRepeatOneSentenceAreSeen) {
  RandomTexts random(16);
  const std::string sentence = random.text(7), other = random.text(9);
  const auto repeated = [](const std::string& what, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += what;
    return text;
  };
  Opened opened;
  EXPECT_EQ(opened.add({{"a", repeated(sentence, 10)}, {"b", repeated(other, 10)}}), "new new ");
  EXPECT_EQ(opened.check({repeated(sentence, 300), repeated(other, 40), repeated(sentence, 10)}),
            "near:a near:b exact:a ");
}

TEST(OnlineIndex, AnIdBelongsToOneText) {
  RandomTexts random(5);
  const std::string a = random.text(300), b = random.text(300), like_a = random.edited(a, .05);
  Opened opened;
  EXPECT_EQ(opened.add({{"雷同", a}, {"x", like_a}, {"雷同", a}, {"x", b}}), "new near:雷同 new refused ");
  // A retry gets the answer of the first call.
  EXPECT_EQ(opened.add({{"雷同", a}, {"x", like_a}, {"雷同", b}}), "new near:雷同 refused ");
  EXPECT_EQ(value(opened.index.figures()).texts, 2u);
  EXPECT_EQ(value(opened.index.get("雷同"))->text, a);
  EXPECT_EQ(value(opened.index.get("y")), std::nullopt);
}

TEST(OnlineIndex, RefusesWhatItCannotKeepAndTakesTheRest) {
  Opened opened;
  const std::string huge_id(1 << 20, 'x');
  EXPECT_EQ(opened.add({{"", "text"}, {huge_id, "text"}, {"a", "\xff\xfe"}, {"b", "text"}}),
            "refused refused refused new ");
  EXPECT_EQ(opened.check({"\xff"}), "refused ");
  const std::vector<Text> one = {{huge_id, "text"}};
  EXPECT_NE(value(opened.index.check_and_add(one))[0].reason.find("1048576"), std::string::npos);
  using namespace std::string_view_literals;
  EXPECT_EQ(opened.check({"a\0b"sv}), "refused ");
  EXPECT_EQ(opened.add({{"c\0"sv, "text"},
                        {"c", "a\0b"sv},
                        {"c", "text", "s\0"sv},
                        {"c", "text", "\xff"},
                        {"\xff", "text"}}),
            "refused refused refused refused refused ");
}

TEST(OnlineIndex, RefusesInvalidMoments) {
  Opened opened;
  const auto verdict_of = [&](std::optional<Seconds> time, std::optional<Seconds> expires) {
    const std::string id = "t" + std::to_string(value(opened.index.figures()).texts);
    return opened.add({{.id = id, .text = "text of " + id, .time = time, .expires = expires}});
  };
  for (const Seconds good : {Seconds{0}, Seconds{-1}, kMostSeconds, -kMostSeconds, Seconds{20'269'922}})
    EXPECT_EQ(verdict_of(good, good), "new ") << good;
  for (const Seconds bad : {kMostSeconds + 1, -kMostSeconds - 1, INT64_MAX, INT64_MIN, Seconds{20'261'122}}) {
    EXPECT_EQ(verdict_of(bad, {}), "refused ") << bad;
    EXPECT_EQ(verdict_of({}, bad), "refused ") << bad;
  }
}

TEST(OnlineIndex, AnswersDependOnNeitherBatchesNorThreadsNorSegmentsNorReopening) {
  const TempFolder folder("same");
  const Arrivals arrivals(6, 900);
  // The secret chooses keys, so all of them have to have the same one.
  const auto place = [&](const char* name) {
    const fs::path path = folder.path() / name;
    fs::create_directories(path);
    std::ofstream(path / "secret", std::ios::binary) << "0123456789abcdef";
    return path;
  };
  std::string expected;
  {
    Opened one(place("one"), {.durability = Durability::none}, 1);
    expected = add_in_batches(one.index, arrivals, 1);
  }
  EXPECT_GT(std::ranges::count(expected, ':'), 400);
  {
    Opened all(place("all"), {.durability = Durability::none}, 4);
    EXPECT_EQ(add_in_batches(all.index, arrivals, 900), expected);
    EXPECT_GT(value(all.index.figures()).checked_twice, 300u);
  }
  {
    Opened segments(place("segments"), {.durability = Durability::none, .postings_in_memory = 300});
    EXPECT_EQ(add_in_batches(segments.index, arrivals, 20), expected);
    EXPECT_GE(value(segments.index.figures()).segments.value(), 2u);
    EXPECT_TRUE(segments.index.verify());
  }
  const fs::path reopened = place("reopened");
  std::string answers;
  for (std::size_t i = 0; i < 900; i += 180) {
    Opened opened(reopened, {.durability = Durability::none, .postings_in_memory = 1500});
    answers += opened.add(arrivals.between(i, i + 180));
  }
  EXPECT_EQ(answers, expected);
}

TEST(OnlineIndex, OneOfManyThatOfferATextIsNew) {
  constexpr int kThreads = 32, kTexts = 10;
  RandomTexts random(7);
  Opened opened;
  for (int t = 0; t < kTexts; ++t) {
    const std::string text = random.text(200);
    std::vector<std::string> offered;
    for (int i = 0; i < kThreads; ++i) offered.push_back(t % 2 == 0 ? text : random.edited(text, .01));
    std::vector<std::string> answers(kThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        const std::string id = std::to_string(t) + "-" + std::to_string(i);
        answers[i] = opened.add({{id, offered[i]}});
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::ranges::count(answers, "new "), 1) << "text " << t;
  }
}

TEST(OnlineIndex, ChecksRunDuringAdditions) {
  const TempFolder folder("beside");
  const Arrivals arrivals(8, 1200);
  Opened opened(folder.path() / "i", {.durability = Durability::none, .postings_in_memory = 500});
  opened.add(arrivals.between(0, 200));
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r)
    readers.emplace_back([&] {
      while (!done) {
        std::vector<std::string_view> texts(arrivals.texts.begin(), arrivals.texts.begin() + 200);
        for (const Answer& answer : value(opened.index.check(texts)))
          ASSERT_TRUE(answer.verdict == Verdict::exact) << verdict_name(answer.verdict);
      }
    });
  for (std::size_t i = 200; i < 1200; i += 25) opened.add(arrivals.between(i, i + 25));
  done = true;
  for (std::thread& reader : readers) reader.join();
}

// The copy of a text that leaves is added under another number: at every moment a check finds at least one of
// the two.
TEST(OnlineIndex, ChecksSeeAllOfARemovalOrNothing) {
  for (const bool in_memory : {true, false}) {
    const TempFolder folder("half");
    Opened opened(in_memory ? fs::path() : folder.path() / "i", {.durability = Durability::none});
    const std::string text = RandomTexts(9).text(300);
    opened.add({{"0", text}, {"1", text}});
    std::atomic<bool> done{false};
    std::vector<std::thread> readers;
    std::atomic<unsigned> lost = 0;
    for (int r = 0; r < 3; ++r)
      readers.emplace_back([&] {
        while (!done) lost += opened.check({text, text, text}).find("new") != std::string::npos;
      });
    for (std::size_t i = 0; i < 400; ++i) {
      const std::string id = std::to_string(i + 2);
      EXPECT_TRUE(value(opened.index.remove(std::to_string(i))));
      opened.add({{id, text}});
      EXPECT_TRUE(value(opened.index.get(id)));
    }
    done = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(lost, 0u);
  }
}

TEST(OnlineIndex, AfterARemovalAnotherTextRepresentsTheFamily) {
  const TempFolder folder("remove");
  RandomTexts random(9);
  const std::string a = random.text(400), b = random.edited(a, .02), c = random.edited(a, .02);
  for (const bool reopen : {false, true}) {
    const fs::path place = folder.path() / (reopen ? "r" : "s");
    std::optional<Opened> opened(std::in_place, place);
    const auto again = [&] {
      if (!reopen) return;
      opened.reset();
      opened.emplace(place);
    };
    EXPECT_EQ(opened->add({{"a", a}, {"b", b}, {"c", c}, {"a2", a}, {"b2", b}}),
              "new near:a near:a exact:a exact:b ");
    EXPECT_FALSE(value(opened->index.remove("nobody")));
    EXPECT_TRUE(value(opened->index.remove("a")));
    again();
    // A copy of it replaces it, with all that was posted.
    EXPECT_EQ(opened->check({a, b, c, random.edited(a, .01)}), "exact:a2 exact:b exact:c near:a2 ");
    EXPECT_EQ(value(opened->index.get("c"))->family, "a2");
    EXPECT_EQ(value(opened->index.get("a2"))->family, std::nullopt);
    EXPECT_EQ(value(opened->index.get("a")), std::nullopt);
    EXPECT_TRUE(value(opened->index.remove("a2")));
    again();
    // Then the earliest member replaces it.
    EXPECT_EQ(opened->check({a, b, c}), "near:b exact:b exact:c ");
    EXPECT_EQ(value(opened->index.get("c"))->family, "b");
    EXPECT_TRUE(value(opened->index.remove("b")));
    again();
    EXPECT_EQ(opened->check({b, c}), "exact:b2 exact:c ");
    EXPECT_TRUE(value(opened->index.remove("c")));
    EXPECT_TRUE(value(opened->index.remove("b2")));
    again();
    EXPECT_EQ(opened->check({a, b, c}), "new new new ");
    EXPECT_EQ(value(opened->index.figures()).texts, 0u);
    EXPECT_EQ(opened->add({{"a", a}}), "new ");
    EXPECT_TRUE(opened->index.verify());
  }
}

// Compared with a simple list: which texts are in the index, and which text represents which.
TEST(OnlineIndex, RandomAdditionsAndRemovalsLoseNoText) {
  const TempFolder folder("random");
  Arrivals arrivals(10, 800);
  RandomTexts random(11);
  std::optional<Opened> opened(std::in_place, folder.path() / "i",
                               Settings{.durability = Durability::none, .postings_in_memory = 400});
  std::map<std::string, std::string> model;
  std::size_t next = 0;
  for (int step = 0; step < 400; ++step) {
    if (step % 90 == 89) {
      opened.reset();
      opened.emplace(folder.path() / "i",
                     Settings{.durability = Durability::none, .postings_in_memory = 400});
    }
    if (random.below(2) == 0 && next + 2 <= arrivals.ids.size()) {
      opened->add(arrivals.between(next, next + 2));
      for (std::size_t i = next; i < next + 2; ++i) model[arrivals.ids[i]] = arrivals.texts[i];
      next += 2;
    } else if (!model.empty()) {
      const auto victim = std::next(model.begin(), random.below(static_cast<std::uint32_t>(model.size())));
      EXPECT_TRUE(value(opened->index.remove(victim->first)));
      model.erase(victim);
    }
  }
  EXPECT_EQ(value(opened->index.figures()).texts, model.size());
  std::set<std::string> texts_there;
  for (const auto& [id, text] : model) {
    texts_there.insert(text);
    const auto stored = value(opened->index.get(id));
    ASSERT_TRUE(stored) << id;
    EXPECT_EQ(stored->text, text);
    if (stored->family) {
      const auto family = value(opened->index.get(*stored->family));
      ASSERT_TRUE(family) << *stored->family;
      EXPECT_FALSE(family->family) << "who stands for others stands for itself";
    }
    const std::vector<std::string_view> query = {text};
    EXPECT_EQ(value(opened->index.check(query))[0].verdict, Verdict::exact) << id;
  }
  for (std::size_t i = 0; i < next; ++i) {
    if (texts_there.contains(arrivals.texts[i])) continue;
    const std::vector<std::string_view> query = {arrivals.texts[i]};
    const Answer answer = value(opened->index.check(query))[0];
    EXPECT_NE(answer.verdict, Verdict::exact) << arrivals.ids[i];
    if (answer.match) {
      EXPECT_TRUE(model.contains(answer.match->id));
    }
  }
  const auto whole = opened->index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST(OnlineIndex, AKeyOfManyTextsIsFullAndTheBoundIsReported) {
  RandomTexts random(12);
  // So many texts and phrases that for every secret many keys become full: 16 to 30 in a dozen runs.
  constexpr int kTexts = 6000;
  const std::vector<std::string> texts = random.with_stock_phrases(kTexts, 60);
  std::vector<std::string> ids;
  for (int i = 0; i < kTexts; ++i) ids.push_back(std::to_string(i));
  Opened opened;
  std::vector<Text> batch;
  for (int i = 0; i < kTexts; ++i) batch.push_back({ids[i], texts[i]});
  const std::vector<Answer> answers = value(opened.index.check_and_add(batch));
  const Figures figures = value(opened.index.figures());
  EXPECT_GT(figures.full_keys, 5u);
  EXPECT_LT(figures.full_keys, 200u);
  EXPECT_EQ(figures.bounded_candidates,
            std::ranges::count_if(answers, [](const Answer& a) { return a.bounds.candidates > 0; }));
  EXPECT_GT(figures.bounded_candidates, 0u);
  // Text of their own is found in spite of the phrases.
  int found = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string like = random.edited(texts[i * 7], .02);
    const std::vector<std::string_view> query = {like};
    const Answer answer = value(opened.index.check(query))[0];
    found += answer.match && answer.match->id == ids[i * 7];
  }
  EXPECT_GE(found, 97);
}

TEST(OnlineIndex, SaysHowItCameToAnAnswer) {
  RandomTexts random(13);
  const std::string a = random.text(500), b = random.edited(a, .05);
  Opened opened;
  opened.add({{"a", a}, {"b", a.substr(0, 600) + random.text(300)}});
  const Explanation explanation = value(opened.index.explain(b));
  EXPECT_EQ(explanation.answer.verdict, Verdict::near);
  EXPECT_NEAR(explanation.units, 500, 20);
  ASSERT_FALSE(explanation.keys.empty());
  EXPECT_EQ(explanation.keys[0].tier, 1u);
  const auto of_a = std::ranges::find(explanation.candidates, "a", &Explanation::Candidate::id);
  ASSERT_NE(of_a, explanation.candidates.end());
  EXPECT_EQ(of_a->fate, "accepted");
  EXPECT_GT(of_a->jaccard, .4);
}

TEST(OnlineIndex, NamesPassagesAndOtherMatchesIfTheyAreWanted) {
  RandomTexts random(17);
  const std::string first = random.text(200), second = random.text(300), own = random.text(60);
  Opened opened;
  opened.add({{"first", first, {}, 7}, {"second", second}});
  const std::string both = own + second + own + first;
  const std::vector<std::string_view> query = {both};
  EXPECT_TRUE(value(opened.index.check(query))[0].match->passages.empty());
  EXPECT_TRUE(value(opened.index.check(query))[0].others.empty());
  const Answer answer = value(opened.index.check(query, {.passages = true, .matches = 4}))[0];
  ASSERT_TRUE(answer.match);
  EXPECT_EQ(answer.match->id, "first");
  EXPECT_EQ(answer.match->time, 7);
  ASSERT_EQ(answer.match->passages.size(), 1u);
  const Passage& passage = answer.match->passages[0];
  EXPECT_EQ(both.substr(passage.a.begin, passage.a.size()), first);
  EXPECT_EQ(first.substr(passage.b.begin, passage.b.size()), first);
  ASSERT_EQ(answer.others.size(), 1u);
  EXPECT_EQ(answer.others[0].id, "second");
  EXPECT_EQ(answer.others[0].measure, "jaccard");
  EXPECT_EQ(answer.others[0].passages.at(0).a.begin, own.size());
  // For an exact copy, other matches are reported, too, and an addition gets the same answer.
  opened.add({{"both", both}});
  const std::vector<Text> again = {{"again", both}};
  const Answer exact = value(opened.index.check_and_add(again, {.passages = true, .matches = 2}))[0];
  EXPECT_EQ(exact.verdict, Verdict::exact);
  EXPECT_EQ(exact.match->id, "both");
  EXPECT_EQ(exact.match->passages.at(0).a.size(), both.size());
  EXPECT_EQ(exact.others.size(), 1u);
}

TEST(OnlineIndex, OpensOnlyWhatItMayOpen) {
  const TempFolder folder("open");
  const Context context;
  const auto missing = Index::open(context, folder.path() / "none", {.create = false});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(folder.path() / "none"));

  std::ofstream(folder.path() / "letter.txt") << "dear";
  const auto foreign = Index::open(context, folder.path());
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, ErrorCode::invalid_argument);

  const fs::path place = folder.path() / "i";
  {
    const auto first = Index::open(context, place);
    ASSERT_TRUE(first);
    const auto second = Index::open(context, place);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("open elsewhere"), std::string::npos) << second.error().message;
  }
  EXPECT_EQ(fs::status(place / "secret").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(Index::open(context, place, {.create = false}));
}

TEST(OnlineIndex, WhatIsClosedWithMuchInMemoryIsOpenedWithoutMakingItAgain) {
  const TempFolder folder("closed");
  const fs::path segment = folder.path() / "segment-000001.online";
  const Arrivals arrivals(17, 32000);
  const std::vector<std::string_view> probes(arrivals.texts.end() - 200, arrivals.texts.end());
  std::string before;
  {
    Opened opened(folder.path(), {.durability = Durability::none});
    opened.add(arrivals.between(0, arrivals.texts.size()));
    before = opened.check(probes);
    EXPECT_FALSE(fs::exists(segment));  // all postings are in memory
  }
  // Neither the postings nor RocksDB's log become long.
  EXPECT_TRUE(fs::exists(segment));
  std::uintmax_t log = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path() / "texts"))
    if (entry.path().extension() == ".log") log += entry.file_size();
  EXPECT_LT(log, std::uintmax_t{1} << 20);
  EXPECT_EQ(Opened(folder.path()).check(probes), before);
}

TEST(OnlineIndex, DamageIsNamedAndRepaired) {
  const TempFolder folder("damage");
  const fs::path place = folder.path() / "i";
  const Arrivals arrivals(14, 600);
  std::string expected;
  {
    Opened opened(place, {.durability = Durability::none, .postings_in_memory = 1000});
    opened.add(arrivals.between(0, 600));
    std::vector<std::string_view> all(arrivals.texts.begin(), arrivals.texts.end());
    expected = opened.check(all);
  }
  fs::path segment;
  for (const auto& entry : fs::directory_iterator(place))
    if (entry.path().filename().string().starts_with("segment-")) segment = entry.path();
  ASSERT_FALSE(segment.empty());
  fs::resize_file(segment, fs::file_size(segment) / 2);
  const Context context;
  const auto damaged = Index::open(context, place);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::corrupt);
  EXPECT_NE(damaged.error().message.find(segment.filename()), std::string::npos);
  const auto repaired = rebuild(context, place);
  ASSERT_TRUE(repaired) << repaired.error().message;
  Opened opened(place);
  std::vector<std::string_view> all(arrivals.texts.begin(), arrivals.texts.end());
  EXPECT_EQ(opened.check(all), expected);
  EXPECT_TRUE(opened.index.verify());
}

// The files that were made before the stop are not the complete index.
TEST(OnlineIndex, ARepairThatIsStoppedIsToBeDoneAgain) {
  const TempFolder folder("stopped");
  const fs::path place = folder.path() / "i";
  const Arrivals arrivals(19, 32000);
  const std::vector<std::string_view> probes(arrivals.texts.begin(), arrivals.texts.begin() + 500);
  std::string expected;
  {
    Opened opened(place, {.durability = Durability::none});
    opened.add(arrivals.between(0, arrivals.texts.size()));
    expected = opened.check(probes);
  }
  // During the texts, on most machines; and before the first of them.
  for (const int delay : {150, 0}) {
    Context context;
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(delay));
      context.request_stop();
    });
    if (delay == 0) stopper.join();
    const auto stopped = rebuild(context, place);
    if (stopper.joinable()) stopper.join();
    if (stopped && delay > 0) continue;
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::cancelled) << stopped.error().message;
    const auto refused = Index::open(Context(), place);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
    EXPECT_NE(refused.error().message.find("run `leitong index repair` again"), std::string::npos)
        << refused.error().message;
  }
  const auto repaired = rebuild(Context(), place);
  ASSERT_TRUE(repaired) << repaired.error().message;
  Opened opened(place);
  EXPECT_EQ(opened.check(probes), expected);
  EXPECT_EQ(value(opened.index.figures()).texts, arrivals.texts.size());
  EXPECT_TRUE(opened.index.verify());
}

TEST(OnlineIndex, AnOpenIndexIsNotRepairedAndStaysAsItIs) {
  const TempFolder folder("held");
  const fs::path place = folder.path() / "i";
  {
    Opened opened(place);
    opened.add({{"a", "渡船清晨六点开第一班"}});
    EXPECT_FALSE(rebuild(opened.context, place));
  }
  EXPECT_EQ(Opened(place).check({"渡船清晨六点开第一班"}), "exact:a ");
}

TEST(OnlineIndex, OneProcessAtATimeRepairsIt) {
  const TempFolder folder("repaired");
  const fs::path place = folder.path() / "i";
  { Opened(place).add({{"a", "渡船清晨六点开第一班"}}); }
  const Context context;
  {
    RepairMark other(place);
    ASSERT_TRUE(other.set());
    const auto refused = rebuild(context, place);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::io);
    EXPECT_NE(refused.error().message.find("another process"), std::string::npos) << refused.error().message;
  }
  // After a process that was killed: another one continues.
  EXPECT_TRUE(rebuild(context, place));
  EXPECT_EQ(Opened(place).check({"渡船清晨六点开第一班"}), "exact:a ");
}

// What is lost permanently need not be repaired again.
TEST(OnlineIndex, ARepairWithoutEffectLeavesNoMark) {
  const TempFolder folder("vain");
  const fs::path place = folder.path() / "i";
  { Opened(place).add({{"a", "渡船清晨六点开第一班"}}); }
  for (const char* lost : {"texts/CURRENT", "files", "secret", "durable"}) fs::remove(place / lost);
  for (const auto& entry : fs::directory_iterator(place / "texts"))
    if (entry.path().filename().string().starts_with("MANIFEST")) fs::remove(entry.path());
  for (int tries = 0; tries < 2; ++tries) EXPECT_FALSE(rebuild(Context(), place));
  EXPECT_FALSE(RepairMark(place).is_set());
  EXPECT_FALSE(fs::exists(place / "secret"));
}

TEST(OnlineIndex, TakesLittleOfTheDiskWhileItIsEmptyAndSaysHowMuch) {
  const TempFolder folder("small");
  for (const Durability durability : {Durability::sync, Durability::everysec, Durability::none}) {
    const fs::path place = folder.path() / std::to_string(static_cast<int>(durability));
    Opened opened(place, {.durability = durability});
    opened.add({{"a", "渡船清晨六点开第一班"}});
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      struct stat status {};
      if (::stat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
        bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
    }
    EXPECT_LT(bytes, 4u << 20);
    EXPECT_LE(value(opened.index.figures()).store_bytes.value(), bytes);
    EXPECT_GT(value(opened.index.figures()).store_bytes.value(), 0u);
  }
}

TEST(OnlineIndex, AFolderMayBeNamedWithATrailingSlash) {
  const TempFolder folder("slash");
  Opened opened(folder.path() / "i");
  opened.add({{"a", "渡船清晨六点开第一班"}});
  const fs::path copy = folder.path() / "copy" / "";
  ASSERT_TRUE(opened.index.snapshot(copy));
  EXPECT_EQ(Opened(copy).check({"渡船清晨六点开第一班"}), "exact:a ");
  EXPECT_FALSE(opened.index.snapshot(copy));
}

TEST(OnlineIndex, AStopEndsABatchAndAddsNothing) {
  const Arrivals arrivals(15, 100);
  Opened opened;
  opened.context.request_stop();
  const auto stopped = opened.index.check_and_add(arrivals.between(0, 100));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_EQ(value(opened.index.figures()).texts, 0u);
}

TEST(OnlineIndexStore, AProcessKilledWhileItMadeTheIndexLeavesNothingThatBars) {
  const TempFolder folder("half-made");
  const fs::path place = folder.path() / "index";
  fs::create_directories(place);
  std::ofstream(place / "secret", std::ios::binary) << "0123456789abcdef";
  {
    // The state between RocksDB's first file and the first commit.
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* store = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(options, (place / "texts").string(), &store).ok());
    delete store;
  }
  const Context context({.threads = 1});
  const auto only_read = Index::open(context, place, {.create = false});
  ASSERT_FALSE(only_read);
  EXPECT_EQ(only_read.error().code, ErrorCode::not_found);
  EXPECT_EQ(Opened(place).add({{"one", "a text that is stored"}}), "new ");
}

}  // namespace
}  // namespace leitong::online
