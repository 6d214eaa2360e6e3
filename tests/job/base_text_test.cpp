// Text that does not count since it stands in the base.
#include "job/base_text.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "corpus/corpus_fixture.hpp"
#include "leitong/job.hpp"
#include "made_up_texts.hpp"
#include "test_places.hpp"

namespace leitong {
namespace {

using Json = nlohmann::json;
using ::leitong::testing::edited;
using ::leitong::testing::Random;
using ::leitong::testing::random_text;
using ::testing::HasSubstr;
using Pairs = std::set<std::string>;

/// Five students answer the questions of one sheet.
class WithABase : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::string& question : questions_) question = random_text(random_, 120);
    std::string sheet;
    for (const std::string& question : questions_) sheet += question + "\n";
    write_file(folder_ / "sheet.txt", sheet);
    for (int student = 0; student < 5; ++student) {
      answers_.push_back({random_text(random_, 30), random_text(random_, 25), random_text(random_, 35)});
      add_text(fmt::format("s{}", student), essay(answers_.back()));
    }
  }
  using Answers = std::array<std::string, 3>;
  /// The answers, each behind its question.
  [[nodiscard]] std::string essay(const Answers& answers) const {
    std::string text;
    for (std::size_t i = 0; i < answers.size(); ++i) text += questions_[i] + "\n" + answers[i] + "\n";
    return text;
  }
  void add_text(const std::string& id, const std::string& text) {
    lines_ += Json{{"id", id}, {"text", text}}.dump() + "\n";
  }
  DedupJob job(bool with_base = true) {
    write_file(folder_ / "in.jsonl", lines_);
    DedupJob job;
    job.input.paths = {(folder_ / "in.jsonl").string()};
    job.settings.removal.remove = Remove::similar;
    job.outputs.force = true;
    if (with_base) job.base = {(folder_ / "sheet.txt").string()};
    return job;
  }
  Pairs pairs(DedupJob job, unsigned threads = 1) {
    job.outputs.pairs = (folder_ / "pairs.tsv").string();
    const auto summary = dedup_files(Context({.threads = threads}), job);
    EXPECT_TRUE(summary) << summary.error().message;
    summary_ = summary.value_or(DedupSummary());
    Pairs pairs;
    std::istringstream rows(read_file(job.outputs.pairs));
    for (std::string line; std::getline(rows, line);)
      if (!line.empty() && line[0] != '#' && !line.starts_with("id_a\t"))
        pairs.insert(line.substr(0, line.find('\t', line.find('\t') + 1)));
    return pairs;
  }

  Random random_{11};
  std::string questions_[3];
  std::vector<Answers> answers_;
  TemporaryFolder folder_;
  std::string lines_;
  DedupSummary summary_;
};

TEST_F(WithABase, EssaysThatShareTheSheetAloneAreNotSimilar) {
  EXPECT_EQ(pairs(job(false)).size(), 10U) << "five students are too few for a template";
  EXPECT_EQ(pairs(job()), Pairs());
  EXPECT_EQ(pairs(job(), 4), Pairs());
  EXPECT_EQ(summary_.templates.pairs_refused, 10U);
  EXPECT_EQ(summary_.templates.only_base, 0U);
}

TEST_F(WithABase, CopiesAreFoundAsBefore) {
  Answers copied = answers_[2];
  copied[1] = edited(copied[1], random_, 20);
  add_text("copied", essay(copied));
  EXPECT_EQ(pairs(job()), Pairs{"s2\tcopied"});
  EXPECT_EQ(summary_.removed, 1U);
}

TEST_F(WithABase, AnAnswerWithoutTheSheetIsFoundToo) {
  add_text("bare", answers_[3][0] + "\n" + answers_[3][1] + "\n" + answers_[3][2]);
  EXPECT_EQ(pairs(job()), Pairs{"s3\tbare"});
}

TEST_F(WithABase, ATextThatIsNothingButTheBaseIsCounted) {
  add_text("blank", questions_[0] + "\n" + questions_[1] + "\n" + questions_[2]);
  EXPECT_EQ(pairs(job()), Pairs());
  EXPECT_EQ(summary_.templates.only_base, 1U);
}

TEST_F(WithABase, AnImpossibleBaseIsRefused) {
  DedupJob job = this->job();
  job.settings.template_text = TemplateText::counted;
  auto summary = dedup_files(Context(), job);
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(summary.error().message, HasSubstr("the base: "));
  job = this->job();
  job.base = {(folder_ / "missing.txt").string()};
  summary = dedup_files(Context(), job);
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::not_found);
  write_file(folder_ / "short.txt", "?! ..\n");
  job.base = {(folder_ / "short.txt").string()};
  summary = dedup_files(Context(), job);
  ASSERT_FALSE(summary);
  EXPECT_THAT(summary.error().message, HasSubstr("the base holds no text"));
}

}  // namespace
}  // namespace leitong
