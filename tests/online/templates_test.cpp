// Text that many works share does not make two of them similar, and the verdicts are those of the batch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "developers_texts.hpp"
#include "leitong/dedup.hpp"
#include "leitong/online.hpp"
#include "online/decide_pair.hpp"
#include "online/state.hpp"
#include "online/template_table.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

/// Pages of one site: a frame of 300 letters around some of their own.
struct Pages {
  Pages(std::uint32_t seed, std::size_t count, std::size_t letters = 60) {
    RandomTexts random(seed);
    frame = random.text(300);
    for (std::size_t i = 0; i < count; ++i) {
      ids.push_back(std::string("p").append(std::to_string(i)));
      own.push_back(random.text(letters));
      texts.push_back(page(own.back()));
    }
  }
  [[nodiscard]] std::string page(const std::string& inside) const {
    return frame.substr(0, 450) + inside + frame.substr(450);
  }
  [[nodiscard]] std::vector<Text> between(std::size_t first, std::size_t last) const {
    std::vector<Text> part;
    for (std::size_t i = first; i < last; ++i) part.push_back({ids[i], texts[i]});
    return part;
  }
  std::string frame;
  std::vector<std::string> ids, own, texts;
};

TEST(Templates, AFrameThatEightWorksShareIsNoReason) {
  const TempFolder folder("frame");
  const Pages pages(1, 40);
  RandomTexts random(2);
  Opened opened(folder.path() / "i");
  const std::vector<Answer> answers = value(opened.index.check_and_add(pages.between(0, 40)));
  // The first pages are similar, since it is not known yet that they share a frame.
  EXPECT_EQ(answers[1].verdict, Verdict::near);
  for (std::size_t i = 9; i < 40; ++i) EXPECT_EQ(answers[i].verdict, Verdict::fresh) << "page " << i;
  const Answer& last = answers.back();
  EXPECT_GT(last.refused_as_template, 0u);
  ASSERT_TRUE(last.refused);
  EXPECT_EQ(last.refused->id[0], 'p');
  EXPECT_GT(last.refused->template_share, .9);
  EXPECT_LT(last.refused->own_jaccard, .1);
  // A copy of the content is found, in the frame and with edits.
  const std::string copy =
      pages.page(pages.own[20].substr(0, 90) + random.text(2) + pages.own[20].substr(90));
  EXPECT_EQ(opened.check({copy}), "near:p20 ");
}

// Two pages with little of their own look like one work with an edited passage, until others have shown what
// their frame is.
TEST(Templates, PagesWithLittleOfTheirOwnAreDifferentWorks) {
  RandomTexts random(7);
  const std::string head = random.text(100), foot = random.text(100);
  Opened opened;
  std::size_t fresh = 0;
  for (int i = 0; i < 80; ++i) {
    const std::string id = std::to_string(i), text = head + random.text(i % 2 == 0 ? 60 : 24) + foot;
    const bool is_new = opened.add({{id, text}}) == "new ";
    fresh += i >= 40 && is_new;
  }
  EXPECT_GE(fresh, 39u) << "of the last 40";
}

TEST(Templates, ACopyInAnotherFrameIsFound) {
  const Pages here(8, 30), there(9, 30);
  Opened opened;
  opened.add(here.between(0, 30));
  for (std::size_t i = 0; i < 30; ++i) {
    const std::string id = std::string("q").append(std::to_string(i));
    opened.add({{id, there.texts[i]}});
  }
  std::size_t found = 0;
  for (std::size_t i = 10; i < 30; ++i)
    found += opened.check({there.page(here.own[i])}) == "near:" + here.ids[i] + " ";
  EXPECT_GE(found, 19u) << "of 20";
}

TEST(Templates, WhatWasLearnedDependsOnNeitherBatchesNorReopening) {
  const TempFolder folder("learned");
  Pages pages(3, 120);
  RandomTexts random(4);
  for (std::size_t i = 0; i < 120; i += 5) pages.texts[i] = pages.page(random.edited(pages.own[i / 2], .03));
  const auto place = [&](const char* name) {
    const fs::path path = folder.path() / name;
    fs::create_directories(path);
    std::ofstream(path / "secret", std::ios::binary) << "0123456789abcdef";
    return path;
  };
  const Settings settings{.durability = Durability::none, .postings_in_memory = 300};
  std::string one_by_one, reopened, aside;
  {
    Opened opened(place("one"), settings, 1);
    for (std::size_t i = 0; i < 120; ++i) one_by_one += opened.add(pages.between(i, i + 1));
  }
  {
    Opened opened(place("all"), settings, 4);
    EXPECT_EQ(opened.add(pages.between(0, 120)), one_by_one);
  }
  for (std::size_t i = 0; i < 120; i += 6) {
    Opened opened(place("reopened"), settings);
    reopened += opened.add(pages.between(i, i + 6));
    const auto whole = i == 60 ? opened.index.verify() : Result<void>{};
    EXPECT_TRUE(whole) << whole.error().message;
    const auto compacted = i % 24 == 0 ? opened.index.compact() : Result<void>{};
    EXPECT_TRUE(compacted) << compacted.error().message;
  }
  EXPECT_EQ(reopened, one_by_one);
  // Also after a repair: what was learned cannot be derived from the texts again, so it is kept.
  const Context context;
  ASSERT_TRUE(rebuild(context, folder.path() / "one"));
  Opened repaired(folder.path() / "one", settings), whole(folder.path() / "all", settings);
  std::vector<std::string_view> all(pages.texts.begin(), pages.texts.end());
  EXPECT_EQ(repaired.check(all), whole.check(all));
}

// A text is compared with one with which it shares too little, and refused. Then others of the batch show
// that most of it is the frame of a site.
TEST(Templates, WhatABatchLearnsChangesWhatWasRefusedBefore) {
  const TempFolder folder("changes");
  const auto place = [&](const char* name) {
    const fs::path path = folder.path() / name;
    fs::create_directories(path);
    std::ofstream(path / "secret", std::ios::binary) << "0123456789abcdef";
    return path;
  };
  const Pages known(21, 10, 100), news(22, 9, 100);
  std::vector<std::string> ids, texts;
  for (std::size_t i = 0; i < 9; ++i) {
    ids.push_back("n" + std::to_string(i));
    texts.push_back(news.texts[i]);
  }
  for (std::size_t i = 5; i < 10; ++i) {
    ids.push_back("c" + std::to_string(i));
    texts.push_back(news.page(known.own[i]));
  }
  std::vector<Text> batch;
  for (std::size_t i = 0; i < ids.size(); ++i) batch.push_back({ids[i], texts[i]});
  const Settings settings{.durability = Durability::none};
  Opened together(place("together"), settings, 2), one_by_one(place("one"), settings, 1);
  for (Opened* opened : {&together, &one_by_one})
    for (std::size_t i = 0; i < 10; ++i) opened->add(known.between(i, i + 1));
  std::string expected;
  for (const Text& text : batch) expected += one_by_one.add({text});
  EXPECT_EQ(together.add(batch), expected);
  EXPECT_NE(expected.find("near:p5"), std::string::npos) << expected;
  EXPECT_NE(expected.find("near:p9"), std::string::npos) << expected;
  EXPECT_GE(value(together.index.figures()).checked_twice, 5u);
}

// What many batches learned is written again as one row, and nothing of it is lost.
TEST(Templates, WhatWasLearnedOfManyFramesIsThereWhenTheIndexIsOpenedAgain) {
  constexpr int kFrames = 20;
  const TempFolder folder("frames");
  RandomTexts random(5);
  std::vector<std::string> frames;
  for (int i = 0; i < kFrames; ++i) frames.push_back(random.text(1000));
  const auto page = [&](const std::string& frame) { return frame + random.text(1000); };
  const Settings settings{.durability = Durability::none, .postings_in_memory = 50};
  std::uint64_t learned = 0;
  {
    Opened opened(folder.path() / "i", settings);
    for (int i = 0; i < 12 * kFrames; ++i) {
      const std::string id = std::to_string(i), text = page(frames[static_cast<std::size_t>(i % kFrames)]);
      opened.add({{id, text}});
    }
    learned = value(opened.index.figures()).shared_shingles;
    EXPECT_GT(learned, kFrames * 950u);
  }
  Opened opened(folder.path() / "i", settings);
  EXPECT_EQ(value(opened.index.figures()).shared_shingles, learned);
  for (const std::string& frame : frames) EXPECT_EQ(opened.check({page(frame)}), "new ");
  const auto whole = opened.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

// A work of which there are many copies is no template, though many texts share it.
TEST(Templates, CopiesOfOneWorkAreNoTemplate) {
  RandomTexts random(5);
  for (const std::size_t units : {120u, 600u, 2000u}) {
    const std::string work = random.text(units);
    Opened opened;
    std::size_t near = 0;
    for (int i = 0; i < 200; ++i) {
      const std::string id = std::to_string(i), copy = random.edited(work, .02);
      near += opened.add({{id, copy}}) != "new ";
    }
    EXPECT_GE(near, 197u) << units << " units";
  }
}

TEST(Templates, ATextThatSharesTooLittleIsRefusedWithAnyTemplates) {
  const Rule rule;
  std::size_t sure = 0;
  for (const std::size_t own_a : {1u, 12u, 40u, 64u, 150u, 900u, 5000u})
    for (const std::size_t own_b : {1u, 12u, 40u, 64u, 150u, 900u, 5000u})
      for (std::size_t shared = 0; shared <= std::min(own_a, own_b); ++shared) {
        if (!share_too_little(rule, shared, own_a, own_b)) continue;
        ++sure;
        // The rest of what they share, and texts with a larger rest.
        for (const std::size_t left : {shared, shared / 2})
          for (const std::size_t more : {0u, 1u, 100u}) {
            EXPECT_FALSE(rule.decide({0, 1}, left, own_a + more, own_b)) << left << " of " << own_a;
            EXPECT_FALSE(rule.decide({0, 1}, left, own_a, own_b + more)) << left << " of " << own_b;
          }
      }
  EXPECT_GT(sure, 3000u);
  EXPECT_FALSE(share_too_little(rule, 10, 20, 20));
}

TEST(TemplateTable, KeepsTheLastNumberOfEachShingle) {
  TemplateTable table;
  EXPECT_EQ(table.works(0), 0);
  for (std::uint32_t i = 0; i < 5000; ++i) table.set(i * 0x9E3779B1u, static_cast<Works>(2 + i % 7));
  for (std::uint32_t i = 0; i < 5000; ++i) ASSERT_EQ(table.works(i * 0x9E3779B1u), 2 + i % 7);
  EXPECT_EQ(table.works(1), 0);
  table.set(0, 8);
  EXPECT_EQ(table.works(0), 8);
  EXPECT_EQ(table.size(), 5000u);
}

TEST(TemplateTable, KnowsTemplatesByTheirWorks) {
  RandomTexts random(81);
  TemplateTable table;
  std::map<std::uint32_t, Works> all;
  for (int i = 0; i < 60'000; ++i) {
    const std::uint32_t shingle = i < 10 ? static_cast<std::uint32_t>(i) : random.below(40'000) * 0x9E3779B1u;
    Works& works = all[shingle];
    works = std::min<Works>(TemplateRule::kFamilies, static_cast<Works>(works + 1 + random.below(4)));
    table.set(shingle, works);
    if (i % 1000 == 0) {
      for (const auto& [each, of] : all)
        ASSERT_EQ(table.is_template(each), of >= TemplateRule::kFamilies) << i;
    }
  }
  for (std::uint32_t shingle = 1; shingle < 100'000; ++shingle)
    ASSERT_EQ(table.is_template(shingle), table.works(shingle) >= TemplateRule::kFamilies);
  EXPECT_EQ(table.any_template(std::vector{all.begin()->first, 123'456'789u}),
            all.begin()->second >= TemplateRule::kFamilies);
  EXPECT_FALSE(TemplateTable().is_template(0));
}

TEST(State, ReportsWhichShinglesBecameTemplatesSinceACheck) {
  State state;
  const auto learn = [&](std::initializer_list<std::uint32_t> shingles) {
    TemplateTable became;
    for (const std::uint32_t shingle : shingles) became.set(shingle, TemplateRule::kFamilies);
    state.templates_version += became.size();
    state.past.push_back({++state.version, {}, false, std::move(became), state.templates_version});
  };
  const auto learned = [&](std::uint32_t shingle, std::uint64_t since) {
    return state.learned_any(std::vector{shingle}, since);
  };
  learn({1, 2, 3});
  learn({});
  learn({4});
  for (const std::uint32_t shingle : {1u, 4u, 5u}) EXPECT_FALSE(learned(shingle, 4));
  EXPECT_TRUE(learned(4, 3));
  EXPECT_FALSE(learned(1, 3));
  EXPECT_TRUE(learned(1, 0));
  EXPECT_FALSE(learned(5, 0));
  // Texts that are not remembered may have become a template.
  state.past.pop_front();
  EXPECT_FALSE(learned(5, 3));
  EXPECT_TRUE(learned(5, 0));
  EXPECT_TRUE(learned(5, UINT64_MAX));
}

TEST(TemplateTable, TakesWhatAnotherOneSaysAndNothingElse) {
  TemplateTable table, other;
  for (std::uint32_t i = 0; i < 3000; ++i) table.set(i * 0x9E3779B1u, static_cast<Works>(2 + i % 7));
  std::uint64_t became = 0;
  other.set(0, 5);
  ASSERT_TRUE(other.take(table.bytes_of_all(), became));
  EXPECT_EQ(other.size(), 3000u);
  EXPECT_EQ(became, 3000u / 7);
  for (std::uint32_t i = 0; i < 3000; ++i) ASSERT_EQ(other.works(i * 0x9E3779B1u), 2 + i % 7);
  const std::string bytes = table.bytes_of_all();
  EXPECT_FALSE(other.take(std::string_view(bytes).substr(1), became));
  EXPECT_FALSE(other.take(std::string("abcd\x09"), became));
  EXPECT_FALSE(other.take(std::string("abcd\0", 5), became));
}

/// The texts that are found, by the index and by the batch.
struct Compared {
  std::size_t differ = 0, missed = 0, seen = 0;
};

Decisions batch_of(const std::vector<std::string>& texts) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const Context context;
  return value(
      deduplicate(context, views,
                  {.keep = Keep::first, .removal = {.remove = Remove::similar}, .measure_recall = false}));
}

/// With a new index each time, and so with another secret.
Compared compared(const std::vector<std::string>& texts, const Decisions& batch) {
  Opened opened;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  Compared result;
  for (std::size_t first = 0; first < texts.size(); first += 200) {
    std::vector<Text> part;
    for (std::size_t i = first; i < std::min(first + 200, texts.size()); ++i)
      part.push_back({ids[i], texts[i]});
    const std::vector<Answer> answers = value(opened.index.check_and_add(part));
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool seen = !batch.stays(static_cast<std::uint32_t>(first + i));
      const bool found = answers[i].verdict != Verdict::fresh;
      result.seen += seen;
      result.differ += seen != found;
      result.missed += seen && !found;
    }
  }
  return result;
}

// Texts of every length, copies, edited copies, excerpts, and compilations of two.
TEST(OnlineBesideBatch, GivesItsVerdictsOnTextsOfOurOwn) {
  RandomTexts random(6);
  std::vector<std::string> texts, works;
  for (int i = 0; i < 3000; ++i) {
    const std::uint32_t kind = random.below(12);
    const auto earlier = [&]() -> const std::string& {
      return works[random.below(static_cast<std::uint32_t>(works.size()))];
    };
    if (works.size() < 50 || kind < 6) {
      works.push_back(random.text(10 + random.below(900)));
      texts.push_back(works.back());
    } else if (kind < 7) {
      texts.push_back(earlier());
    } else if (kind < 10) {
      texts.push_back(random.edited(earlier(), .01 * (1 + random.below(5))));
    } else if (kind < 11) {
      const std::string whole = earlier();
      texts.push_back(whole.substr(0, whole.size() / 6 * 3));
    } else {
      texts.push_back(earlier() + random.text(200));
    }
  }
  const Compared result = compared(texts, batch_of(texts));
  EXPECT_GT(result.seen, 1000u);
  EXPECT_LE(result.differ, 24u) << "of " << texts.size() << "; " << result.missed << " missed";
}

TEST(OnlineBesideBatch, GivesItsVerdictsOnTheDevelopersSets) {
  const std::vector<std::string> texts = developers_texts(7, 6000);
  if (texts.empty()) GTEST_SKIP() << "the developers' sets aren't here";
  const Decisions batch = batch_of(texts);
  // 0.998 of the texts. The last thousandth depends on the random secret, so several are tried.
  constexpr std::size_t kSecrets = 5;
  std::size_t differ = 0, missed = 0;
  for (std::size_t secret = 0; secret < kSecrets; ++secret) {
    const Compared result = compared(texts, batch);
    differ += result.differ;
    missed += result.missed;
  }
  EXPECT_LE(differ, kSecrets * texts.size() * 2 / 1000) << missed << " missed, by all secrets";
}

}  // namespace
}  // namespace leitong::online
