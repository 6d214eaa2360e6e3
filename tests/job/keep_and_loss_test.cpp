// For any policy of preferred texts, a text never leaves for one that lacks more of it than may be lost.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "corpus/corpus_fixture.hpp"
#include "leitong/job.hpp"

namespace leitong {
namespace {

using Json = nlohmann::json;

class KeepAndLoss : public ::testing::Test {
 protected:
  /// Words that occur once in the whole corpus.
  std::vector<std::string> words(std::size_t count) {
    std::vector<std::string> made(count);
    for (std::string& word : made) word = fmt::format("w{:07x}", random_() & 0xFFFFFFF);
    return made;
  }
  void add(const std::string& id, const std::string& file, const std::vector<std::string>& text) {
    std::string body;
    for (const std::string& word : text) body += word + " ";
    texts_[id] = {text.begin(), text.end()};
    lines_[file] += Json{{"id", id},
                         {"text", body},
                         {"date", fmt::format("20{:02}-01-01", random_() % 30)},
                         {"score", random_() % 100}}
                        .dump() +
                    "\n";
  }
  DedupSummary run(std::string_view policy, unsigned threads = 1) {
    DedupJob job;
    for (const auto& [file, lines] : lines_) {
      write_file(folder_ / file, lines);
      job.input.paths.push_back((folder_ / file).string());
    }
    job.settings.keep = parse_keep_policy(policy).value();
    if (!job.settings.keep.sources.empty()) job.settings.keep.sources = {(folder_ / "b.jsonl").string()};
    job.outputs.removed = (folder_ / "removed.jsonl").string();
    job.outputs.force = true;
    const auto summary = dedup_files(Context({.threads = threads}), job);
    EXPECT_TRUE(summary) << summary.error().message;
    kept_for_.clear();
    std::istringstream rows(read_file(folder_ / "removed.jsonl"));
    for (std::string line; std::getline(rows, line);) {
      const Json row = Json::parse(line);
      kept_for_[row.at("id")] = row.at("kept");
    }
    return summary.value_or(DedupSummary());
  }
  /// The part of a text that another one lacks, found by looking up every word.
  double lacking(const std::string& id, const std::string& other) {
    std::size_t lost = 0;
    for (const std::string& word : texts_.at(id)) lost += !texts_.at(other).contains(word);
    return static_cast<double>(lost) / static_cast<double>(texts_.at(id).size());
  }

  TemporaryFolder folder_;
  std::mt19937 random_{3};
  std::map<std::string, std::string> lines_;
  std::map<std::string, std::set<std::string>> texts_;
  std::map<std::string, std::string> kept_for_;
};

constexpr std::string_view kPolicies[] = {"longest",   "first",    "newest:date",
                                          "max:score", "source:b", "covering"};

TEST_F(KeepAndLoss, NoTextLeavesForOneThatLacksMoreOfIt) {
  for (int family = 0; family < 20; ++family) {
    const std::vector<std::string> base = words(200);
    for (int member = 0; member < 5; ++member) {
      std::vector<std::string> text = base;
      const auto cut = static_cast<std::ptrdiff_t>(random_() % 3 == 0 ? random_() % 40 : random_() % 6);
      text.erase(text.begin() + 50, text.begin() + 50 + cut);
      const auto more = words(random_() % 3 == 0 ? random_() % 60 : random_() % 8);
      text.insert(text.end(), more.begin(), more.end());
      add(fmt::format("{}-{}", family, member), member % 2 == 0 ? "a.jsonl" : "b.jsonl", text);
    }
  }
  std::set<std::map<std::string, std::string>> answers;
  for (const std::string_view policy : kPolicies) {
    const DedupSummary summary = run(policy);
    EXPECT_GT(summary.removed, 15u) << policy;
    EXPECT_GT(summary.relatives, 5u) << policy;
    EXPECT_EQ(kept_for_.size(), summary.removed) << policy;
    for (const auto& [id, kept] : kept_for_) {
      EXPECT_LE(lacking(id, kept), LossLimits().loss) << policy << ": " << id << " left for " << kept;
      EXPECT_FALSE(kept_for_.contains(kept)) << policy << ": " << id << " left for one that left";
    }
    answers.insert(kept_for_);
    const auto of_one_thread = kept_for_;
    run(policy, 2);
    EXPECT_EQ(kept_for_, of_one_thread) << policy;
  }
  EXPECT_GE(answers.size(), 5u) << "the policies prefer different texts";
}

TEST_F(KeepAndLoss, TheSummaryCountsWhatStaysBesideThePreferredText) {
  const std::vector<std::string> base = words(200);
  std::vector<std::string> fuller = base;
  const auto more = words(40);
  fuller.insert(fuller.end(), more.begin(), more.end());
  add("fuller", "a.jsonl", fuller);
  add("preferred", "b.jsonl", base);
  EXPECT_EQ(run("longest").removed, 1u);
  const DedupSummary preferred = run("source:b");
  EXPECT_EQ(preferred.removed, 0u) << "the preferred one lacks a sixth of the fuller one";
  EXPECT_EQ(preferred.relatives, 1u);
  EXPECT_EQ(preferred.clusters, 1u);
  EXPECT_EQ(run("longest").relatives, 0u);
}

/// The longest text has text of its own and lacks much of each of the others; the middle one holds two
/// others.
TEST_F(KeepAndLoss, CoveringKeepsTheTextThatMostOthersMayLeaveFor) {
  const std::vector<std::string> base = words(200), first = words(30), second = words(30), third = words(70);
  const auto joined = [&](std::initializer_list<const std::vector<std::string>*> parts) {
    std::vector<std::string> text = base;
    for (const auto* const part : parts) text.insert(text.end(), part->begin(), part->end());
    return text;
  };
  add("longest", "a.jsonl", joined({&third}));
  add("middle", "a.jsonl", joined({&first, &second}));
  add("one", "b.jsonl", joined({&first}));
  add("two", "b.jsonl", joined({&second}));
  add("three", "b.jsonl", base);
  EXPECT_EQ(run("longest").removed, 3u);
  EXPECT_EQ(kept_for_.at("three"), "longest");
  const DedupSummary covering = run("covering");
  EXPECT_EQ(covering.removed, 3u);
  for (const std::string id : {"one", "two", "three"}) EXPECT_EQ(kept_for_.at(id), "middle");
  EXPECT_EQ(covering.relatives, 1u) << "the longest one, beside the one that is preferred";
}

TEST_F(KeepAndLoss, CoveringIsRefusedIfEverythingSimilarLeaves) {
  add("a", "a.jsonl", words(50));
  write_file(folder_ / "a.jsonl", lines_["a.jsonl"]);
  DedupJob job;
  job.input.paths = {(folder_ / "a.jsonl").string()};
  job.outputs.kept = (folder_ / "kept.jsonl").string();
  job.settings.keep = Keep::covering;
  const auto refused = [&] {
    const auto summary = dedup_files(Context({.threads = 1}), job);
    return summary ? Error() : summary.error();
  };
  job.settings.removal.remove = Remove::similar;
  EXPECT_EQ(refused().code, ErrorCode::invalid_argument);
  EXPECT_EQ(refused().setting, "keep");
  job.settings.removal = {.loss = 1, .loss_run = 1};
  EXPECT_EQ(refused().setting, "keep") << "the same, said by numbers";
  job.settings.removal = {};
  job.settings.verify = false;
  EXPECT_EQ(refused().setting, "keep") << "nobody reads the texts";
  job.settings.verify = true;
  EXPECT_TRUE(dedup_files(Context({.threads = 1}), job));
}

}  // namespace
}  // namespace leitong
