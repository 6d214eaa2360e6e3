#include "report/report.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "report/choose_rows.hpp"
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
  EXPECT_TRUE(data.at("found").at("rows").empty());
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
  const auto& rows = data.at("found").at("rows");
  ASSERT_EQ(rows.size(), sample.rows.size());
  EXPECT_EQ(rows.at(10'000).at(9).at(0), "tea-0417");
  EXPECT_EQ(data.at("found").at("sources").at(0), "teahouse");
  EXPECT_EQ(data.at("sources").at("flows").at(0), nlohmann::json::parse(R"(["mixed","mixed",6120,20400])"));
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
  for (const auto& row : data.at("found").at("rows")) ids.insert(row.at(9).at(0));
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

TEST(ReportLimits, BoundTheTextsOfAPage) {
  EXPECT_EQ(ReportLimits::text_of(1), ReportLimits::row_text);
  EXPECT_EQ(ReportLimits::text_of(ReportLimits::rows), 1'000U);
  for (std::size_t rows = 1; rows <= ReportLimits::rows; rows += 97)
    EXPECT_LE(2 * rows * ReportLimits::text_of(rows), ReportLimits::row_texts);
}

TEST(Report, TheFullestPageIsBelow32Megabytes) {
  ReportData data = sample_report(false);
  const std::string text = "字", name(ReportLimits::name_bytes, 'n');
  std::string full;
  while (full.size() + text.size() <= ReportLimits::text_of(ReportLimits::rows)) full += text;
  data.rows.clear();
  for (std::size_t i = 0; i < ReportLimits::rows; ++i) {
    ReportRow row;
    row.a = row.b = {name, name, kNoSource, 5'000, {{full, 1, 0}, {"", 0, 4'000}}};
    data.rows.push_back(row);
  }
  EXPECT_LT(page(data).size(), 32'000'000U);
}

TEST(Report, ClipsWhatOneDocumentMayTake) {
  const std::string huge(3'000'000, '<');
  ReportData data;
  data.title = huge;
  ReportRow row;
  Evidence evidence = evidence_of(huge, huge, ReportLimits::pair_bytes, 100'000);
  row.a = {huge, huge, kNoSource, huge.size(), evidence.a};
  row.b = {huge, huge, kNoSource, huge.size(), evidence.b};
  data.rows.push_back(row);
  data.largest_clusters.push_back({{huge, huge, huge}, 2, {{{huge, huge, huge}, Measure::jaccard, .5F}}});
  data.warnings.push_back({huge.substr(0, 100), {{huge, huge}}, {huge}});
  EXPECT_LT(page(data).size(), page(ReportData{}).size() + 300'000);
}

TEST(Report, SaysWhichIdsAreComplete) {
  ReportData data;
  for (const std::string& id : {std::string("a"), std::string(500, 'a'), std::string("a\xFF")}) {
    ReportRow row;
    row.a.id = row.b.id = id;
    data.rows.push_back(row);
  }
  const auto rows = data_of(page(data)).at("found").at("rows");
  EXPECT_EQ(rows.at(0).at(9).at(5), 1);
  EXPECT_EQ(rows.at(1).at(9).at(5), 0);
  EXPECT_EQ(rows.at(2).at(9).at(5), 0);
}

TEST(Evidence, CountsWhatIsLeftOut) {
  const std::string shared(4'000, 'a');
  const Evidence evidence = evidence_of(shared + "xyz", shared, 1'000, 2'000);
  std::uint64_t shown = 0, skipped = 0;
  for (const EvidencePart& part : evidence.a) {
    shown += part.text.size();
    skipped += part.skipped;
  }
  EXPECT_LE(shown, 1'000U);
  EXPECT_EQ(shown + skipped, 4'003U);
}

TEST(Evidence, ShowsTheLongestLostStretchAndMarksAll) {
  std::string shared;
  for (int i = 0; i < 900; ++i) shared += fmt::format("shared{} ", i);
  const std::string lost = "一段只有这里才有的文字", small = "zz ";
  const std::size_t place = shared.find(' ', shared.size() / 2) + 1;
  const std::string a = small + shared.substr(0, place) + lost + shared.substr(place);
  const std::vector<LostRange> ranges = {{0, 2, true},
                                         {small.size() + place, small.size() + place + lost.size(), false}};
  Evidence evidence = evidence_of(a, shared, 1'000, 20'000, ranges);
  mark_lost(ranges, evidence.a);
  std::vector<std::string> marked;
  for (const EvidencePart& part : evidence.a)
    for (const LostRange& range : part.lost)
      marked.push_back(part.text.substr(range.begin, range.end - range.begin));
  EXPECT_THAT(marked, testing::ElementsAre("zz", lost));
  const std::string around = shared.substr(place - 20, 15);
  EXPECT_TRUE(std::ranges::any_of(evidence.b, [&](const EvidencePart& part) {
    return part.text.find(around) != std::string::npos;
  })) << "the place where b lacks it";
}

TEST(Evidence, MarksWhatIsLostPieceByPiece) {
  std::vector<EvidencePart> parts = {{"0123", 1, 0}, {"", 0, 4}, {"89", 0, 0}, {"ab", 2, 0}};
  mark_lost(std::vector<LostRange>{{1, 2, false}, {3, 9, false}, {9, 11, true}}, parts);
  EXPECT_THAT(parts[0].lost, testing::ElementsAre(LostRange{1, 2, false}, LostRange{3, 4, false}));
  EXPECT_TRUE(parts[1].lost.empty()) << "a gap";
  EXPECT_THAT(parts[2].lost, testing::ElementsAre(LostRange{0, 1, false}, LostRange{1, 2, true}));
  EXPECT_THAT(parts[3].lost, testing::ElementsAre(LostRange{0, 1, true}));
}

TEST(Report, CountsLostPlacesAsAScriptDoes) {
  ReportData data;
  ReportRow row;
  row.a.parts = {{"é字😀x", 0, 0, 0, {{2, 5, false}, {5, 9, true}}}};  // 1, 1, 2 and 1 units of UTF-16
  row.loss = Loss{.own = 200, .lost = 2, .reworded = 2, .in_stretches = 0, .longest = 2};
  data.rows.push_back(row);
  const auto shown = data_of(page(data)).at("found").at("rows").at(0);
  EXPECT_EQ(shown.at(9).at(4).at(0).at(3), nlohmann::json::parse("[1,2,0,2,4,1]"));
  EXPECT_EQ(shown.at(16), nlohmann::json::parse(R"([0.013,"98.7 %","1.3 %","1.0 %",2,0,0])"));
}

TEST(Report, LimitsEveryList) {
  ReportData data = sample_report(false);
  data.largest_clusters.resize(50, data.largest_clusters[0]);
  data.sources.flows.resize(500, data.sources.flows[0]);
  const auto embedded = data_of(page(data));
  EXPECT_EQ(embedded.at("largest_clusters").size(), ReportLimits::clusters);
  EXPECT_EQ(embedded.at("largest_clusters").at(0).at("members").size(), ReportLimits::members);
  EXPECT_EQ(embedded.at("sources").at("flows").size(), ReportLimits::flows);
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

TEST(RowChooser, KeepsAllThatFit) {
  RowChooser chooser(3);
  EXPECT_TRUE(chooser.take().empty());
  for (const std::uint64_t number : {2, 0, 1}) chooser.add(.5, number);
  EXPECT_THAT(chooser.take(), testing::ElementsAre(0, 1, 2));
}

TEST(RowChooser, KeepsTheLeastMarginsAndSpreadsTheRest) {
  RowChooser chooser(100);
  for (std::uint64_t i = 0; i < 10'000; ++i) chooser.add(i % 500 == 37 ? .01 : .5, i);
  EXPECT_EQ(chooser.added(), 10'000U);
  const auto chosen = chooser.take();
  ASSERT_EQ(chosen.size(), 100U);
  EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
  EXPECT_EQ(std::set<std::uint64_t>(chosen.begin(), chosen.end()).size(), 100U);
  for (std::uint64_t i = 37; i < 10'000; i += 500)
    EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), i)) << i;
  // Each quarter of the input is sampled: 80 samples miss one with a probability of 1e-10.
  for (std::uint64_t quarter = 0; quarter < 4; ++quarter) {
    EXPECT_TRUE(std::any_of(chosen.begin(), chosen.end(),
                            [&](std::uint64_t i) { return i % 500 != 37 && i / 2500 == quarter; }));
  }
}

TEST(RowChooser, KeepsTheGreatestLosses) {
  RowChooser chooser(100);
  for (std::uint64_t i = 0; i < 10'000; ++i)
    chooser.add(static_cast<double>(i), i, i % 500 == 37 ? .04 : .001 * static_cast<double>(i % 3));
  const auto chosen = chooser.take();
  ASSERT_EQ(chosen.size(), 100U);
  for (std::uint64_t i = 37; i < 10'000; i += 500)
    EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), i)) << i;
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), i)) << i << ": of the least margins";
}

TEST(RowChooser, TheOrderOfTheCallsChangesNothing) {
  RowChooser forth(50), back(50);
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    forth.add(static_cast<double>(i * 7919 % 101), i);
    const std::uint64_t j = 2'999 - i;
    back.add(static_cast<double>(j * 7919 % 101), j);
  }
  EXPECT_EQ(forth.take(), back.take());
}

// The browser test opens the file that this test writes.
TEST(SampleReport, IsWrittenWhereTheBrowserTestReadsIt) {
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
