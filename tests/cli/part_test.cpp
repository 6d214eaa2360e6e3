// A spread run by the command: its parts may be killed at any time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>

#include "cli/process.hpp"
#include "made_up_texts.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Part : public ::testing::Test {
 protected:
  Part() {
    const std::vector<std::string> texts = testing::random_corpus(11, 900);
    std::string lines[3];
    for (std::size_t i = 0; i < texts.size(); ++i)
      lines[i * 3 / texts.size()] +=
          R"({"id": ")" + std::to_string(i) + R"(", "text": ")" + texts[i] + "\"}\n";
    for (int file = 0; file < 3; ++file)
      inputs_.push_back(folder_.write("in/" + std::to_string(file) + ".jsonl", lines[file]));
  }

  [[nodiscard]] std::vector<std::string> plan(const std::string& name) const {
    return {"part",
            "plan",
            folder_ / "in",
            "--work",
            folder_ / (name + "/work"),
            "--output",
            folder_ / (name + "/out"),
            "--parts",
            "3"};
  }
  [[nodiscard]] std::vector<std::pair<std::string, int>> stages(const std::string& name) const {
    std::istringstream listed(leitong({"part", "list", "--work", folder_ / (name + "/work")}).out);
    std::vector<std::pair<std::string, int>> stages;
    std::string stage;
    for (int parts = 0; listed >> stage >> parts;) stages.emplace_back(stage, parts);
    return stages;
  }
  [[nodiscard]] std::vector<std::string> run(const std::string& name, const std::string& stage,
                                             int part) const {
    return {"part", stage, "--work", folder_ / (name + "/work"), "--part", std::to_string(part)};
  }
  /// All files but those that say how long it took, or where the run is.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& name) const {
    std::map<std::string, std::string> found;
    for (const auto& file : fs::recursive_directory_iterator(folder_ / name))
      if (const std::string of = file.path().filename(); file.is_regular_file() && !of.starts_with('.') &&
                                                         of != "plan.json" &&
                                                         file.path().parent_path().filename() != "done")
        found[fs::relative(file.path(), folder_ / name)] = read_file(file.path());
    return found;
  }

  /// Starts it, and kills it when a file of its own appears, or soon after.
  bool killed(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {LEITONG_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    EXPECT_EQ(::posix_spawn(&child, LEITONG_BINARY, nullptr, nullptr, argv.data(), environ), 0);
    const auto begun = std::chrono::steady_clock::now();
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
      bool begins = std::chrono::steady_clock::now() - begun > std::chrono::seconds(20);
      for (const auto& file : fs::recursive_directory_iterator(folder_ / "b"))
        begins |= file.path().filename().string().starts_with('.');
      if (!begins) continue;
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      break;
    }
    return WIFSIGNALED(status);
  }

  TempFolder folder_;
  std::vector<std::string> inputs_;
};

TEST_F(Part, DoesWhatDedupDoesThoughEachPartIsKilledOnce) {
  for (const char* const name : {"a", "b"}) ASSERT_EQ(leitong(plan(name)).code, 0);
  for (const auto& [stage, parts] : stages("a"))
    for (int part = 0; part < parts; ++part) ASSERT_EQ(leitong(run("a", stage, part)).code, 0);
  int kills = 0;
  for (const auto& [stage, parts] : stages("b"))
    for (int part = 0; part < parts; ++part) {
      kills += killed(run("b", stage, part)) ? 1 : 0;
      for (const auto& file : fs::recursive_directory_iterator(folder_ / "b"))
        if (file.path().filename().string().starts_with('.')) fs::remove(file.path());
      const Outcome again = leitong(run("b", stage, part));
      ASSERT_EQ(again.code, 0) << again.err;
    }
  EXPECT_GT(kills, 5);
  EXPECT_EQ(files("a"), files("b"));

  std::vector<std::string> dedup = {"dedup", "-o", folder_ / "kept.jsonl", "-q"};
  dedup.insert(dedup.end(), inputs_.begin(), inputs_.end());
  ASSERT_EQ(leitong(dedup).code, 0);
  std::string kept;
  for (const char* const name : {"0", "1", "2"})
    kept += read_file(folder_ / (std::string("a/out/kept/") + name + ".jsonl"));
  EXPECT_EQ(kept, read_file(folder_ / "kept.jsonl"));
}

TEST_F(Part, SaysWhatIsMissing) {
  EXPECT_THAT(leitong(run("a", "sketch", 0)).err, HasSubstr("plan the run first: leitong part plan"));
  ASSERT_EQ(leitong(plan("a")).code, 0);
  EXPECT_THAT(leitong(run("a", "join", 0)).err, HasSubstr("part 0 of sketch has not been done"));
  EXPECT_EQ(leitong(run("a", "sketch", 0)).code, 0);
  EXPECT_THAT(leitong(run("a", "sketch", 0)).err, HasSubstr("part 0 of sketch was done before"));
}

}  // namespace
}  // namespace leitong::test
