// Templates in the form in which users see them: the list, the reasons, a comparison within a corpus.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "job/compare_in_corpus.hpp"
#include "leitong/job.hpp"
#include "temp_path.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Templates : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::temp_path();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    header_ = text(60);
    for (int i = 0; i < 12; ++i) {
      pages_.push_back(header_ + text(30));
      add(fmt::format("page-{}", i), pages_.back(), "https://www.example.com/" + std::to_string(i));
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string text(std::size_t words) {
    std::string out;
    for (std::size_t i = 0; i < words; ++i) out += fmt::format("{:08x} ", random_());
    return out;
  }
  void add(const std::string& id, const std::string& text, const std::string& url) {
    std::ofstream(folder_ / "in.jsonl", std::ios::app)
        << nlohmann::json{{"id", id}, {"text", text}, {"url", url}}.dump() << "\n";
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string read(const char* name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  DedupJob options() const {
    DedupJob options;
    options.input.paths = {path("in.jsonl")};
    options.outputs.force = true;
    return options;
  }

  fs::path folder_;
  std::string header_;
  std::vector<std::string> pages_;
  std::mt19937 random_{5};
};

TEST_F(Templates, AreListedWithTheirFamiliesSitesAndAnExample) {
  DedupJob options = this->options();
  options.outputs.templates = path("templates.tsv");
  options.site_field = "url";
  ASSERT_TRUE(dedup_files(Context({.threads = 2}), options));
  std::istringstream list(read("templates.tsv"));
  std::string heading, row, none;
  std::getline(list, heading);
  std::getline(list, row);
  EXPECT_EQ(heading, "families\tsites\texample\tpassage");
  EXPECT_THAT(row, StartsWith("12\t1\tpage-0\t" + header_.substr(0, 50)));
  EXPECT_GE(row.size(), header_.size() - 20) << "the whole header";
  EXPECT_LE(row.size(), header_.size() + 40) << "and nothing else";
  EXPECT_FALSE(std::getline(list, none)) << none;
}

TEST_F(Templates, ARunWithoutASecondDecisionHasNone) {
  DedupJob options = this->options();
  options.outputs.templates = path("templates.tsv");
  options.settings.template_text = TemplateText::counted;
  const auto result = dedup_files(Context({.threads = 1}), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
}

TEST_F(Templates, RemovedDocumentsHaveAReason) {
  add("copy", pages_[0], "");
  add("near", pages_[1] + "one word", "");
  DedupJob options = this->options();
  options.outputs.removed = path("removed.jsonl");
  ASSERT_TRUE(dedup_files(Context({.threads = 1}), options));
  const std::string removed = read("removed.jsonl");
  EXPECT_THAT(removed, HasSubstr(R"("reason":"similar: the same text")"));
  EXPECT_THAT(removed,
              HasSubstr("is a template that about 10 other families of texts hold; without it Jaccard"));
  options.settings.template_text = TemplateText::counted;
  options.settings.removal.remove = Remove::similar;
  ASSERT_TRUE(dedup_files(Context({.threads = 1}), options));
  EXPECT_EQ(read("removed.jsonl").find("reason"), std::string::npos);
}

// Pages of sites that are too small for a template without the site field.
class SmallSites : public Templates {
 protected:
  void SetUp() override {
    Templates::SetUp();
    fs::remove(folder_ / "in.jsonl");  // without the large site
    for (int site = 0; site < 3; ++site) {
      const std::string frame = text(60);
      for (int page = 0; page < 5; ++page)
        add(fmt::format("{}-{}", site, page), frame + text(30),
            fmt::format("https://site{}.com/{}", site, page));
    }
    // Not doubtful: a copy, and an article that another text quotes in full. No third text holds it.
    const std::string article = text(80);
    add("article", article, "https://other.com/1");
    add("edited", article + "one word", "https://other.com/2");
    const std::string quoted = text(80);
    add("quoted", quoted, "https://other.com/3");
    add("quotes", text(150) + quoted, "https://other.com/4");
  }
  DedupSummary run(DedupJob options) {
    options.outputs.removed = path("removed.jsonl");
    options.outputs.pairs = path("pairs.tsv");
    options.settings.removal.remove = Remove::similar;  // the pages share a frame, and the rest is lost
    auto summary = dedup_files(Context({.threads = 2}), options);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary ? std::move(*summary) : DedupSummary{};
  }
  static std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  static constexpr std::string_view kDoubt = "may be a template of fewer than 8 families";
};

TEST_F(SmallSites, DecisionsThatTheSiteFieldCouldChangeAreCountedAndSaySo) {
  const DedupSummary summary = run(options());
  EXPECT_EQ(summary.pairs, 3u * 10 + 2);
  EXPECT_EQ(summary.templates.pairs_in_question, 0u) << "no key of a frame has 8 holders";
  EXPECT_EQ(summary.templates.pairs_doubtful, 3u * 10);
  EXPECT_TRUE(summary.templates.url_would_help);
  const auto json = nlohmann::json::parse(to_json(summary, DedupJob{}));
  EXPECT_EQ(json.at("templates").at("pairs_doubtful"), 30);
  EXPECT_EQ(json.at("templates").at("url_would_help"), true);
  EXPECT_EQ(count(read("pairs.tsv"), kDoubt), 30u);
  EXPECT_EQ(count(read("removed.jsonl"), kDoubt), 3u * 4) << "of 14 that were removed";
  EXPECT_EQ(count(read("removed.jsonl"), "\n"), 14u);
}

TEST_F(SmallSites, AreDoubtfulByComparingAllPairsToo) {
  DedupJob all = options();
  all.settings.method = "all-pairs";
  EXPECT_EQ(run(all).templates.pairs_doubtful, 30u);
  EXPECT_EQ(count(read("pairs.tsv"), kDoubt), 30u);
}

TEST_F(SmallSites, WithTheFieldNothingIsDoubtful) {
  DedupJob with_field = options();
  with_field.site_field = "url";
  const DedupSummary summary = run(with_field);
  EXPECT_EQ(summary.pairs, 2u);
  EXPECT_EQ(summary.templates.pairs_doubtful, 0u);
  EXPECT_FALSE(summary.templates.url_would_help);
  EXPECT_EQ(count(read("pairs.tsv"), kDoubt), 0u);
}

TEST_F(SmallSites, TheFlagIsNotNamedWhereNoRecordHasAUrl) {
  fs::remove(folder_ / "in.jsonl");
  const std::string frame = text(60);
  for (int page = 0; page < 5; ++page) add(std::to_string(page), frame + text(30), "");
  const DedupSummary summary = run(options());
  EXPECT_EQ(summary.templates.pairs_doubtful, 10u);
  EXPECT_FALSE(summary.templates.url_would_help);
}

TEST_F(Templates, AReportMarksThemAndSaysHowManyHoldThem) {
  DedupJob options = this->options();
  options.outputs.report = path("report.html");
  ASSERT_TRUE(dedup_files(Context({.threads = 1}), options));
  const std::string page = read("report.html"), mark = "type=\"application/json\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const auto data = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  const auto& rows = data.at("found").at("rows");
  ASSERT_FALSE(rows.empty()) << "near misses";
  for (const auto& row : rows) {
    EXPECT_GT(row.at(11), .9) << "of what they share is template";
    EXPECT_EQ(row.at(12), 12);
    bool marked = false;
    for (const auto& part : row.at(9).at(4)) marked |= part.size() == 3 && part.at(2) == 12;
    EXPECT_TRUE(marked) << row.dump();
  }
}

TEST_F(Templates, ACorpusRevealsTheTemplateOfTwoPages) {
  const auto compared = compare(pages_[0], pages_[1]);
  ASSERT_TRUE(compared);
  EXPECT_FALSE(compared->similar_by.empty()) << "the rule alone calls them similar";
  const auto verdict =
      compare_in_corpus(pages_[0], pages_[1], *compared, options().input, Context({.threads = 1}));
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_FALSE(verdict->verdict.similar);
  EXPECT_THAT(verdict->verdict.reason, HasSubstr("of what they share is a template"));
  // Two texts that the corpus has never seen.
  const std::string a = text(100), b = a + "one word";
  const auto own = compare(a, b);
  const auto accepted = compare_in_corpus(a, b, *own, options().input, Context({.threads = 1}));
  ASSERT_TRUE(accepted) << accepted.error().message;
  EXPECT_TRUE(accepted->verdict.similar);
  const auto same = compare_in_corpus(a, a, *compare(a, a), options().input, Context({.threads = 1}));
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->verdict.similar);
  EXPECT_EQ(same->verdict.reason, "similar: the same text");
}

}  // namespace
}  // namespace leitong
