// A spread run decides as one machine does, whatever its parts do meanwhile.
#include "leitong/spread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "corpus/corpus_fixture.hpp"
#include "leitong/job.hpp"
#include "made_up_texts.hpp"
#include "spread/steps.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;
using testing::edited;
using ::testing::HasSubstr;
using testing::Random;
using testing::random_text;
using Json = nlohmann::json;
using Texts = std::vector<std::string>;

/// Hot keys, large families, a site with a frame, copies, and copies that differ in signs.
Texts skewed(std::size_t count, std::size_t family) {
  Random random(7);
  const std::string head = random_text(random, 60), foot = random_text(random, 80),
                    near = random_text(random, 400), far = random_text(random, 900),
                    signs = random_text(random, 120);
  Texts texts;
  for (std::size_t i = 0; i < family; ++i) texts.push_back(edited(near, random, 16 + random.below(200)));
  for (std::size_t i = 0; i < family / 4; ++i) texts.push_back(edited(far, random, 10 + random.below(90)));
  for (std::size_t i = 0; i < count / 4; ++i)
    texts.push_back(head + random_text(random, 60 + random.below(400)) + foot);
  while (texts.size() < count * 9 / 10) {
    texts.push_back(random_text(random, 20 + random.below(600)));
    if (random.below(5) == 0) texts.push_back(edited(texts.back(), random, 12 + random.below(90)));
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (const char* const end : {"，1 < 2。", "：1 > 2", "，1 > 2"}) texts.push_back(signs + end);
  for (const char* const tiny : {"C", "C++", "c", "。", "..", "a"}) texts.emplace_back(tiny);
  while (texts.size() < count) texts.push_back(texts[random.below(texts.size())]);
  for (std::size_t i = texts.size(); i > 1; --i) std::swap(texts[i - 1], texts[random.below(i)]);
  return texts;
}

std::string line_of(std::size_t id, const std::string& text) {
  return Json{{"id", std::to_string(id)}, {"text", text}}.dump() + "\n";
}

using Removed = std::map<std::string, std::tuple<std::string, std::string, float>>;
using Pairs = std::map<std::pair<std::string, std::string>, std::tuple<std::string, float, float>>;

Removed removed_in(const std::string& lines) {
  Removed removed;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const Json row = Json::parse(line);
    removed[row["id"]] = {row["kept"], row["measure"], row["score"].get<float>()};
  }
  return removed;
}

class Spread : public ::testing::Test {
 protected:
  /// JSONL files of these texts, in order.
  void write_inputs(const Texts& texts, std::size_t files) {
    const std::size_t each = texts.size() / files + 1;
    for (std::size_t file = 0; file < files; ++file) {
      std::string lines;
      for (std::size_t i = file * each; i < std::min(texts.size(), (file + 1) * each); ++i)
        lines += line_of(i, texts[i]);
      write_file(folder_ / (std::to_string(file) + ".jsonl"), lines);
      job_.input.paths.push_back((folder_ / (std::to_string(file) + ".jsonl")).string());
    }
  }

  void plan(std::uint32_t parts, std::string_view name = "run") {
    job_.work = folder_ / name / "work";
    job_.output = folder_ / name / "out";
    job_.parts = parts;
    const auto planned = plan_spread(context_, job_);
    ASSERT_TRUE(planned) << planned.error().message;
  }
  [[nodiscard]] std::vector<SpreadStage> stages() const { return spread_stages(context_, job_.work).value(); }
  void run_all() const {
    for (const SpreadStage& stage : stages())
      for (std::uint32_t part = stage.parts; part-- > 0;) {  // in any order
        const auto done = run_part(context_, job_.work, stage.name, part);
        ASSERT_TRUE(done) << stage.name << ": " << done.error().message;
        EXPECT_TRUE(*done);
      }
  }

  [[nodiscard]] std::string output(std::string_view kind) const {
    std::set<fs::path> files;
    for (const auto& file : fs::directory_iterator(job_.output / kind)) files.insert(file.path());
    std::string all;
    for (const fs::path& file : files) all += read_file(file);
    return all;
  }
  [[nodiscard]] Pairs pairs() const {
    Pairs pairs;
    std::istringstream in(output("pairs"));
    for (std::string line; std::getline(in, line);) {
      std::istringstream row(line);
      std::string a, b, measure;
      float score = 0, jaccard = 0, containment = 0;
      if (!(row >> a >> b >> measure >> score >> jaccard >> containment))
        continue;  // the names of the columns
      EXPECT_TRUE(pairs.insert({{a, b}, {measure, jaccard, containment}}).second) << line;
    }
    return pairs;
  }

  void expect_as_one_machine(const Texts& texts) const {
    DedupJob job{.input = job_.input, .settings = job_.settings};
    job.outputs = {.kept = (folder_ / "one.jsonl").string(),
                   .removed = (folder_ / "one-removed.jsonl").string(),
                   .quarantine = (folder_ / "one-bad.jsonl").string(),
                   .force = true};
    job.settings.measure_recall = false;
    const auto summary = dedup_files(context_, job);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(output("kept"), read_file(folder_ / "one.jsonl"));
    EXPECT_EQ(removed_in(output("removed")), removed_in(read_file(folder_ / "one-removed.jsonl")));
    EXPECT_EQ(output("quarantine"), read_file(folder_ / "one-bad.jsonl"));

    const auto found = deduplicate(context_, testing::views(texts), job.settings).value().pairs().value();
    Pairs expected;
    for (const VerifiedTexts& pair : found)
      expected[{std::to_string(pair.a), std::to_string(pair.b)}] = {
          std::string(pair.measure), static_cast<float>(pair.jaccard), static_cast<float>(pair.containment)};
    EXPECT_EQ(pairs(), expected);
  }

  /// The bytes of all files of a run but those that tell how long it took.
  [[nodiscard]] std::map<std::string, std::string> files_of(std::string_view name) const {
    std::map<std::string, std::string> files;
    for (const auto& file : fs::recursive_directory_iterator(folder_ / name))
      if (file.is_regular_file() && file.path().parent_path().filename() != "done" &&
          file.path().filename() != "plan.json" && !file.path().filename().string().starts_with('.'))
        files[fs::relative(file.path(), folder_ / name)] = read_file(file.path());
    return files;
  }

  TemporaryFolder folder_;
  Context context_{{.threads = 2}};
  SpreadJob job_;
};

struct Case {
  std::uint32_t parts;
  TemplateText templates;
};
class SpreadInParts : public Spread, public ::testing::WithParamInterface<Case> {};

TEST_P(SpreadInParts, DecidesHotKeysFamiliesFramesAndCopiesAsOneMachine) {
  const Texts texts = skewed(1'500, 200);
  write_inputs(texts, 3);
  job_.settings.template_text = GetParam().templates;
  plan(GetParam().parts);
  run_all();
  expect_as_one_machine(texts);
}

INSTANTIATE_TEST_SUITE_P(Cases, SpreadInParts,
                         ::testing::Values(Case{1, TemplateText::automatic}, Case{5, TemplateText::automatic},
                                           Case{1, TemplateText::counted}, Case{4, TemplateText::counted}));

TEST_F(Spread, FollowsTheSettingsOfOneMachine) {
  const Texts texts = testing::random_corpus(3, 800);
  write_inputs(texts, 2);
  const DedupSettings settings[] = {
      {.strict_match = true, .keep = Keep::first},
      {.threshold = .7, .measure = "jaccard"},
      {.marks = Marks::keep, .removal = {.remove = Remove::similar, .numbers = Numbers::masked}}};
  int number = 0;
  for (const DedupSettings& some : settings) {
    job_.settings = some;
    plan(2, "run" + std::to_string(number++));
    run_all();
    expect_as_one_machine(texts);
  }
}

TEST_F(Spread, PutsBadRecordsAsideAsTheCommandDoes) {
  const Texts texts = testing::random_corpus(5, 40);
  write_inputs(texts, 2);
  write_file(folder_ / "bad.jsonl", line_of(100, texts[0]) + "{\"text\": 5}\n\nno record\n" +
                                        "{\"text\": \"\"}\n{\"text\": \"a text that has no id\"}\n");
  job_.input.paths.push_back((folder_ / "bad.jsonl").string());
  plan(1);
  run_all();
  DedupJob job{.input = job_.input, .settings = job_.settings};
  job.outputs = {.kept = (folder_ / "one.jsonl").string(),
                 .quarantine = (folder_ / "one-bad.jsonl").string()};
  ASSERT_TRUE(dedup_files(context_, job));
  EXPECT_EQ(output("quarantine"), read_file(folder_ / "one-bad.jsonl"));
  EXPECT_THAT(output("quarantine"), HasSubstr("bad.jsonl:2"));
  EXPECT_EQ(output("kept").size(), read_file(folder_ / "one.jsonl").size());
}

TEST_F(Spread, DecidesWithoutKeptRecordsWhereNoneAreWanted) {
  write_inputs(testing::random_corpus(7, 60), 2);
  plan(2, "all");
  run_all();
  const std::string removed = output("removed"), found = output("pairs");
  job_.write_kept = false;
  plan(2, "decisions");
  run_all();
  EXPECT_EQ(output("removed"), removed);
  EXPECT_EQ(output("pairs"), found);
  EXPECT_FALSE(fs::exists(job_.output / "kept"));
}

TEST_F(Spread, ReadsCompressedFilesAndTablesOfTextByCopies) {
  const Texts texts = testing::random_corpus(9, 60);
  write_inputs(texts, 1);
  std::string table = "id,text\n";
  for (std::size_t i = 0; i < 30; ++i) table += std::to_string(500 + i) + ",\"" + texts[i] + "\"\n";
  write_file(folder_ / "more.csv", table);
  job_.input.paths.push_back((folder_ / "more.csv").string());
  plan(2);
  run_all();
  EXPECT_EQ(read_file(job_.output / "kept" / "more.csv").substr(0, 8), "id,text\n");
  const Removed removed = removed_in(output("removed"));
  for (std::size_t i = 0; i < 30; ++i) EXPECT_TRUE(removed.contains(std::to_string(500 + i))) << texts[i];
}

TEST_F(Spread, IsUnchangedByPartsThatRunTwiceAndByWhatKilledOnesLeft) {
  write_inputs(skewed(600, 80), 3);
  plan(3, "a");
  run_all();
  const auto expected = files_of("a");
  plan(3, "b");
  for (const SpreadStage& stage : stages())
    for (std::uint32_t part = 0; part < stage.parts; ++part) {
      // What a killed one may have left: files without a name of their own.
      fs::create_directories(job_.work / stage.name);
      write_file(job_.work / stage.name / (".0." + std::to_string(::getpid()) + "-0.part"), "incomplete");
      ASSERT_TRUE(run_part(context_, job_.work, stage.name, part));
      EXPECT_FALSE(run_part(context_, job_.work, stage.name, part).value()) << "it is not done again";
      EXPECT_TRUE(run_part(context_, job_.work, stage.name, part, true).value());
    }
  EXPECT_EQ(files_of("b"), expected);
}

TEST_F(Spread, RefusesWhatItCannotDo) {
  const auto refusal = [](const auto& result) {
    return result ? std::string("it was done") : result.error().message;
  };
  write_inputs(testing::random_corpus(3, 60), 2);
  plan(2);
  EXPECT_TRUE(plan_spread(context_, job_)) << "the same plan changes nothing";
  SpreadJob other = job_;
  other.parts = 3;
  EXPECT_THAT(refusal(plan_spread(context_, other)), HasSubstr("holds another run"));
  other.work = folder_ / "other";
  other.settings.keep = Keep::newest;
  EXPECT_THAT(refusal(plan_spread(context_, other)), HasSubstr("knows longest and first"));
  other.settings = {.method = "simhash"};
  EXPECT_THAT(refusal(plan_spread(context_, other)), HasSubstr("only the method default"));
  other.settings = {};
  other.input.paths.push_back((folder_ / "1.jsonl").string());
  EXPECT_THAT(refusal(plan_spread(context_, other)), HasSubstr("two inputs have the name 1.jsonl"));
  other.input.paths = {"-"};
  EXPECT_THAT(refusal(plan_spread(context_, other)), HasSubstr("standard input"));

  EXPECT_THAT(refusal(run_part(context_, job_.work, "join", 0)),
              HasSubstr("part 0 of sketch has not been done, which comes before join"));
  EXPECT_THAT(refusal(run_part(context_, job_.work, "sketch", 2)), HasSubstr("its parts are 0 to 1"));
  EXPECT_THAT(refusal(run_part(context_, job_.work, "guess", 0)), HasSubstr("no stage"));
  EXPECT_THAT(refusal(run_part(context_, folder_ / "none", "sketch", 0)), HasSubstr("plan the run first"));
  write_file(folder_ / "0.jsonl", "{\"text\": 5}\n");
  EXPECT_THAT(refusal(run_part(context_, job_.work, "sketch", 0)) +
                  refusal(run_part(context_, job_.work, "sketch", 1)),
              HasSubstr("has changed since the run was planned"));
  Json changed = Json::parse(read_file(job_.work / "plan.json"));
  changed["leitong"] = "0.0.1";
  write_file(job_.work / "plan.json", changed.dump());
  EXPECT_THAT(refusal(run_part(context_, job_.work, "sketch", 0)),
              HasSubstr("All parts of a run need one version"));
}

}  // namespace
}  // namespace leitong
