// The report of a run, from files to the page.
#include "job/report_data.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "leitong/job.hpp"
#include "temp_path.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kA = 9, kB = 10;  // the documents of a row

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

  /// Runs on the added texts and returns the data of the page.
  nlohmann::json report(unsigned threads = 1) {
    DedupJob options;
    options.outputs.removed = (folder_ / "removed.jsonl").string();
    return report(options, threads);
  }
  nlohmann::json report(DedupJob options, unsigned threads = 1) {
    std::ofstream(folder_ / "in.jsonl") << lines_;
    options.input.paths = {(folder_ / "in.jsonl").string()};
    options.outputs.report = (folder_ / "report.html").string();
    options.outputs.force = true;
    options.settings.removal.remove = remove_;
    const Context context({.threads = threads, .work_folder = folder_ / "work"});
    const auto summary = dedup_files(context, options);
    EXPECT_TRUE(summary) << summary.error().message;
    std::ifstream file(folder_ / "report.html");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::string mark = "type=\"application/json\">";
    const std::size_t begin = page.find(mark) + mark.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  Remove remove_ = Remove::similar;  // these texts are random: what differs is lost
  fs::path folder_;

 private:
  std::string lines_;
  std::mt19937 random_{11};
};

TEST_F(ReportDataTest, DescribesWhatTheRunDid) {
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
  const auto& rows = data.at("found").at("rows");
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows.at(0).at(kB).at(0), "long");
  EXPECT_FALSE(rows.at(0).at(kA).at(4).empty()) << "the texts are there";
  EXPECT_THAT(std::string(data.at("rows_file")), testing::EndsWith("removed.jsonl"));
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
  std::vector<nlohmann::json> removed, refused;
  for (const auto& row : data.at("found").at("rows"))
    (row.at(0) == static_cast<int>(RowOutcome::removed) ? removed : refused).push_back(row);
  ASSERT_EQ(removed.size(), 6);
  for (const auto& row : removed) {
    EXPECT_THAT(std::string(row.at(kA).at(0)), testing::StartsWith("near"));
    EXPECT_GE(row.at(2), .35);
    EXPECT_EQ(row.at(8), 1) << "few rows are all borderline";
    EXPECT_GE(row.at(6), row.at(7)) << "at or above the rule";
    std::set<int> passages;
    for (const auto& part : row.at(kA).at(4)) passages.insert(part.at(0).get<int>());
    EXPECT_TRUE(passages.contains(1)) << "the shared half is marked";
    EXPECT_TRUE(passages.contains(0)) << "the rest is not";
  }
  ASSERT_GE(refused.size(), 1);
  for (const auto& row : refused) {
    EXPECT_THAT(std::string(row.at(kA).at(0)), testing::StartsWith("far"));
    EXPECT_LT(row.at(3), .40);
    EXPECT_LT(row.at(6), row.at(7)) << "below the rule";
  }
}

TEST_F(ReportDataTest, OneFamilyDoesNotFillTheBorderline) {
  const std::string half = text(150);
  add("kept", half + text(200));
  for (int i = 0; i < 12; ++i)
    add(fmt::format("member-{}", i),
        half + text(15));  // one work; with more text of their own, half would be template
  const auto data = report();
  EXPECT_GE(data.at("removed"), 3);
  int borderline = 0;
  for (const auto& row : data.at("found").at("rows"))
    borderline += row.at(0) == static_cast<int>(RowOutcome::removed) && row.at(8) == 1;
  EXPECT_EQ(borderline, 1);
}

/// The parts of a side that are a template: [text, families].
std::vector<std::pair<std::string, int>> templates_of(const nlohmann::json& side, bool shared) {
  std::vector<std::pair<std::string, int>> found;
  for (const auto& part : side.at(4))
    if (part.size() == 3 && (part.at(0) > 0) == shared) found.emplace_back(part.at(1), part.at(2));
  return found;
}

/// Two sites of ten pages; the last page is one of the second site with an article of the first one.
TEST_F(ReportDataTest, MarksTheTemplatesOfEachTextThatTheOtherOneLacks) {
  std::string article, other_head;
  for (const std::string site : {"first", "second"}) {
    const std::string head = text(60), foot = text(40);
    for (int page = 0; page < 10; ++page) {
      const bool copy = site == "second" && page == 9;
      const std::string own = copy ? article : text(50);
      if (page == 5 && site == "first") article = own;
      add(fmt::format("{}-{}", site, page), head + own + foot);
    }
  }
  const auto rows = report().at("found").at("rows");
  ASSERT_GE(rows.size(), 1);
  const auto& row = rows.at(0);
  EXPECT_EQ(row.at(1), static_cast<int>(Measure::own_text));
  for (const std::size_t side : {kA, kB}) {
    const auto templates = templates_of(row.at(side), false);
    ASSERT_EQ(templates.size(), 2u) << "head and foot";
    for (const auto& [passage, families] : templates) {
      EXPECT_EQ(families, 10);
      EXPECT_GT(passage.size(), 200u);
    }
    EXPECT_TRUE(templates_of(row.at(side), true).empty()) << "what they share is none";
    std::string whole;
    for (const auto& part : row.at(side).at(4)) whole += part.at(1).get<std::string>();
    EXPECT_NE(whole.find(article), std::string::npos) << "no byte is lost where parts are cut";
  }
}

TEST_F(ReportDataTest, MarksASharedPassageThatIsATemplate) {
  const std::string head = text(60), foot = text(40);
  for (int page = 0; page < 10; ++page) add(fmt::format("page-{}", page), head + text(50) + foot);
  const auto rows = report().at("found").at("rows");
  ASSERT_GE(rows.size(), 1);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at(0), static_cast<int>(RowOutcome::stay));
    for (const std::size_t side : {kA, kB}) {
      EXPECT_EQ(templates_of(row.at(side), true).size(), 2u) << "head and foot";
      EXPECT_TRUE(templates_of(row.at(side), false).empty());
    }
  }
}

TEST_F(ReportDataTest, CopiesOfARemovedDocumentCarryItsScores) {
  const std::string half = text(150);
  add("kept", half + text(110));
  const std::string near = half + text(60);
  add("near", near);
  add("copy", near);
  const auto rows = report().at("found").at("rows");
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows.at(0).at(3), rows.at(1).at(3));
  EXPECT_EQ(rows.at(1).at(kB).at(0), "kept");
}

/// The parts of a text that are marked as lost or reworded, one by one. ASCII only.
std::vector<std::string> lost_of(const nlohmann::json& side, bool reworded) {
  std::vector<std::string> lost;
  for (const auto& part : side.at(4)) {
    if (part.size() < 4) continue;
    const auto& bounds = part.at(3);
    for (std::size_t i = 0; i < bounds.size(); i += 3)
      if (bounds.at(i + 2) == (reworded ? 1 : 0))
        lost.push_back(part.at(1).get<std::string>().substr(
            bounds.at(i), bounds.at(i + 1).get<std::size_t>() - bounds.at(i).get<std::size_t>()));
  }
  return lost;
}

/// The reasons of a table, by id.
std::map<std::string, std::string> reasons_of(const fs::path& table) {
  std::map<std::string, std::string> reasons;
  std::ifstream rows(table);
  for (std::string line; std::getline(rows, line);) {
    const auto row = nlohmann::json::parse(line);
    reasons[row.at("id")] = row.at("reason");
  }
  return reasons;
}

TEST_F(ReportDataTest, ReportsWhatIsLostAndMarksItInTheRemovedText) {
  const std::string shared = text(300);
  add("kept", shared + text(80));
  const std::size_t middle = shared.find(' ', shared.size() / 2) + 1;
  add("left", shared.substr(0, middle) + "only here is this said " + shared.substr(middle));
  add("copy", shared.substr(0, middle) + "only here is this said " + shared.substr(middle));
  const std::string own = text(60);
  add("stays", shared + own);
  remove_ = Remove::careful;
  DedupJob options;
  options.outputs.removed = (folder_ / "removed.jsonl").string();
  options.outputs.kept_similar = (folder_ / "similar.jsonl").string();
  const auto data = report(options);
  EXPECT_EQ(data.at("by_losses"), 1);
  EXPECT_EQ(data.at("removed"), 2);
  EXPECT_EQ(data.at("relatives"), 1);
  EXPECT_EQ(data.at("all_rows"), 2) << "relatives are none of them";
  const auto removed = reasons_of(folder_ / "removed.jsonl"), similar = reasons_of(folder_ / "similar.jsonl");
  std::size_t removals = 0, relatives = 0;
  for (const auto& row : data.at("found").at("rows")) {
    const std::string id = row.at(kA).at(0);
    const auto& loss = row.at(16);
    if (row.at(0) == static_cast<int>(RowOutcome::removed)) {
      ++removals;
      EXPECT_THAT(lost_of(row.at(kA), false), testing::ElementsAre("only here is this said"));
      EXPECT_TRUE(lost_of(row.at(kB), false).empty());
      EXPECT_THAT(removed.at(id), testing::EndsWith(fmt::format("; the kept text holds {} of it; longest "
                                                                "stretch lost: {} units",
                                                                std::string(loss.at(1)), int{loss.at(4)})));
      EXPECT_EQ(data.at("lost_units"), 2 * int{loss.at(4)}) << "what two texts take along";
      EXPECT_NEAR(double{loss.at(0)}, 22. / static_cast<double>(shared.size()), .002) << "of its bytes";
    } else if (row.at(0) == static_cast<int>(RowOutcome::relative)) {
      ++relatives;
      EXPECT_EQ(id, "stays");
      EXPECT_EQ(similar.at(id), fmt::format("stays: {} of it stands nowhere else", std::string(loss.at(2))));
      EXPECT_THAT(lost_of(row.at(kA), false), testing::ElementsAre(own.substr(0, own.size() - 1)));
      EXPECT_GT(row.at(2), 0.) << "the pair's own score";
    }
  }
  EXPECT_EQ(removals, 2u);
  EXPECT_EQ(relatives, 1u);
}

TEST_F(ReportDataTest, MarksWhatIsRewordedApart) {
  std::string text_a = text(300);
  add("kept", text_a + text(10));
  const std::size_t at = text_a.find(' ', text_a.size() / 2) + 1;
  text_a.replace(at, text_a.find(' ', at) - at, "another");
  add("left", text_a);
  remove_ = Remove::careful;
  const auto rows = report().at("found").at("rows");
  ASSERT_EQ(rows.size(), 1);
  EXPECT_THAT(lost_of(rows.at(0).at(kA), true), testing::ElementsAre("another"));
  EXPECT_TRUE(lost_of(rows.at(0).at(kA), false).empty());
  EXPECT_EQ(rows.at(0).at(16).at(4), 0) << "no stretch is lost";
}

TEST_F(ReportDataTest, DoesNotMentionLossesIfEverythingSimilarLeaves) {
  const std::string shared = text(200);
  add("a", shared + text(40));
  add("b", shared);
  const auto data = report();
  EXPECT_EQ(data.at("by_losses"), 0);
  EXPECT_EQ(data.at("relatives"), 0);
  for (const auto& row : data.at("found").at("rows"))
    EXPECT_EQ(row.size(), 15) << "the last ones are left out";
}

TEST_F(ReportDataTest, WholeTextsLieBesideThePage) {
  const std::string shared = text(5'000);
  add("a", shared + text(40));
  add("b", shared);
  add("c", "渡船清晨六点开第一班，雾大的日子改到七点。");
  DedupJob options;
  options.outputs.report_texts = (folder_ / "report.texts").string();
  const auto alone = report().at("found");
  EXPECT_FALSE(alone.contains("whole"));
  for (const unsigned threads : {1u, 3u}) {
    const auto found = report(options, threads).at("found");
    std::ifstream file(folder_ / "report.texts");
    const std::string texts{std::istreambuf_iterator<char>(file), {}};
    ASSERT_EQ(found.at("whole").size(), found.at("rows").size());
    for (std::size_t i = 0; i < found.at("rows").size(); ++i) {
      const std::size_t begin = found.at("whole").at(i).at(0), end = found.at("whole").at(i).at(1);
      const auto whole = nlohmann::json::parse(texts.substr(begin, end - begin));
      const auto& row = found.at("rows").at(i);
      for (const std::size_t side : {0U, 1U}) {
        const auto& shown = row.at(side == 0 ? kA : kB);
        EXPECT_EQ(whole.at(side).at(0), shown.at(0)) << "the same document";
        std::size_t bytes = 0;
        bool any_gap = false;
        for (const auto& part : whole.at(side).at(4)) bytes += std::string(part.at(1)).size();
        for (const auto& part : shown.at(4)) any_gap |= part.at(1).is_number();
        EXPECT_EQ(bytes, shown.at(3)) << "nothing is left out";
        EXPECT_TRUE(any_gap) << "and the page shows a part";
      }
    }
  }
}

// A containment counts from 64 shingles on, and the Jaccard of short texts is enough at 0.35.
TEST_F(ReportDataTest, SaysWhyAContainmentDoesNotCount) {
  const auto rows_of = [&](std::size_t words) {
    const std::string shared = text(words);
    add(fmt::format("short-{}", words), shared);
    add(fmt::format("long-{}", words), shared + text(words));
  };
  rows_of(10);  // of 4 units each
  rows_of(100);
  std::map<std::string, int> reasons;
  const auto rows = report().at("found").at("rows");
  for (const auto& row : rows)
    for (const std::size_t side : {kA, kB})
      reasons[row.at(side).at(0)] = row.size() > 17 ? int{row.at(17)} : 0;
  EXPECT_EQ(reasons.at("short-10"), static_cast<int>(Uncounted::too_short));
  EXPECT_EQ(reasons.at("short-100"), static_cast<int>(Uncounted::none));
}

TEST_F(ReportDataTest, CountsWhoCopiesWhomByAFieldOfTheRecords) {
  for (int i = 0; i < 5; ++i) {
    const std::string shared = text(200);
    add_line(
        nlohmann::json{{"id", fmt::format("a{}", i)}, {"text", shared + text(40)}, {"site", "first"}}.dump());
    add_line(
        nlohmann::json{{"id", fmt::format("b{}", i)}, {"text", shared}, {"site", i < 3 ? "second" : "third"}}
            .dump());
  }
  DedupJob options;
  options.source_field = "site";
  const auto sources = report(options).at("sources");
  EXPECT_EQ(sources.at("field"), "site");
  EXPECT_EQ(sources.at("all"), 2);
  EXPECT_EQ(sources.at("flows"), nlohmann::json::parse(R"([["second","first",3,3],["third","first",2,2]])"));
}

TEST_F(ReportDataTest, OfPairsAloneNothingIsRemoved) {
  const std::string shared = text(200);
  add("a", shared + text(40));
  add("b", shared);
  add("c", shared);
  DedupJob options;
  options.decides = false;
  const auto data = report(options);
  EXPECT_EQ(data.at("kind"), static_cast<int>(ReportKind::pairs));
  EXPECT_EQ(data.at("removed"), 0);
  EXPECT_TRUE(data.at("largest_clusters").empty());
  EXPECT_EQ(data.at("all_rows"), 2) << "a pair, and a copy with its first";
  for (const auto& row : data.at("found").at("rows"))
    EXPECT_EQ(row.at(0), static_cast<int>(RowOutcome::similar));
}

TEST_F(ReportDataTest, WarnsOfIdsThatOccurTwice) {
  add("same", text(100));
  add("same", text(100));
  const auto warnings = report().at("warnings");
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_EQ(warnings.at(0).at("code"), "repeated_ids");
  EXPECT_EQ(warnings.at(0).at("details").at("count"), "1");
  EXPECT_THAT(std::string(warnings.at(0).at("examples").at(0)), testing::HasSubstr("in.jsonl:2"));
}

TEST_F(ReportDataTest, IsTheSameForAnyNumberOfThreads) {
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
