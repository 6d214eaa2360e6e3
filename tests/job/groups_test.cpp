// Comparing within and across the values of a field, and keeping one document for each value.
#include "job/groups.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "corpus/corpus_fixture.hpp"
#include "leitong/job.hpp"
#include "leitong/read.hpp"
#include "made_up_texts.hpp"
#include "test_places.hpp"

namespace leitong {
namespace {

using Json = nlohmann::json;
using ::leitong::testing::edited;
using ::leitong::testing::Random;
using ::leitong::testing::random_text;
using ::testing::HasSubstr;
using Pairs = std::set<std::pair<std::string, std::string>>;
using Groups = std::map<std::string, std::string>;

class ComparingByGroups : public ::testing::Test {
 protected:
  void add(const std::string& id, std::string text, const std::string& group) {
    Json record{{"id", id}, {"text", std::move(text)}};
    if (!group.empty()) record["group"] = group;
    lines_ += record.dump() + "\n";
    group_[id] = group;
  }
  /// Families of edited texts, with copies and sites' frames; each document in one of `groups` groups or
  /// none.
  void add_generated(std::size_t groups) {
    Random random(7);
    const std::string frame = random_text(random, 200);
    for (int family = 0; family < 60; ++family) {
      const std::string text = random_text(random, 80 + random.below(300));
      const std::size_t members = 1 + random.below(6);
      for (std::size_t i = 0; i < members; ++i) {
        const std::uint64_t value = random.below(groups + 1);
        std::string form = random.below(3) == 0 ? text : edited(text, random, 40);
        if (random.below(4) == 0) form = frame + form;
        add(fmt::format("{}.{}", family, i), form, value == groups ? "" : fmt::format("g{}", value));
      }
    }
  }
  DedupJob job() {
    write_file(folder_ / "in.jsonl", lines_);
    DedupJob job;
    job.input.paths = {(folder_ / "in.jsonl").string()};
    job.settings.method = "all-pairs";
    job.outputs.force = true;
    return job;
  }
  DedupSummary run(const DedupJob& job, unsigned threads = 1) {
    const auto summary = dedup_files(Context({.threads = threads}), job);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary.value_or(DedupSummary());
  }
  Pairs pairs(DedupJob job, unsigned threads = 1) {
    job.outputs.pairs = (folder_ / "pairs.tsv").string();
    job.decides = false;
    summary_ = run(job, threads);
    Pairs pairs;
    std::istringstream rows(read_file(job.outputs.pairs));
    for (std::string line; std::getline(rows, line);) {
      if (line.empty() || line[0] == '#') continue;
      const std::size_t tab = line.find('\t');
      std::string a = line.substr(0, tab), b = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
      if (group_.contains(a) && group_.contains(b)) pairs.insert(std::minmax(a, b));
    }
    return pairs;
  }
  /// The kept document of each removed one.
  std::map<std::string, std::string> removed(DedupJob job, unsigned threads = 1) {
    job.outputs.removed = (folder_ / "removed.jsonl").string();
    summary_ = run(job, threads);
    std::map<std::string, std::string> kept;
    std::istringstream rows(read_file(job.outputs.removed));
    for (std::string line; std::getline(rows, line);) {
      const Json row = Json::parse(line);
      kept[row.at("id")] = row.at("kept");
    }
    return kept;
  }
  Pairs filtered(const Pairs& all, const std::function<bool(std::string, std::string)>& may) {
    Pairs pairs;
    for (const auto& [a, b] : all)
      if (may(group_[a], group_[b])) pairs.insert({a, b});
    return pairs;
  }
  static bool same(const std::string& a, const std::string& b) { return a == b; }
  static bool other(const std::string& a, const std::string& b) { return a.empty() || a != b; }

  void expect_filtered() {
    for (const bool similar : {true, false}) {
      DedupJob job = this->job();
      if (similar) job.settings.removal.remove = Remove::similar;
      const Pairs all = pairs(job);
      ASSERT_GT(all.size(), 50U);
      job.within = "group";
      const Pairs within = filtered(all, same);
      EXPECT_EQ(pairs(job), within);
      EXPECT_EQ(pairs(job, 2), within);
      EXPECT_EQ(summary_.recall.pairs, summary_.recall.found);
      for (const auto& [document, kept] : removed(job)) EXPECT_EQ(group_[document], group_[kept]);
      job.within.clear();
      job.across = "group";
      const Pairs across = filtered(all, other);
      EXPECT_EQ(pairs(job), across);
      EXPECT_EQ(summary_.recall.pairs, summary_.recall.found);
      for (const auto& [document, kept] : removed(job)) EXPECT_TRUE(other(group_[document], group_[kept]));
      EXPECT_GT(within.size(), 10U);
      EXPECT_GT(across.size(), 10U);
    }
  }

  TemporaryFolder folder_;
  std::string lines_;
  Groups group_;
  DedupSummary summary_;
};

TEST_F(ComparingByGroups, GivesThePairsOfAllPairsThatAFilterLeaves) {
  add_generated(3);
  expect_filtered();
}

TEST_F(ComparingByGroups, GivesThemOnTheDevelopersTextsToo) {
  for (const std::string name : {"poem-editions-zh", "lctt-revisions-zh"}) {
    const std::string path = LEITONG_SOURCE_DIR "/../shared/data/" + name + ".docs.jsonl.zst";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "the developers' texts aren't here";
    Random random(3);
    std::size_t left = 2'500;  // all pairs are compared
    const auto take = [&](const InputDocument& document) -> Result<void> {
      if (left == 0) return {};
      --left;
      add(std::string(document.id), std::string(document.text),
          random.below(9) == 0 ? "" : fmt::format("g{}", random.below(4)));
      return {};
    };
    const auto read = read_documents(Context(), InputFiles{.paths = {path}}, take);
    ASSERT_TRUE(read) << read.error().message;
  }
  expect_filtered();
}

TEST_F(ComparingByGroups, CopiesAreDividedToo) {
  Random random(1);
  const std::string text = random_text(random, 100);
  for (const std::string id : {"a1", "a2", "b1", "b2", "c1"}) add(id, text, id.substr(0, 1));
  DedupJob job = this->job();
  job.within = "group";
  EXPECT_EQ(removed(job), (Groups{{"a2", "a1"}, {"b2", "b1"}}));
  job.within.clear();
  job.across = "group";
  EXPECT_EQ(removed(job), (Groups{{"b1", "a1"}, {"b2", "a1"}, {"c1", "a1"}}))
      << "a2 is never compared with a1";
  EXPECT_EQ(summary_.removed, 3U);
}

TEST_F(ComparingByGroups, OfEachValueOneStays) {
  Random random(1);
  const std::string text = random_text(random, 300);
  add("a1", text + random_text(random, 9), "a");
  for (const std::string id : {"a2", "b1", "b2", "c1", "n1", "n2"})
    add(id, edited(text, random, 200), id[0] == 'n' ? "" : id.substr(0, 1));
  for (const auto remove : {Remove::similar, Remove::wide}) {
    DedupJob job = this->job();
    job.settings.removal.remove = remove;
    const auto without = removed(job);
    ASSERT_EQ(without.size(), 6U);
    job.keep_each = "group";
    EXPECT_EQ(removed(job), (Groups{{"a2", "a1"}, {"b2", "a1"}, {"n2", "a1"}}));
    EXPECT_EQ(summary_.kept_for_value, 3U);
    EXPECT_EQ(summary_.relatives, 0U);
    EXPECT_EQ(summary_.without_group, 2U);
    EXPECT_THAT(summary_.warnings, ::testing::Contains(RunWarning::without_group));
  }
}

TEST_F(ComparingByGroups, AFieldThatNoRecordHasIsRefused) {
  add("a", "one text of several words", "g");
  DedupJob job = this->job();
  for (std::string* const field : {&job.within, &job.across, &job.keep_each}) {
    *field = "grup";
    const auto summary = dedup_files(Context(), job);
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(summary.error().message, HasSubstr("field \"grup\" is missing (found: group, id, text)"));
    field->clear();
  }
}

TEST_F(ComparingByGroups, AnIndexHasNoFields) {
  add("a", "one text of several words", "g");
  DedupJob job = this->job();
  job.reference_indexes = {(folder_ / "index").string()};
  job.within = "group";
  EXPECT_THAT(dedup_files(Context(), job).error().message,
              HasSubstr("the field group: the texts of an index have no fields"));
}

/// A family that is too large to be compared all with all.
TEST_F(ComparingByGroups, OfALargeFamilyEveryGroupKeepsFew) {
  Random random(5);
  const std::string text = random_text(random, 250);
  constexpr std::size_t kGroups = 30;
  for (std::size_t i = 0; i < 3'000; ++i)
    add(fmt::format("d{}", i), edited(text, random, 60), fmt::format("g{}", i % kGroups));
  DedupJob job = this->job();
  job.settings.method = "default";
  job.settings.removal.remove = Remove::similar;
  job.within = "group";
  const auto kept = removed(job);
  EXPECT_GE(kept.size(), 3'000 - 2 * kGroups);
  EXPECT_LE(kept.size(), 3'000 - kGroups);
  EXPECT_EQ(removed(job, 2), kept);
}

}  // namespace
}  // namespace leitong
