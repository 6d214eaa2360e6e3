// A run over files through the public header, without the command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "corpus/corpus_fixture.hpp"
#include "leitong/job.hpp"

namespace leitong {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using Json = nlohmann::json;

constexpr std::string_view kShort =
    "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。";
constexpr std::string_view kLong =
    "渡船清晨六點開第一班，霧大的日子改到七點。乘客請在北岸的石階旁排隊等候，不要擁擠。";
constexpr std::string_view kOther = "面团要发两次，一次在盆里，一次在模子里，然后烤四十分钟。";

std::string record(std::string_view id, std::string_view text, std::string_view date = "") {
  return Json{{"id", id}, {"text", text}, {"date", date}}.dump() + "\n";
}

class DedupFiles : public ::testing::Test {
 protected:
  DedupFiles() {
    write_file(folder_ / "in.jsonl", record("a", kShort, "2024-05-01") + record("b", kOther, "2020-01-01") +
                                         "no record\n" + record("c", kLong, "2023-05-01"));
    job_.input.paths = {(folder_ / "in.jsonl").string()};
    job_.outputs.kept = (folder_ / "kept.jsonl").string();
  }
  [[nodiscard]] std::string kept() const { return read_file(folder_ / "kept.jsonl"); }
  [[nodiscard]] DedupSummary run() const {
    const auto summary = dedup_files(Context({.threads = 1}), job_);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary.value_or(DedupSummary());
  }
  [[nodiscard]] Error failure() const {
    const auto refused = dedup_files(Context({.threads = 1}), job_);
    EXPECT_FALSE(refused);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "kept.jsonl"));
    return refused ? Error() : refused.error();
  }

  TemporaryFolder folder_;
  DedupJob job_;
};

TEST_F(DedupFiles, WritesWhatStaysAndCountsTheRest) {
  job_.outputs.removed = (folder_ / "removed.jsonl").string();
  job_.outputs.quarantine = (folder_ / "bad.jsonl").string();
  const DedupSummary summary = run();
  EXPECT_EQ(kept(), record("b", kOther, "2020-01-01") + record("c", kLong, "2023-05-01"));
  EXPECT_EQ(summary.records, 4u);
  EXPECT_EQ(summary.documents, 3u);
  EXPECT_EQ(summary.kept, 2u);
  EXPECT_EQ(summary.removed, 1u);
  EXPECT_EQ(summary.quarantined, 1u);
  EXPECT_EQ(summary.pairs, 1u);
  EXPECT_THAT(summary.first_quarantined, HasSubstr("in.jsonl:3"));
  EXPECT_EQ(summary.kept_bytes, kept().size());
  EXPECT_EQ(summary.rule.measure, "jaccard or containment");
  const Json removed = Json::parse(read_file(folder_ / "removed.jsonl"));
  EXPECT_EQ(removed["id"], "a");
  EXPECT_EQ(removed["kept"], "c");
  EXPECT_EQ(
      removed["kept_place"],
      removed["place"].get<std::string>().substr(0, removed["place"].get<std::string>().size() - 1) + "4");
  EXPECT_THAT(read_file(folder_ / "bad.jsonl"), HasSubstr("in.jsonl:3"));
}

TEST_F(DedupFiles, KeepsByAField) {
  job_.settings.keep = parse_keep_policy("newest:date").value();
  EXPECT_EQ(run().removed, 0u) << "the newer one lacks a part of the older one";
  job_.settings.removal.remove = Remove::similar;
  job_.outputs.force = true;
  EXPECT_EQ(run().removed, 1u);
  EXPECT_EQ(kept(), record("a", kShort, "2024-05-01") + record("b", kOther, "2020-01-01"));
}

TEST_F(DedupFiles, ReferencesRemoveOthersAndAreNotWritten) {
  write_file(folder_ / "known.jsonl", record("k", kShort));
  job_.input.reference_paths = {(folder_ / "known.jsonl").string()};
  job_.settings.removal.remove = Remove::similar;
  const DedupSummary summary = run();
  EXPECT_EQ(kept(), record("b", kOther, "2020-01-01"));
  EXPECT_EQ(summary.reference, 1u);
  EXPECT_EQ(summary.kept + summary.removed + summary.quarantined + summary.reference, summary.records);
}

TEST_F(DedupFiles, ComparesByTheMeasureOfTheSettings) {
  job_.settings.measure = "jaccard";
  job_.settings.threshold = .99;
  const DedupSummary summary = run();
  EXPECT_EQ(summary.removed, 0u);
  EXPECT_EQ(summary.rule.measure, "jaccard");
  EXPECT_EQ(summary.rule.threshold, .99);
}

TEST_F(DedupFiles, GivesWarningsAsValues) {
  write_file(folder_ / "in.jsonl", record("a", kShort) + record("a", kOther));
  job_.settings.verify = false;
  job_.settings.method = "minhash";
  const DedupSummary summary = run();
  EXPECT_THAT(summary.warnings, ElementsAre(RunWarning::repeated_ids, RunWarning::unverified));
  ASSERT_EQ(summary.repeated_examples.size(), 1u);
  EXPECT_EQ(summary.repeated_examples[0].id, "a");
  EXPECT_THAT(summary.repeated_examples[0].second_place, HasSubstr("in.jsonl:2"));
}

TEST_F(DedupFiles, OfPairsAloneNothingIsRemoved) {
  job_.decides = false;
  job_.outputs.kept.clear();
  job_.outputs.pairs = (folder_ / "pairs.tsv").string();
  EXPECT_EQ(run().pairs, 1u);
  EXPECT_THAT(read_file(folder_ / "pairs.tsv"), HasSubstr("a\tc\t"));
}

TEST_F(DedupFiles, SaysItInJsonAsTheCommandDoes) {
  const DedupSummary summary = run();
  const Json json = Json::parse(to_json(summary, job_));
  EXPECT_EQ(json["kept"], 2);
  EXPECT_EQ(json["settings"]["keep"], "longest");
  EXPECT_EQ(json["settings"]["inputs"], Json(job_.input.paths));
  EXPECT_EQ(json["settings"]["jaccard_short"], .35);
  EXPECT_EQ(json["settings"]["text_fields"], Json({"text"}));
  EXPECT_EQ(json["settings"]["template_text"], "automatic");
}

TEST_F(DedupFiles, NeverWritesIntoItsInputNorTwoOutputsIntoOneFile) {
  const std::string input = job_.input.paths[0], before = read_file(input);
  job_.outputs.force = true;
  job_.outputs.removed = input;
  EXPECT_THAT(failure().message, HasSubstr("the removed documents " + input + " would write into the input"));
  EXPECT_EQ(read_file(input), before);
  job_.outputs.removed = job_.outputs.kept;
  EXPECT_THAT(failure().message, HasSubstr("the kept records and the removed documents are both"));
  job_.outputs.removed.clear();
  job_.input.reference_paths = {(folder_ / "known.jsonl").string()};
  job_.outputs.pairs = job_.input.reference_paths[0];
  write_file(job_.outputs.pairs, record("k", kOther));
  EXPECT_EQ(failure().code, ErrorCode::invalid_argument);
}

TEST_F(DedupFiles, RefusesContradictorySettings) {
  job_.settings.keep = Keep::ranked;
  EXPECT_EQ(failure().code, ErrorCode::invalid_argument);
  job_.settings.keep = Keep::longest;
  job_.settings.measure = "cosine";
  job_.settings.threshold = .5;
  EXPECT_THAT(failure().message, HasSubstr("cosine"));
  job_.settings.measure = "jaccard";
  job_.settings.threshold = .5;
  job_.settings.strict_match = true;
  EXPECT_EQ(failure().code, ErrorCode::invalid_argument);
  job_.settings.measure.clear();
  job_.settings.threshold.reset();
  job_.settings.preset = Preset::strict;
  EXPECT_THAT(failure().message, HasSubstr("a preset is a rule of its own"));
  EXPECT_EQ(failure().setting, "preset");
  EXPECT_EQ(failure().other, "strict_match");
  job_.settings = {};
  job_.input.kind = "parchment";
  EXPECT_THAT(failure().message, HasSubstr("parchment"));
  job_.input.kind.clear();
  job_.input.paths = {(folder_ / "none.jsonl").string()};
  EXPECT_EQ(failure().code, ErrorCode::not_found);
}

TEST_F(DedupFiles, StrictInputEndsAtTheFirstBadRecord) {
  job_.input.strict = true;
  const Error error = failure();
  EXPECT_EQ(error.code, ErrorCode::corrupt);
  EXPECT_THAT(error.message, HasSubstr("in.jsonl:3"));
}

TEST_F(DedupFiles, AStopLeavesNoOutput) {
  Context context({.threads = 1});
  context.request_stop();
  const auto stopped = dedup_files(context, job_);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kept.jsonl"));
}

TEST_F(DedupFiles, AStoppedRunContinuesFromItsFolder) {
  job_.resume_folder = folder_ / "stages";
  Context* self = nullptr;
  Context context({.threads = 1, .progress = [&](const Progress& at) {
                     if (at.stage == "writing") self->request_stop();
                   }});
  self = &context;
  ASSERT_FALSE(dedup_files(context, job_));
  EXPECT_FALSE(std::filesystem::is_empty(job_.resume_folder));
  EXPECT_EQ(run().removed, 1u);
  EXPECT_EQ(kept(), record("b", kOther, "2020-01-01") + record("c", kLong, "2023-05-01"));
}

TEST_F(DedupFiles, EachStageHasATotal) {
  std::set<std::string, std::less<>> stages;
  const Context context({.threads = 1, .progress = [&](const Progress& at) {
                           stages.emplace(at.stage);
                           EXPECT_GT(at.total, 0u) << at.stage;
                           EXPECT_LE(at.done, at.total) << at.stage;
                         }});
  ASSERT_TRUE(dedup_files(context, job_));
  EXPECT_THAT(stages,
              IsSupersetOf({"reading", "matching", "verifying", "clustering", "weighing losses", "writing"}));
}

TEST_F(DedupFiles, AnEstimateWritesNothing) {
  const auto judged = estimate(Context({.threads = 1}), job_);
  ASSERT_TRUE(judged) << judged.error().message;
  EXPECT_TRUE(judged->whole);
  EXPECT_EQ(judged->documents, 3u);
  EXPECT_NEAR(judged->removed, 1 / 3., 1e-9);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kept.jsonl"));
}

TEST(InputKinds, AreThoseThatAJobTakes) { EXPECT_THAT(input_kinds(), Contains("jsonl")); }

}  // namespace
}  // namespace leitong
