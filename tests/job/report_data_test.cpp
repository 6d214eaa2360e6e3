// A run's report, from files to the page.
#include "job/report_data.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "job/run.hpp"
#include "temp_path.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

class ReportDataTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::temp_path();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// `words` invented words.
  std::string text(std::size_t words) {
    std::string out;
    for (std::size_t i = 0; i < words; ++i) out += fmt::format("{:x} ", random_());
    return out;
  }
  void add(const std::string& id, const std::string& text) {
    lines_ += nlohmann::json{{"id", id}, {"text", text}}.dump() + "\n";
  }
  void add_line(const std::string& line) { lines_ += line + "\n"; }

  /// Runs on what was added and returns the data of the page.
  nlohmann::json report(unsigned threads = 1) {
    std::ofstream(folder_ / "in.jsonl") << lines_;
    DedupOptions options;
    options.input.paths = {(folder_ / "in.jsonl").string()};
    options.input.work_dir = folder_ / "work";
    options.outputs.removed = (folder_ / "removed.jsonl").string();
    options.outputs.report = (folder_ / "report.html").string();
    options.outputs.force = true;
    options.threads = threads;
    const std::atomic<bool> stop = false;
    const auto summary = run_dedup(options, {}, stop);
    EXPECT_TRUE(summary) << summary.error().message;
    std::ifstream file(folder_ / "report.html");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::string mark = "type=\"application/json\">";
    const std::size_t begin = page.find(mark) + mark.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

 private:
  fs::path folder_;
  std::string lines_;
  std::mt19937 random_{11};
};

TEST_F(ReportDataTest, TellsWhatTheRunDid) {
  const std::string shared = text(200);
  add("long", shared + text(40));
  add("short", shared);
  add("copy", shared);
  add("other", text(200));
  add_line("{broken");
  const auto data = report();
  EXPECT_EQ(data.at("title"), "in.jsonl");
  EXPECT_EQ(data.at("records"), 5);
  EXPECT_EQ(data.at("removed"), 2);
  EXPECT_EQ(data.at("quarantined"), 1);
  EXPECT_EQ(data.at("quarantine_reasons").size(), 1);
  EXPECT_EQ(data.at("cluster_sizes"), nlohmann::json::parse("[[3,3,1]]"));
  EXPECT_EQ(data.at("largest_clusters").at(0).at("id"), "long");
  EXPECT_EQ(data.at("largest_clusters").at(0).at("members").size(), 2);
  EXPECT_EQ(data.at("removals").size(), 2);
  EXPECT_EQ(data.at("removals").at(0).at(2), "long");
  EXPECT_THAT(std::string(data.at("removed_file")), testing::EndsWith("removed.jsonl"));
}

TEST_F(ReportDataTest, ShowsBorderlinePairsOnBothSidesOfTheRule) {
  for (int i = 0; i < 6; ++i) {
    const std::string half = text(150);
    add(fmt::format("near-{}", i), half + text(110));
    add(fmt::format("near-{}-b", i), half + text(110));
    const std::string third = text(100);
    add(fmt::format("far-{}", i), third + text(130));
    add(fmt::format("far-{}-b", i), third + text(130));
  }
  const auto data = report();
  EXPECT_EQ(data.at("removed"), 6);
  ASSERT_EQ(data.at("least_similar_removed").size(), 6);
  for (const auto& pair : data.at("least_similar_removed")) {
    EXPECT_THAT(std::string(pair.at("a").at("id")), testing::StartsWith("near"));
    EXPECT_GE(pair.at("score"), .35);
    std::set<int> passages;
    for (const auto& part : pair.at("a").at("parts")) passages.insert(part.at(0).get<int>());
    EXPECT_TRUE(passages.contains(1)) << "the shared half is marked";
    EXPECT_TRUE(passages.contains(0)) << "the rest is not";
  }
  ASSERT_GE(data.at("most_similar_kept").size(), 1);
  for (const auto& pair : data.at("most_similar_kept")) {
    EXPECT_THAT(std::string(pair.at("a").at("id")), testing::StartsWith("far"));
    EXPECT_LT(pair.at("jaccard"), .40);
    EXPECT_THAT(std::string(pair.at("outcome")), testing::HasSubstr("% of the shared shingles"));
  }
}

TEST_F(ReportDataTest, OneFamilyDoesNotFillTheBorderline) {
  const std::string half = text(150);
  add("kept", half + text(200));
  for (int i = 0; i < 12; ++i) add(fmt::format("member-{}", i), half + text(30));
  const auto data = report();
  EXPECT_GE(data.at("removed"), 3);
  EXPECT_EQ(data.at("least_similar_removed").size(), 1);
}

TEST_F(ReportDataTest, WarnsOfIdsThatOccurTwice) {
  add("same", text(100));
  add("same", text(100));
  const auto warnings = report().at("warnings");
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_EQ(warnings.at(0).at("title"), "1 record repeats an earlier id");
  EXPECT_THAT(std::string(warnings.at(0).at("examples").at(0)), testing::HasSubstr("in.jsonl:2"));
}

TEST_F(ReportDataTest, TellsTheSameForAnyNumberOfThreads) {
  for (int i = 0; i < 50; ++i) {
    const std::string half = text(80);
    add(fmt::format("a{}", i), half + text(40));
    add(fmt::format("b{}", i), half + text(50 + static_cast<std::size_t>(i)));
  }
  const auto shown = [](nlohmann::json data) {
    for (const char* key : {"seconds", "stages", "peak_memory", "settings"}) data.erase(key);
    return data;
  };
  EXPECT_EQ(shown(report(1)), shown(report(2)));
}

}  // namespace
}  // namespace leitong
