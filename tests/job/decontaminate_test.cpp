#include "leitong/decontaminate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "corpus/corpus_fixture.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

constexpr std::string_view kFirst =
    "{\"id\": \"a\",  \"text\": \"题：河南省的省会是哪一座城市？答：鄭州。\"}\n";
constexpr std::string_view kSecond = "{\"id\": \"b\", \"text\": \"河南省的省会是哪一座城市，他没有说。\"}\n";
constexpr std::string_view kThird = "{\"id\": \"c\", \"text\": \"没有题目的一页。\"}\n";

class Decontaminate : public ::testing::Test {
 protected:
  Decontaminate() {
    write_file(folder_ / "train.jsonl",
               std::string(kFirst) + "no record\n" + std::string(kSecond) + std::string(kThird));
    write_file(folder_ / "test.jsonl",
               "{\"id\":\"q1\",\"question\":\"河南省的省会是哪一座城市?\",\"answer\":\"郑州\"}\n"
               "{\"id\":\"q2\",\"question\":\"为什么?\",\"answer\":\"\"}\n");
    job_.input.paths = {(folder_ / "train.jsonl").string()};
    job_.against = {(folder_ / "test.jsonl").string()};
    job_.against_fields = {"question", "answer"};
    job_.hits = (folder_ / "hits.jsonl").string();
  }
  std::vector<nlohmann::json> rows() {
    std::vector<nlohmann::json> rows;
    std::istringstream lines(contents(job_.hits));
    for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
    return rows;
  }
  std::string refusal() {
    const auto done = decontaminate_files(Context(), job_);
    EXPECT_FALSE(done);
    return done ? "" : done.error().message;
  }
  TemporaryFolder folder_;
  DecontaminateJob job_;
};

TEST_F(Decontaminate, AQuestionWithItsAnswerIsALeakAndWithoutItADoubt) {
  const auto summary = decontaminate_files(Context(), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->documents, 3u);
  EXPECT_EQ(summary->quarantined, 1u);
  EXPECT_EQ(summary->leaking, 1u);
  EXPECT_EQ(summary->removed, 0u);
  EXPECT_EQ(summary->hits, 2u);
  EXPECT_EQ(summary->leaks, 1u);
  ASSERT_EQ(summary->benchmarks.size(), 1u);
  EXPECT_EQ(summary->benchmarks[0].items, 2u);
  EXPECT_EQ(summary->benchmarks[0].too_short, 1u);
  EXPECT_EQ(summary->benchmarks[0].leaked, 1u);
  EXPECT_EQ(summary->benchmarks[0].documents, 1u);
  const auto all = rows();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["id"], "a");
  EXPECT_EQ(all[0]["item"], "q1");
  EXPECT_EQ(all[0]["kind"], "leak");
  EXPECT_EQ(all[0]["match"], "equal");
  EXPECT_EQ(all[0]["begin"], 6);
  EXPECT_EQ(all[0]["begin_character"], 2);
  EXPECT_EQ(all[0]["end_character"], 14);
  EXPECT_EQ(all[0]["passage"], "河南省的省会是哪一座城市");
  EXPECT_EQ(all[1]["id"], "b");
  EXPECT_EQ(all[1]["kind"], "doubt");
  EXPECT_EQ(all[1]["why"], "no answer stands near");
}

TEST_F(Decontaminate, RemovesDocumentsWithLeaksAndKeepsTheOthersByteForByte) {
  job_.action = LeakAction::remove;
  job_.kept = (folder_ / "kept.jsonl").string();
  job_.quarantine = (folder_ / "bad.jsonl").string();
  const auto summary = decontaminate_files(Context(), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->removed, 1u);
  EXPECT_EQ(contents(job_.kept), std::string(kSecond) + std::string(kThird));
  EXPECT_THAT(contents(job_.quarantine), HasSubstr("train.jsonl:2"));
}

TEST_F(Decontaminate, CutsTheSentencesOfLeaksAndLeavesAllOtherBytes) {
  write_file(folder_ / "train.jsonl",
             std::string(kFirst) + std::string(kSecond) +
                 "{\"id\": \"d\", \"text\": \"河南省的省会是哪一座城市，郑州吗？\"}\n");
  job_.action = LeakAction::cut;
  job_.kept = (folder_ / "kept.jsonl").string();
  const auto summary = decontaminate_files(Context(), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(contents(job_.kept), "{\"id\": \"a\",  \"text\": \"答：鄭州。\"}\n" + std::string(kSecond));
  EXPECT_EQ(summary->leaking, 2u);
  EXPECT_EQ(summary->cut, 1u);
  EXPECT_EQ(summary->removed, 1u);  // nothing else was in it
}

TEST_F(Decontaminate, WhatManyDocumentsHoldIsADoubt) {
  job_.against_fields = {"question"};
  job_.settings.common = 1;
  auto summary = decontaminate_files(Context(), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->leaks, 0u);
  EXPECT_EQ(summary->benchmarks[0].doubtful, 1u);
  EXPECT_EQ(rows()[0]["why"], "2 documents hold it");
  job_.settings.common = 2;
  job_.force = true;
  summary = decontaminate_files(Context(), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->leaks, 2u);
}

TEST_F(Decontaminate, ThePageHasATableOfBenchmarksAndPassagesSideBySide) {
  job_.report = (folder_ / "report.html").string();
  job_.command = "leitong decontaminate train.jsonl";
  const auto summary = decontaminate_files(Context(), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  const std::string html = contents(job_.report);
  const std::string_view begin = R"(<script id="data" type="application/json">)";
  const std::size_t at = html.find(begin) + begin.size();
  const auto page = nlohmann::json::parse(html.substr(at, html.find("</script>", at) - at));
  EXPECT_EQ(page["kind"], 5);
  EXPECT_EQ(page["command"], "leitong decontaminate train.jsonl");
  EXPECT_EQ(page["leaks"], 1);
  EXPECT_EQ(page["hits"], 2);
  ASSERT_EQ(page["benchmarks"].size(), 1u);
  // Items, too short, leaked, in doubt, documents.
  EXPECT_THAT(page["benchmarks"][0].dump(), HasSubstr("test.jsonl\",2,1,1,0,1]"));
  ASSERT_EQ(page["shown"].size(), 2u);
  const nlohmann::json& leak = page["shown"][0];
  EXPECT_EQ(leak["leak"], 1);
  EXPECT_EQ(leak["document"][0], "a");
  EXPECT_EQ(leak["item"][0], "q1");
  EXPECT_EQ(leak["answers"], nlohmann::json::array({"郑州"}));
  const auto text_of = [](const nlohmann::json& side, bool passages) {
    std::string text;
    for (const auto& part : side[4])
      if (!passages || part[0] != 0) text += part[1].get<std::string>();
    return text;
  };
  EXPECT_EQ(text_of(leak["document"], false), "题：河南省的省会是哪一座城市？答：鄭州。");
  EXPECT_THAT(text_of(leak["document"], true), HasSubstr("河南省的省会是哪一座城市"));
  EXPECT_THAT(text_of(leak["item"], true), HasSubstr("河南省的省会是哪一座城市"));
  EXPECT_EQ(page["shown"][1]["why"], "no answer stands near");
}

TEST_F(Decontaminate, ThePageShowsAPlaceDeepInALongDocument) {
  std::string text;
  while (text.size() < 3'000'000) text += "没有题目的一页，说的是别的事。\n";
  const std::string question = "河南省的省会是哪一座城市？郑州。";
  const nlohmann::json record = {{"id", "long"}, {"text", text + question + text}};
  write_file(folder_ / "train.jsonl", record.dump() + "\n");
  job_.report = (folder_ / "report.html").string();
  ASSERT_TRUE(decontaminate_files(Context(), job_));
  const std::string html = contents(job_.report);
  EXPECT_LT(html.size(), 400'000u);
  EXPECT_THAT(html, HasSubstr("河南省的省会是哪一座城市"));
}

TEST_F(Decontaminate, WhatIsCutCanGoToAFolder) {
  job_.action = LeakAction::cut;
  job_.kept = (folder_ / "out").string() + "/";
  const auto summary = decontaminate_files(Context(), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(contents(folder_ / "out" / (folder_ / "train.jsonl").relative_path()),
            "{\"id\": \"a\",  \"text\": \"答：鄭州。\"}\n" + std::string(kSecond) + std::string(kThird));
}

TEST_F(Decontaminate, GivesTheSameOnAnyNumberOfThreads) {
  std::string lines;
  for (int i = 0; i < 4'000; ++i)
    lines += "{\"text\":\"第" + std::to_string(i) +
             (i % 7 == 0 ? "页：河南省的省会是哪一座城市？郑州\"}\n" : "页上没有什么题目，只有别的话\"}\n");
  write_file(folder_ / "train.jsonl", lines);
  job_.settings.common = 1'000;
  job_.force = true;
  std::vector<std::string> hits;
  for (const unsigned threads : {1U, 3U}) {
    const auto summary = decontaminate_files(Context({.threads = threads}), job_);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->leaking, 572u);
    hits.push_back(contents(job_.hits));
  }
  EXPECT_EQ(hits[0], hits[1]);
}

TEST_F(Decontaminate, RefusesWhatCannotBeMeant) {
  job_.kept = "kept.jsonl";
  EXPECT_THAT(refusal(), HasSubstr("the action has to be remove"));
  job_.kept.clear();
  job_.action = LeakAction::remove;
  EXPECT_THAT(refusal(), HasSubstr("name a file for the kept records"));
  job_.action = LeakAction::list;
  job_.settings.share = 0;
  EXPECT_THAT(refusal(), HasSubstr("a share of 0"));
  job_.settings = {.share = .5, .ngram = 13};
  EXPECT_THAT(refusal(), HasSubstr("n-grams decide"));
  job_.settings = {.ngram = 100};
  EXPECT_THAT(refusal(), HasSubstr("no item that is long enough"));
  job_.settings = {};
  job_.hits = "hits.parquet";
  EXPECT_THAT(refusal(), HasSubstr("hits are written as JSONL"));
  job_.hits.clear();
  job_.against_fields = {"no such field"};
  EXPECT_THAT(refusal(), HasSubstr("no item of the benchmark could be read"));
  job_.against.clear();
  EXPECT_THAT(refusal(), HasSubstr("files of a benchmark"));
}

}  // namespace
}  // namespace leitong
