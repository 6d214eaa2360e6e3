#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "report/sample_report.hpp"

namespace leitong {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page(const ReportData& data) {
  std::string html;
  const auto written = write_report(data, [&](std::string_view bytes) -> Result<void> {
    html += bytes;
    return {};
  });
  EXPECT_TRUE(written) << written.error().message;
  return html;
}

/// What stands between `opening` and the next `closing`.
std::string between(const std::string& html, const std::string& opening, const std::string& closing) {
  const std::size_t begin = html.find(opening);
  if (begin == std::string::npos) {
    ADD_FAILURE() << "the page lacks " << opening;
    return "";
  }
  const std::size_t end = html.find(closing, begin + opening.size());
  return html.substr(begin + opening.size(), end - begin - opening.size());
}

const std::string kDataBegin = "<script id=\"data\" type=\"application/json\">";

nlohmann::json data_of(const std::string& html) {
  return nlohmann::json::parse(between(html, kDataBegin, "</script>"));
}

std::size_t count(const std::string& html, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = html.find(part); at != std::string::npos; at = html.find(part, at + 1)) ++found;
  return found;
}

TEST(Report, ANewRunOnTheSameDataGivesTheSameBytes) {
  EXPECT_EQ(page(sample_report(true)), page(sample_report(true)));
}

TEST(Report, AFailingWriterStopsIt) {
  int calls = 0;
  const auto written = write_report(sample_report(false), [&](std::string_view) -> Result<void> {
    ++calls;
    return fail(ErrorCode::io, "disk full");
  });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "disk full");
  EXPECT_EQ(calls, 1);
}

TEST(Report, AnEmptyRunIsAPageToo) {
  const auto data = data_of(page(ReportData{}));
  EXPECT_EQ(data.at("records"), 0);
  EXPECT_TRUE(data.at("removals").empty());
  EXPECT_FALSE(data.contains("recall"));
}

TEST(Report, CarriesWhatItWasGiven) {
  const ReportData sample = sample_report(false);
  const auto data = data_of(page(sample));
  EXPECT_EQ(data.at("removed"), sample.removed);
  EXPECT_EQ(data.at("settings").size(), sample.settings.size());
  EXPECT_EQ(data.at("stages").at(0), nlohmann::json::array({"read and sketch", .431}));
  EXPECT_EQ(data.at("recall").at("direct"), 1030);
  EXPECT_EQ(data.at("recall").at("both_stay"), 0);
  EXPECT_EQ(data.at("histograms").at(0).at("bins").size(), 21);
  EXPECT_EQ(data.at("least_similar_removed").at(0).at("a").at("id"), "tea-0417");
  EXPECT_EQ(data.at("largest_clusters").at(0).at("size"), 214);
}

TEST(Report, ItsPolicyNamesTheHashesOfItsOwnBlocksAndNothingElse) {
  const std::string html = page(sample_report(true));
  const std::string policy = between(html, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
  EXPECT_THAT(policy, testing::StartsWith("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(policy, HasSubstr("style-src 'sha256-"));
  EXPECT_THAT(policy, HasSubstr("trusted-types 'none'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_THAT(policy, Not(HasSubstr("http")));
}

TEST(Report, HostileTextCannotLeaveTheDataBlock) {
  const std::string harmless = page(ReportData{}), hostile = page(sample_report(true));
  EXPECT_EQ(count(hostile, "<script"), count(harmless, "<script"));
  EXPECT_EQ(count(hostile, "</script"), count(harmless, "</script"));
  EXPECT_EQ(count(hostile, "<!--"), count(harmless, "<!--"));
  const std::string block = between(hostile, kDataBegin, "</script>");
  EXPECT_THAT(hostile, HasSubstr("attack-15:"));
  for (const char* raw : {"<", ">", "&", "\u2028", "\u2029"}) EXPECT_EQ(count(block, raw), 0) << raw;
}

TEST(Report, HostileTextIsStillTheSameText) {
  const auto data = data_of(page(sample_report(true)));
  std::set<std::string> ids;
  for (const auto& removal : data.at("removals")) ids.insert(removal.at(0));
  for (const std::string& text : hostile_texts()) {
    const bool is_utf8 = text.find("attack-13") == std::string::npos;
    EXPECT_EQ(ids.contains(text), is_utf8) << text;
  }
}

TEST(Report, TheScriptNeverTurnsTextIntoMarkup) {
  const std::string script = between(page(ReportData{}), "<script>", "</script>");
  for (const char* way : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
                          "Function(", "srcdoc", "DOMParser"})
    EXPECT_THAT(script, Not(HasSubstr(way)));
}

TEST(Report, NamesNoOtherHost) {
  const std::string html = page(ReportData{});
  EXPECT_EQ(count(html, "://"), 1) << "only the name of the SVG namespace may look like an address";
  EXPECT_EQ(count(html, "http://www.w3.org/2000/svg"), 1);
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
}

TEST(Report, ShowsAtMostItsLimitsOfAMillionRemovals) {
  ReportData data = sample_report(false);
  data.removed = 1'000'000;
  data.removals.clear();
  for (int i = 0; i < 1'000'000; ++i) {
    data.removals.push_back({"document-with-a-usual-name-" + std::to_string(i),
                             "corpus/part-00017.jsonl.zst:" + std::to_string(i),
                             "document-with-a-usual-name-" + std::to_string(i / 2), Measure::jaccard, .5F});
  }
  const std::string html = page(data);
  EXPECT_LT(html.size(), 10'000'000U);
  const auto embedded = data_of(html);
  EXPECT_EQ(embedded.at("removals").size(), ReportLimits::removals);
  EXPECT_EQ(embedded.at("removed"), 1'000'000);
}

TEST(Report, ClipsWhatOneDocumentMayTake) {
  const std::string huge(3'000'000, '<');
  ReportData data;
  data.title = huge;
  data.least_similar_removed.push_back({{huge, huge, huge}, {huge, huge, huge}, {}, {}, huge});
  data.largest_clusters.push_back({{huge, huge, huge}, 2, {{{huge, huge, huge}, Measure::jaccard, .5F}}});
  data.removals.push_back({huge, huge, huge, Measure::jaccard, .5F});
  data.warnings.push_back({huge, huge, {huge}});
  EXPECT_LT(page(data).size(), page(ReportData{}).size() + 300'000);
}

TEST(Report, CountsTheRestOfATextThatItGotTheBeginningOf) {
  ReportData data;
  data.least_similar_removed.push_back({{"a", "p:1", "abc", 5'000}, {"b", "p:2", "abc"}, {}, {}, ""});
  const auto side = data_of(page(data)).at("least_similar_removed").at(0).at("a");
  EXPECT_EQ(side.at("bytes"), 5'000);
  EXPECT_EQ(side.at("parts"), nlohmann::json::parse(R"([[0,"abc"],[0,4997]])"));
}

TEST(Report, LimitsEveryList) {
  ReportData data = sample_report(false);
  data.largest_clusters.resize(50, data.largest_clusters[0]);
  data.least_similar_removed.resize(50, data.least_similar_removed[0]);
  const auto embedded = data_of(page(data));
  EXPECT_EQ(embedded.at("largest_clusters").size(), ReportLimits::clusters);
  EXPECT_EQ(embedded.at("largest_clusters").at(0).at("members").size(), ReportLimits::members);
  EXPECT_EQ(embedded.at("least_similar_removed").size(), ReportLimits::pairs);
}

TEST(Report, GroupsClusterSizesByDoubling) {
  ReportData data;
  data.cluster_sizes = {{2, 9}, {4, 8}, {5, 1}, {8, 2}, {9, 4}, {16, 1}, {17, 1}, {1'000'000, 1}};
  EXPECT_EQ(data_of(page(data)).at("cluster_sizes"),
            nlohmann::json::parse("[[2,2,9],[4,4,8],[5,8,3],[9,16,5],[17,32,1],[524289,1048576,1]]"));
}

TEST(ReportHistogram, PutsEveryValueInOneBin) {
  ReportHistogram histogram;
  for (const double value : {0.0, .049, .05, double{.35F}, .9999, 1.0}) histogram.add(value);
  EXPECT_EQ(histogram.bins[0], 2U);
  EXPECT_EQ(histogram.bins[1], 1U);
  EXPECT_EQ(histogram.bins[7], 1U);
  EXPECT_EQ(histogram.bins[19], 1U);
  EXPECT_EQ(histogram.bins[20], 1U);
  EXPECT_EQ(std::accumulate(histogram.bins.begin(), histogram.bins.end(), std::uint64_t{0}), 6U);
}

TEST(ChooseRemovals, KeepsAllThatFit) {
  EXPECT_THAT(choose_removals({.9F, .1F, .5F}, 3), testing::ElementsAre(0, 1, 2));
  EXPECT_TRUE(choose_removals({}, 3).empty());
}

TEST(ChooseRemovals, KeepsTheLeastSimilarAndSpreadsTheRest) {
  std::vector<float> scores(10'000, .9F);
  for (std::size_t i = 0; i < 20; ++i) scores[i * 37] = .3F;
  const auto chosen = choose_removals(scores, 100);
  ASSERT_EQ(chosen.size(), 100U);
  EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
  EXPECT_EQ(std::set<std::size_t>(chosen.begin(), chosen.end()).size(), 100U);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), i * 37)) << i;
  // Each quarter of the input is drawn from: 80 draws miss one with a chance of 1e-10.
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    EXPECT_TRUE(std::any_of(chosen.begin(), chosen.end(),
                            [&](std::size_t i) { return i % 37 != 0 && i / 2500 == quarter; }));
  }
}

// The browser test opens what this writes.
TEST(SampleReport, IsWrittenWhereTheBrowserTestAsksForIt) {
  const char* folder = std::getenv("LEITONG_SAMPLE_REPORTS");
  const std::filesystem::path where = folder != nullptr ? folder : testing::TempDir();
  for (const bool hostile : {false, true}) {
    const auto path = where / (hostile ? "hostile.html" : "sample.html");
    std::ofstream(path, std::ios::binary) << page(sample_report(hostile));
    EXPECT_GT(std::filesystem::file_size(path), 50'000U);
  }
}

}  // namespace
}  // namespace leitong
