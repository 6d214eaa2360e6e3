// --resume: a run that was killed continues after its last complete stage and gives the same bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/process.hpp"
#include "made_up_texts.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Runs of one command over one corpus.
class ResumedRuns : public ::testing::Test {
 protected:
  /// `words`: the command and its flags, but for those of outputs, which are pairs of a flag and a name's
  /// ending. `frame`: stands at the end of each text.
  ResumedRuns(std::vector<std::string> words, std::vector<std::pair<std::string, std::string>> named,
              const std::string& frame = "")
      : words_(std::move(words)), outputs_(std::move(named)) {
    std::string lines;
    for (const std::string& text : leitong::testing::random_corpus(21, 4'000)) lines += text + frame + "\n";
    corpus_ = folder_.write("corpus.txt", lines);
    EXPECT_EQ(leitong(command("alone")).code, 0);
    alone_ = outputs("alone");
  }
  [[nodiscard]] std::vector<std::string> command(const std::string& name) const {
    std::vector<std::string> all = words_;
    all.insert(all.end(), {corpus_, "--kind", "lines"});
    for (const auto& [flag, ending] : outputs_) all.insert(all.end(), {flag, folder_ / (name + ending)});
    return all;
  }
  [[nodiscard]] std::vector<std::string> resumed(const std::string& name) const {
    auto all = command(name);
    all.insert(all.end(), {"--resume", folder_ / "stages"});
    return all;
  }
  [[nodiscard]] std::vector<std::string> outputs(const std::string& name) const {
    std::vector<std::string> bytes;
    for (const auto& [flag, ending] : outputs_) bytes.push_back(read_file(folder_ / (name + ending)));
    return bytes;
  }
  [[nodiscard]] std::vector<std::string> stages() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "stages"))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  /// Starts the run and kills it when the file of the stage exists; returns false if the run ended before.
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
  /// Leaves all stages of a run that was killed. No process reads the kept documents that it writes, so it
  /// waits after its last stage, however fast the machine is.
  void leave_stages(std::vector<std::string> run, const std::string& last = "decisions.stage") const {
    *(std::ranges::find(run, "-o") + 1) = "-";
    const std::string pipe = folder_ / "unread",
                      script = "mkfifo '" + pipe + "' && exec 3<>'" + pipe +
                               "'\n"
                               "\"$@\" >&3 2>/dev/null & pid=$!\n"
                               "while [ ! -e '" +
                               (folder_ / ("stages/" + last)) +
                               "' ] && kill -0 $pid 2>/dev/null; do sleep .01; done\n"
                               "kill -9 $pid 2>/dev/null; wait $pid; [ $? -eq 137 ]";
    std::vector<std::string> shell = {"bash", "-c", script, "bash", LEITONG_BINARY};
    shell.insert(shell.end(), run.begin(), run.end());
    ASSERT_EQ(run_program(shell).code, 0);
  }

  std::vector<std::string> words_;
  std::vector<std::pair<std::string, std::string>> outputs_;
  TempFolder folder_;
  std::string corpus_;
  std::vector<std::string> alone_;
};

class Resume : public ResumedRuns {
 protected:
  Resume() : ResumedRuns({"dedup"}, {{"-o", ".kept"}, {"--removed", ".removed"}, {"--pairs", ".pairs"}}) {}
};

TEST_F(Resume, AfterAKillAtEachStageTheBytesAreThoseOfARunInOneGo) {
  for (const std::string stage : {"sketches-1.stage", "verdicts-1.stage", "pairs.stage", "decisions.stage"}) {
    // If the run ends before the kill there is nothing to resume, so it is tried again.
    for (int attempt = 0; attempt < 20 && !kill_at(stage, resumed(stage + std::to_string(attempt)));
         ++attempt) {
    }
    const Outcome again = leitong(resumed(stage));
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(outputs(stage), alone_) << stage;
    EXPECT_THAT(stages(), IsEmpty()) << "the outputs stand";
  }
}

// LEITONG_KILLS sets another number of kills.
TEST_F(Resume, AfterRandomKillsTheBytesAreThoseOfARunInOneGo) {
  const char* const wish = std::getenv("LEITONG_KILLS");
  const int kills = wish != nullptr ? std::atoi(wish) : 12;
  // In the shell, which detects at once that a run has ended: then there was nothing to kill.
  const std::string script =
      "delay=$1; shift; \"$@\" 2>/dev/null & pid=$!\n"
      "for ((i = 0; i < delay; ++i)); do sleep .001; kill -0 $pid 2>/dev/null || break; done\n"
      "kill -9 $pid 2>/dev/null; wait $pid";
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(leitong(resumed("timed")).code, 0);
  const auto whole =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  std::mt19937 random(5);
  int killed = 0, finished = 0;
  while (killed < kills) {
    std::vector<std::string> shell = {
        "bash", "-c", script, "bash", std::to_string(random() % (whole.count() + 1)), LEITONG_BINARY};
    const auto run = resumed("killed");
    shell.insert(shell.end(), run.begin(), run.end());
    shell.emplace_back("--force");
    const int code = run_program(shell).code;
    killed += code == 137;
    if (code == 137) continue;
    ASSERT_EQ(code, 0);
    ASSERT_EQ(outputs("killed"), alone_) << "after " << killed << " kills";
    ASSERT_THAT(stages(), IsEmpty());
    ++finished;
  }
  EXPECT_EQ(leitong(resumed("last")).code, 0);
  EXPECT_EQ(outputs("last"), alone_);
  EXPECT_GT(finished, 0) << "of the resumed runs none came to its end";
}

TEST_F(Resume, StagesOfOtherFlagsOrInputsAreRefusedWithWhatDiffers) {
  leave_stages(resumed("first"));
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
  // The stages that a killed run left, with a file of stop words whose content changed later.
  leave_stages(by_words("first"));
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

class TrimResume : public ResumedRuns, public ::testing::WithParamInterface<const char*> {
 protected:
  TrimResume()
      : ResumedRuns(
            {"trim", "--part", GetParam(), "--least", GetParam() == std::string("passage") ? "20" : "1"},
            {{"-o", ".kept"}, {"--spans", ".spans"}},
            "。本页面的文字由读者自愿提供，转载时请写明出处并且不得用于商业目的。") {}
  [[nodiscard]] static bool is_template() { return GetParam() == std::string("template"); }
};
INSTANTIATE_TEST_SUITE_P(Parts, TrimResume, ::testing::Values("sentence", "passage", "template"),
                         [](const auto& given) { return given.param; });

TEST_P(TrimResume, AfterAKillAtEachStageTheBytesAreThoseOfARunInOneGo) {
  ASSERT_THAT(alone_[1], Not(IsEmpty())) << "nothing repeats";
  const std::string first = is_template() ? "sketches-1.stage" : "keys-1.stage",
                    last = is_template() ? "decisions.stage" : "groups.stage";
  for (int attempt = 0; attempt < 20 && !kill_at(first, resumed("first" + std::to_string(attempt)));
       ++attempt) {
  }
  const Outcome after_first = leitong(resumed("after_first"));
  ASSERT_EQ(after_first.code, 0) << after_first.err;
  EXPECT_EQ(outputs("after_first"), alone_);
  EXPECT_THAT(stages(), IsEmpty()) << "the outputs stand";
  leave_stages(resumed("killed"), last);
  const Outcome after_last = leitong(resumed("after_last"));
  ASSERT_EQ(after_last.code, 0) << after_last.err;
  EXPECT_EQ(outputs("after_last"), alone_);
  EXPECT_THAT(stages(), IsEmpty());
}

TEST_P(TrimResume, StagesOfOtherFlagsOrInputsAreRefusedWithWhatDiffers) {
  leave_stages(resumed("first"), is_template() ? "decisions.stage" : "groups.stage");
  auto other = resumed("other");
  other.insert(other.end(), {"--documents", "3"});
  const Outcome flags = leitong(other);
  EXPECT_EQ(flags.code, 2);
  EXPECT_THAT(flags.err, HasSubstr("least_documents was"));
  folder_.write("corpus.txt", read_file(corpus_) + "one more line\n");
  const Outcome input = leitong(resumed("other"));
  EXPECT_EQ(input.code, 2);
  EXPECT_THAT(input.err, HasSubstr("corpus.txt"));
}

TEST_P(TrimResume, StagesOfAnotherBaseAreRefused) {
  if (is_template()) GTEST_SKIP() << "templates have no base";
  auto by_base = [&](const std::string& name) {
    auto all = resumed(name);
    all.insert(all.end(), {"--base", folder_ / "base.txt"});
    return all;
  };
  const std::string text = read_file(corpus_);
  const std::size_t first = text.find('\n'), second = text.find('\n', first + 1);
  folder_.write("base.txt", text.substr(0, first));
  leave_stages(by_base("first"), "groups.stage");
  folder_.write("base.txt", text.substr(first + 1, second - first));
  const Outcome refused = leitong(by_base("second"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("parts of the base was"));
}

TEST_F(Resume, WithoutItNothingWithANameIsLeft) {
  EXPECT_THAT(folder_.list(), ElementsAre("alone.kept", "alone.pairs", "alone.removed", "corpus.txt"));
}

}  // namespace
}  // namespace leitong::test
