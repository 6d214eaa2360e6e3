// What a run of trimming writes beside the records in one file: folders, the page, and texts that do not
// count.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "corpus/corpus_fixture.hpp"
#include "leitong/restore.hpp"
#include "leitong/trim.hpp"

namespace leitong {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;

std::string record(std::string_view id, std::string_view text) {
  return Json{{"id", id}, {"text", text}}.dump() + "\n";
}

class TrimOutput : public ::testing::Test {
 protected:
  TrimOutput() { job_.outputs.force = true; }
  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }
  void given(std::string_view name, std::string_view bytes) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file(folder_ / name, bytes);
    job_.input.paths.push_back(path(name));
  }
  TrimSummary run(unsigned threads = 2) {
    const auto summary = trim_files(Context({.threads = threads}), job_);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary.value_or(TrimSummary());
  }
  [[nodiscard]] Error failure() const {
    const auto refused = trim_files(Context({.threads = 1}), job_);
    EXPECT_FALSE(refused);
    return refused ? Error() : refused.error();
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& file) const {
    std::vector<std::string> all;
    std::istringstream lines(read_file(file));
    for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line)["text"]);
    return all;
  }
  /// The data of the page.
  [[nodiscard]] Json page() const {
    const std::string html = read_file(job_.outputs.report);
    const std::string_view begin = R"(<script id="data" type="application/json">)";
    const std::size_t at = html.find(begin) + begin.size();
    return Json::parse(html.substr(at, html.find("</script>", at) - at));
  }
  /// Words that stand nowhere else.
  std::string words(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("{:08x} ", random_());
    return text;
  }

  TemporaryFolder folder_;
  TrimJob job_;
  std::mt19937 random_{7};
};

// ---- a folder ----

TEST_F(TrimOutput, AFolderHasAFileForEachFileAndTheInputComesBack) {
  const std::string one = record("a", "menu\nfirst"), two = record("b", "menu\nsecond") + "no record\n",
                    three = "id,text\n7,\"menu\nthird\"\n8,menu\n";
  given("in/one.jsonl", one);
  given("in/deep/two.jsonl", two);
  given("in/three.csv", three);
  job_.outputs.trimmed = path("out/");
  job_.outputs.restorable = path("restorable");
  const TrimSummary summary = run();
  EXPECT_EQ(summary.changed, 2u);
  EXPECT_EQ(summary.removed, 1u);
  const std::filesystem::path below = folder_ / "out" / (folder_ / "in").relative_path();
  EXPECT_EQ(read_file(below / "one.jsonl"), one);
  EXPECT_EQ(read_file(below / "deep/two.jsonl"), record("b", "second"));
  EXPECT_EQ(read_file(below / "three.csv"), "id,text\n7,\"third\"\n");
  const auto restored =
      restore_files(Context({.threads = 2}),
                    {.kept = path("out"), .restorable = path("restorable"), .output = path("again/")});
  ASSERT_TRUE(restored) << restored.error().message;
  const std::filesystem::path again = folder_ / "again" / (folder_ / "in").relative_path();
  EXPECT_EQ(read_file(again / "one.jsonl"), one);
  EXPECT_EQ(read_file(again / "deep/two.jsonl"), two);
  EXPECT_EQ(read_file(again / "three.csv"), three);
  EXPECT_EQ(restored->records, 1u);
}

TEST_F(TrimOutput, AFileOfRecordsHasTheNameOfItsFormat) {
  given("in.jsonl", record("a", "menu\nfirst"));
  job_.outputs.trimmed = path("out.csv");
  EXPECT_THAT(failure().message, HasSubstr("as jsonl"));
}

// ---- the page ----

TEST_F(TrimOutput, ThePageSaysWhatWasCutMostOften) {
  std::string bytes;
  for (int i = 0; i < 5; ++i)
    bytes += record(fmt::format("d{}", i), fmt::format("Home | <News>\npage {}\n{}", i, i < 3 ? "foot" : ""));
  given("in.jsonl", bytes + "no record\n");
  job_.outputs.report = path("report.html");
  job_.command = "leitong trim in.jsonl";
  run();
  const Json data = page();
  EXPECT_EQ(data["kind"], 4);
  EXPECT_EQ(data["documents"], 5);
  EXPECT_EQ(data["quarantined"], 1);
  EXPECT_EQ(data["command"], "leitong trim in.jsonl");
  EXPECT_EQ(data["changed"], 4);
  EXPECT_EQ(data["cuts"], 6);
  ASSERT_EQ(data["repeated"].size(), 2u);
  EXPECT_EQ(data["repeated"][0]["text"], "Home | <News>\n");
  EXPECT_EQ(data["repeated"][0]["times"], 4);
  EXPECT_EQ(data["repeated"][0]["documents"], 5);
  EXPECT_THAT(std::string(data["repeated"][0]["stays"]), HasSubstr("in.jsonl:1"));
  EXPECT_THAT(data["repeated"][0]["examples"], ElementsAre("d1", "d2", "d3"));
  EXPECT_EQ(data["repeated"][1]["times"], 2);
  ASSERT_EQ(data["shown"].size(), 4u);
  const Json& document = data["shown"][1];
  EXPECT_EQ(document["id"], "d2");
  EXPECT_EQ(document["cut_bytes"], 18);
  EXPECT_EQ(document["cuts"], 2);
  EXPECT_EQ(document["parts"], Json::parse(R"([[1,"Home | <News>\n"],[0,"page 2\n"],[2,"foot"]])"));
  // No text of a document is markup.
  EXPECT_THAT(read_file(job_.outputs.report), Not(HasSubstr("<News>")));
}

TEST_F(TrimOutput, ThePageShowsOnlySomeOfManyAndIsTheSameForAnyNumberOfThreads) {
  std::string bytes;
  for (int i = 0; i < 3000; ++i) {
    std::string text = fmt::format("own {}\n", i);
    for (int k = 1; k <= 400; k *= 3)
      if (i % k == 0) text += fmt::format("every {} pages\n", k);
    text += fmt::format("one of {}\n", i % 900);
    bytes += record(std::to_string(i), text);
  }
  given("in.jsonl", bytes);
  job_.outputs.report = path("report.html");
  job_.settings.least_units = 2;
  run(1);
  Json one = page();
  EXPECT_EQ(one["repeated"].size(), 100u);
  EXPECT_EQ(one["repeated"][0]["text"], "every 1 pages\n");
  EXPECT_EQ(one["repeated"][0]["times"], 2999);
  EXPECT_EQ(one["repeated"][1]["times"], 999);
  EXPECT_EQ(one["repeated"][6]["text"], "one of 0\n");
  EXPECT_EQ(one["repeated"][6]["times"], 3);
  EXPECT_EQ(one["shown"].size(), 600u);
  run(4);
  Json four = page();
  one.erase("seconds");
  four.erase("seconds");
  EXPECT_EQ(one, four);
}

TEST_F(TrimOutput, ThePageLeavesOutTheMiddleOfLongTexts) {
  const std::string frame = words(400) + "\n", own = words(3000) + "\n";
  given("in.jsonl", record("a", frame) + record("b", own + frame));
  job_.outputs.report = path("report.html");
  run();
  const Json shown = page()["shown"][0];
  std::size_t bytes = 0, skipped = 0, cut = 0;
  for (const Json& part : shown["parts"]) {
    const std::size_t size = part[1].is_string() ? part[1].get<std::string>().size() : 0;
    bytes += size;
    skipped += part[1].is_number() ? part[1].get<std::size_t>() : 0;
    cut += part[0] == 1 ? size : 0;
  }
  EXPECT_LE(bytes, 8000u);
  EXPECT_GT(cut, 0u);
  EXPECT_EQ(bytes + skipped, own.size() + frame.size());
}

// ---- what does not count ----

TEST_F(TrimOutput, WhatTheBaseHoldsIsNeverCut) {
  write_file(folder_ / "sheet.txt", "1. Who was it?\n2. Why?\n");
  job_.base = {path("sheet.txt")};
  given("in.jsonl", record("a", "1. Who was it?\nHome\nann") + record("b", "1. who was it\nHome\nben"));
  job_.outputs.trimmed = path("out.jsonl");
  run();
  EXPECT_THAT(texts(path("out.jsonl")), ElementsAre("1. Who was it?\nHome\nann", "1. who was it\nben"));
}

TEST_F(TrimOutput, APassageEndsWhereTheBaseBegins) {
  const std::string sheet = words(40), copied = words(40), short_one = words(10);
  write_file(folder_ / "sheet.txt", sheet);
  job_.base = {path("sheet.txt")};
  job_.settings = {.part = TextPart::passage, .border = Border::word};
  const std::string first = copied + sheet + short_one;
  given("in.jsonl", record("a", first) + record("b", "Own. " + first + "More."));
  job_.outputs.trimmed = path("out.jsonl");
  job_.outputs.spans = path("spans.jsonl");
  job_.outputs.with_text = true;
  run();
  // The copied words are cut; the sheet stays, and so does what is too short by itself.
  const std::string span = Json::parse(read_file(path("spans.jsonl")))["text"];
  EXPECT_EQ(span + " ", copied);
  EXPECT_THAT(texts(path("out.jsonl"))[1], HasSubstr(sheet + short_one));
  job_.base = {};
  run();
  EXPECT_THAT(texts(path("out.jsonl"))[1], Not(HasSubstr(sheet)));
}

TEST_F(TrimOutput, TextsInMemoryHaveABaseToo) {
  const std::vector<std::string_view> texts = {"sheet\nHome", "Sheet\nhome"};
  const std::vector<std::string_view> base = {"sheet"};
  const auto all = trim_texts(Context({.threads = 1}), texts, {}, base);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 1u);
  EXPECT_EQ(without_cuts(texts[1], all->front().cuts), "Sheet\n");
  EXPECT_EQ(
      trim_texts(Context({.threads = 1}), texts, {.part = TextPart::template_text}, base).error().setting,
      "base");
}

// ---- templates ----

class TrimTemplates : public TrimOutput {
 protected:
  TrimTemplates() {
    header_ = words(60);
    for (int i = 0; i < 12; ++i) own_.push_back(words(30));
    std::string bytes;
    for (int i = 0; i < 12; ++i)
      bytes += record(fmt::format("p{}", i), header_ + "\n" + own_[std::size_t(i)]);
    given("in.jsonl", bytes);
    job_.outputs.trimmed = path("out.jsonl");
    job_.outputs.spans = path("spans.jsonl");
    job_.settings.part = TextPart::template_text;
    job_.settings.border = Border::word;
  }
  std::string header_;
  std::vector<std::string> own_;
};

TEST_F(TrimTemplates, ATemplateStaysOnce) {
  const TrimSummary summary = run();
  EXPECT_EQ(summary.changed, 11u);
  EXPECT_EQ(summary.parts, 1u);
  const std::vector<std::string> left = texts(path("out.jsonl"));
  EXPECT_EQ(left[0], header_ + "\n" + own_[0]);
  for (std::size_t i = 1; i < left.size(); ++i) {
    EXPECT_THAT(left[i], HasSubstr(own_[i].substr(0, own_[i].size() - 1)));
    EXPECT_LT(left[i].size(), own_[i].size() + 20);
  }
  const Json span =
      Json::parse(read_file(path("spans.jsonl")).substr(0, read_file(path("spans.jsonl")).find('\n')));
  EXPECT_EQ(span["id"], "p1");
  EXPECT_EQ(span["kept_id"], "p0");
  EXPECT_EQ(span["documents"], 12);
  const std::string cut =
      (header_ + "\n" + own_[1]).substr(span["begin"], std::size_t(span["end"]) - std::size_t(span["begin"]));
  const std::string kept =
      (header_ + "\n" + own_[0])
          .substr(span["kept_begin"], std::size_t(span["kept_end"]) - std::size_t(span["kept_begin"]));
  EXPECT_EQ(cut.substr(0, kept.size()), kept);
}

TEST_F(TrimTemplates, OrNowhereAndNotWhereFewFamiliesHoldIt) {
  job_.settings.kept_part = KeptPart::none;
  EXPECT_EQ(run().changed, 12u);
  EXPECT_THAT(texts(path("out.jsonl"))[0], Not(HasSubstr(header_.substr(90, 90))));
  job_.settings.least_documents = 13;
  EXPECT_EQ(run().cuts, 0u);
}

TEST_F(TrimTemplates, TheResultIsTheSameForAnyNumberOfThreads) {
  run(1);
  const std::string one = read_file(path("out.jsonl")) + read_file(path("spans.jsonl"));
  run(4);
  EXPECT_EQ(read_file(path("out.jsonl")) + read_file(path("spans.jsonl")), one);
}

TEST_F(TrimTemplates, ABaseHasNoPlaceThere) {
  job_.base = {path("in.jsonl")};
  EXPECT_EQ(failure().setting, "base");
}

}  // namespace
}  // namespace leitong
