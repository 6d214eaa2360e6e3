// --resume: a run that was killed goes on from its last whole stage, to the same bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/process.hpp"
#include "dedup/texts.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Resume : public ::testing::Test {
 protected:
  Resume() {
    std::string lines;
    for (const std::string& text : leitong::testing::random_corpus(21, 4'000)) lines += text + "\n";
    corpus_ = folder_.write("corpus.txt", lines);
    EXPECT_EQ(leitong(command("alone")).code, 0);
    alone_ = outputs("alone");
  }
  [[nodiscard]] std::vector<std::string> command(const std::string& name) const {
    return {"dedup",     corpus_,
            "--kind",    "lines",
            "-o",        folder_ / (name + ".kept"),
            "--removed", folder_ / (name + ".removed"),
            "--pairs",   folder_ / (name + ".pairs")};
  }
  [[nodiscard]] std::vector<std::string> resumed(const std::string& name) const {
    auto all = command(name);
    all.insert(all.end(), {"--resume", folder_ / "stages"});
    return all;
  }
  [[nodiscard]] std::vector<std::string> outputs(const std::string& name) const {
    std::vector<std::string> bytes;
    for (const char* ending : {".kept", ".removed", ".pairs"})
      bytes.push_back(read_file(folder_ / (name + ending)));
    return bytes;
  }
  [[nodiscard]] std::vector<std::string> stages() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "stages"))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  /// Starts the run and kills it when the stage's file stands; false if it ended before.
  [[nodiscard]] bool kill_at(const std::string& stage, const std::vector<std::string>& run) const {
    const std::string script =
        "\"$@\" 2>/dev/null & pid=$!\n"
        "while [ ! -e '" +
        (folder_ / ("stages/" + stage)) +
        "' ] && kill -0 $pid 2>/dev/null; do :; done\n"
        "kill -9 $pid 2>/dev/null; wait $pid; [ $? -eq 137 ]";
    std::vector<std::string> shell = {"bash", "-c", script, "bash", LEITONG_BINARY};
    shell.insert(shell.end(), run.begin(), run.end());
    return run_program(shell).code == 0;
  }

  TempFolder folder_;
  std::string corpus_;
  std::vector<std::string> alone_;
};

TEST_F(Resume, AfterAKillAtEachStageTheBytesAreThoseOfARunInOneGo) {
  for (const std::string stage : {"sketches-1.stage", "verdicts-1.stage", "pairs.stage", "decisions.stage"}) {
    // Where the run is quicker than the kill there is nothing to resume: once more.
    for (int attempt = 0; attempt < 20 && !kill_at(stage, resumed(stage + std::to_string(attempt)));
         ++attempt) {
    }
    const Outcome again = leitong(resumed(stage));
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(outputs(stage), alone_) << stage;
    EXPECT_THAT(stages(), IsEmpty()) << "the outputs stand";
  }
}

TEST_F(Resume, StagesOfOtherFlagsOrInputsAreRefusedWithWhatDiffers) {
  while (!kill_at("pairs.stage", resumed("first"))) {
  }
  auto other = resumed("other");
  other.insert(other.end(), {"--threshold", "0.6"});
  const Outcome flags = leitong(other);
  EXPECT_EQ(flags.code, 2);
  EXPECT_THAT(flags.err, HasSubstr("threshold was"));
  folder_.write("corpus.txt", read_file(corpus_) + "one more line\n");
  const Outcome input = leitong(resumed("other"));
  EXPECT_EQ(input.code, 2);
  EXPECT_THAT(input.err, HasSubstr("corpus.txt"));
}

TEST_F(Resume, StagesOfAnotherSchemeAreRefused) {
  const std::string words = folder_.write("words.txt", "雷同\n");
  auto by_words = [&](const std::string& name) {
    auto all = resumed(name);
    all.insert(all.end(), {"--method", "simhash", "--stop-words", words});
    return all;
  };
  // Stages that a killed run left, with a file of stop words that changed under its name.
  while (!kill_at("pairs.stage", by_words("first"))) {
  }
  folder_.write("words.txt", "打雷\n");
  const Outcome refused = leitong(by_words("second"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("scheme was simhash/"));
}

TEST_F(Resume, WhatCannotBeReadAgainIsRefused) {
  const Outcome pipe =
      leitong({"dedup", "-", "-o", folder_ / "kept", "--resume", folder_ / "stages"}, "{\"text\":\"a\"}\n");
  EXPECT_NE(pipe.code, 0);
  EXPECT_THAT(pipe.err, HasSubstr("read again"));
}

TEST_F(Resume, WithoutItNothingWithANameIsLeft) {
  EXPECT_THAT(folder_.list(), ElementsAre("alone.kept", "alone.pairs", "alone.removed", "corpus.txt"));
}

}  // namespace
}  // namespace leitong::test
