// Each kind of work on an index is killed at named points, or a call to the disk fails, once or permanently.
// Then the index is as before, or as after the work, or in a state from which the work can be completed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/online.hpp"
#include "online/disk_faults.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;
using leitong::testing::DiskCall;
using leitong::testing::DiskFault;
using leitong::testing::DiskFaults;

constexpr std::size_t kTexts = 400, kBatch = 25, kProbes = 30;
constexpr Seconds kSoon = 100, kLater = 300;

struct Corpus {
  std::vector<std::string> texts, probes;
};

const Corpus& corpus() {
  static const Corpus made = [] {
    RandomTexts random(41);
    Corpus corpus;
    const auto another = [&] {
      if (corpus.texts.empty() || random.below(2) == 0) return random.text(20 + random.below(200));
      const std::string& earlier =
          corpus.texts[random.below(static_cast<std::uint32_t>(corpus.texts.size()))];
      return random.below(4) == 0 ? earlier : random.edited(earlier, .03);
    };
    while (corpus.texts.size() < kTexts) corpus.texts.push_back(another());
    while (corpus.probes.size() < kProbes) corpus.probes.push_back(another());
    return corpus;
  }();
  return made;
}

// A segment after a few batches, and merges of segments.
Settings settings(Durability durability) { return {.durability = durability, .postings_in_memory = 700}; }

/// Texts [first, end) in batches. Every third one is of the source "a", and every fourth expires soon.
Result<void> add(Index& index, std::size_t first, std::size_t end, const std::string& source = {}) {
  for (std::size_t at = first; at < end; at += kBatch) {
    std::vector<std::string> ids;
    for (std::size_t i = at; i < at + kBatch; ++i) ids.push_back(std::to_string(i));
    std::vector<Text> texts;
    for (std::size_t i = at; i < at + kBatch; ++i)
      texts.push_back({.id = ids[i - at],
                       .text = corpus().texts[i],
                       .source = !source.empty() ? std::string_view(source)
                                 : i % 3 == 0    ? "a"
                                                 : "b",
                       .expires = i % 4 == 0 ? kSoon : kLater});
    const auto answers = index.check_and_add(texts);
    if (!answers) return tl::unexpected<Error>(answers.error());
  }
  return {};
}

/// All that can be read from an index.
std::string told_by(const Index& index) {
  std::ostringstream told;
  const auto read = index.for_each([&](const Stored& stored) -> Result<void> {
    told << stored.id << ' ' << std::hash<std::string>()(stored.text) << ' ' << stored.source << ' '
         << *stored.expires << ' ' << verdict_name(stored.verdict) << ' ' << stored.family.value_or("-")
         << '\n';
    return {};
  });
  if (!read) return read.error().message;
  std::vector<Text> probes;
  for (const std::string& text : corpus().probes) probes.push_back({{}, text});
  const auto answers = index.check(probes);
  if (!answers) return answers.error().message;
  for (const Answer& answer : *answers)
    told << verdict_name(answer.verdict) << ' ' << (answer.match ? answer.match->id : "-") << '\n';
  for (const std::string& source : index.open_sources()) told << "open " << source << '\n';
  const auto whole = index.verify();
  if (!whole) told << whole.error().message;
  return told.str();
}
std::string told_by(const fs::path& place) {
  const Context context({.threads = 1});
  const auto index = Index::open(context, place, {.create = false});
  return index ? told_by(*index) : index.error().message;
}

/// Work in a folder "disk", where the index is "i".
struct Work {
  std::string name;
  std::function<Result<void>(Index&)> prepare;
  /// May be repeated after any part of it.
  std::function<Result<void>(const fs::path& disk)> run;
  bool changes_nothing = false;  ///< true if no reader can see its effect
  std::string result = "i";      ///< the index that is checked
};

Result<void> on_index(const fs::path& disk, const std::function<Result<void>(Index&)>& work) {
  const Context context({.threads = 1});
  auto index = Index::open(context, disk / "i", settings(Durability::sync));
  return index ? work(*index) : tl::unexpected<Error>(index.error());
}

template <class T>
Result<void> done(const Result<T>& result) {
  return result ? Result<void>{} : tl::unexpected<Error>(result.error());
}

std::vector<Work> works() {
  const auto most = [](Index& index) { return add(index, 0, 300); };
  const auto work_on = [](auto each) {
    return [each](const fs::path& disk) { return on_index(disk, each); };
  };
  return {
      {"add", most, work_on([](Index& index) { return add(index, 300, 400); })},
      {"remove", most, work_on([](Index& index) { return done(index.remove_source("a")); })},
      {"expire", most, work_on([](Index& index) { return done(index.expire(kSoon + 1)); })},
      {"commit",
       [](Index& index) -> Result<void> {
         if (auto added = add(index, 0, 200); !added) return added;
         if (auto begun = index.begin("crawl"); !begun) return done(begun);
         if (auto aside = add(index, 200, 300, "crawl"); !aside) return aside;
         return add(index, 300, 350);
       },
       work_on([](Index& index) -> Result<void> {
         return index.open_sources().empty() ? Result<void>{} : done(index.commit("crawl"));
       })},
      {"compact",
       [](Index& index) -> Result<void> {
         if (auto added = add(index, 0, 300); !added) return added;
         return done(index.remove_source("a"));
       },
       work_on([](Index& index) { return index.compact(); }), true},
      {"snapshot", most,
       [](const fs::path& disk) {
         return on_index(disk, [&](Index& index) {
           return fs::exists(disk / "copy") ? Result<void>{} : index.snapshot(disk / "copy");
         });
       },
       true, "copy"},
      {"build", most,
       [](const fs::path& disk) -> Result<void> {
         if (fs::exists(disk / "built")) return {};
         const Context context({.threads = 1});
         return done(build(context, disk / "built", {.paths = {(disk / "lines.jsonl").string()}},
                           {.expires_field = "expires"}));
       },
       true, "built"},
  };
}

struct Point {
  std::string_view name;
  DiskCall call;
  std::string_view file;
};
constexpr Point kPoints[] = {
    {"append", DiskCall::write, ".log"},
    {"rotate", DiskCall::make, ".log"},
    {"log removed", DiskCall::remove, ".log"},
    {"log synchronised", DiskCall::sync, ".log"},
    {"flush", DiskCall::write, ".sst"},
    {"sorted file removed", DiskCall::remove, ".sst"},
    {"manifest", DiskCall::write, "MANIFEST"},
    {"current manifest", DiskCall::rename, "CURRENT"},
    {"segment", DiskCall::write, "segment-"},
    {"segment in place", DiskCall::rename, "segment-"},
    {"segment removed", DiskCall::remove, "segment-"},
    {"what is durable", DiskCall::write, "durable"},
    {"copy", DiskCall::write, "copy"},
    {"copy in place", DiskCall::rename, "copy"},
    {"new index", DiskCall::write, "built"},
    {"new index in place", DiskCall::rename, "built"},
};

// RocksDB's threads do not survive a fork, and its work needs them. So each step is run by another process of
// this program, whose environment says what to do.
struct Step {
  std::size_t work = 0;
  std::string what = {};   ///< "prepare", "run", or "tell", of the index:
  std::string index = {};  ///< in the folder
  fs::path folder = {};
  fs::path told = {};  ///< the file of the answer
  DiskFaults faults = {};
};

void do_step(const Step& step) {
  const Work work = works()[step.work];
  std::string answer;
  if (step.what == "prepare") {
    const Context context({.threads = 1});
    auto index = Index::open(context, step.folder / "i", settings(Durability::none));
    const auto prepared = index ? work.prepare(*index) : done(index);
    answer = prepared ? "done" : prepared.error().message;
  } else if (step.what == "tell") {
    answer = told_by(step.folder / step.index);
  } else {
    DiskFaults faults = step.faults;
    faults.folder = step.folder;
    leitong::testing::put_on_faulty_disk(faults);
    const auto result = work.run(step.folder);
    answer =
        std::to_string(leitong::testing::disk_calls()) + (result ? " done" : " " + result.error().message);
  }
  std::ofstream(step.told, std::ios::binary) << answer;
}

constexpr const char* kStep = "LEITONG_STEP_OF_WORK";

class StepOfWork final : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* const words = std::getenv(kStep);
    if (words == nullptr) return;
    std::istringstream in(words);
    Step step;
    int fault = 0, only = 0;
    in >> step.work >> step.what >> step.index >> step.folder >> step.told >> fault >> step.faults.call >>
        only >> step.faults.file;
    step.faults.fault = static_cast<DiskFault>(fault);
    if (only >= 0) step.faults.only = static_cast<DiskCall>(only);
    do_step(step);
    std::fflush(nullptr);
    ::_exit(0);
  }
};
const auto* const step_of_work = ::testing::AddGlobalTestEnvironment(new StepOfWork);

/// The status of the process, and its answer if it gave one.
std::pair<int, std::string> run_step(const Step& step) {
  fs::remove(step.told);
  std::ostringstream words;
  words << step.work << ' ' << step.what << ' ' << step.index << ' ' << step.folder << ' ' << step.told << ' '
        << static_cast<int>(step.faults.fault) << ' ' << step.faults.call << ' '
        << (step.faults.only ? static_cast<int>(*step.faults.only) : -1) << ' ' << step.faults.file;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::setenv(kStep, words.str().c_str(), 1);
    ::execl("/proc/self/exe", "step", "--gtest_brief=1", "--gtest_filter=Works/OnlineWorkInterrupted.*",
            nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  std::ostringstream answer;
  answer << std::ifstream(step.told, std::ios::binary).rdbuf();
  return {status, answer.str()};
}

class OnlineWorkInterrupted : public ::testing::TestWithParam<std::size_t> {
 protected:
  OnlineWorkInterrupted() {
    fs::create_directories(base_ / "i");
    std::ofstream(base_ / "i" / "secret", std::ios::binary) << "0123456789abcdef";
    std::ofstream lines(base_ / "lines.jsonl");
    // Only new texts and copies: each index that is built has another secret, on which doubtful pairs depend.
    RandomTexts random(43);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 200; ++i) {
      texts.push_back(i % 4 == 3 ? texts[i / 2] : random.text(60));
      lines << "{\"id\":\"" << i << "\",\"text\":\"" << texts[i] << "\",\"expires\":300}\n";
    }
    lines.close();
    const auto [status, answer] =
        run_step({.work = GetParam(), .what = "prepare", .index = "i", .folder = base_, .told = told_});
    EXPECT_EQ(answer, "done");
    before_ = told(base_, "i");
    const Outcome undisturbed = disturbed({});
    EXPECT_TRUE(undisturbed.done);
    calls_ = undisturbed.calls;
    after_ = told(disk_, work_.result);
  }

  [[nodiscard]] std::string told(const fs::path& folder, const std::string& index) const {
    return run_step({.work = GetParam(), .what = "tell", .index = index, .folder = folder, .told = told_})
        .second;
  }

  struct Outcome {
    bool killed = false, done = false;
    std::uint64_t calls = 0;
    std::string said;
  };
  [[nodiscard]] Outcome work_with(const DiskFaults& faults) const {
    const auto [status, answer] = run_step(
        {.work = GetParam(), .what = "run", .index = "i", .folder = disk_, .told = told_, .faults = faults});
    Outcome outcome;
    outcome.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    EXPECT_TRUE(outcome.killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) << "status " << status;
    std::istringstream in(answer);
    in >> outcome.calls;
    std::getline(in >> std::ws, outcome.said);
    outcome.done = outcome.said == "done";
    return outcome;
  }
  /// Runs on a copy of the base.
  [[nodiscard]] Outcome disturbed(const DiskFaults& faults) const {
    fs::remove_all(disk_);
    fs::copy(base_, disk_, fs::copy_options::recursive);
    return work_with(faults);
  }

  /// Compares the state after a disturbance, and after the work is repeated.
  void compare(const Outcome& outcome) const {
    if (work_.changes_nothing) {
      ASSERT_EQ(told(disk_, "i"), before_) << "the index has changed";
    }
    if (outcome.done || (work_.result != "i" && fs::exists(disk_ / work_.result))) {
      ASSERT_EQ(told(disk_, work_.result), after_) << "what is there is whole";
    }
    const Outcome again = work_with({});
    ASSERT_EQ(again.said, "done");
    ASSERT_EQ(told(disk_, work_.result), after_);
  }

  const TempFolder folder_{"interrupted"};
  const fs::path base_ = folder_.path() / "base", disk_ = folder_.path() / "disk",
                 told_ = folder_.path() / "told";
  const Work work_ = works()[GetParam()];
  std::string before_, after_;
  std::uint64_t calls_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Works, OnlineWorkInterrupted, ::testing::Range<std::size_t>(0, works().size()),
                         [](const auto& param) { return works()[param.param].name; });

int wished(const char* variable, int usual) {
  const char* const wish = std::getenv(variable);
  return wish != nullptr ? std::atoi(wish) : usual;
}

// LEITONG_KILLS sets another number of kills.
TEST_P(OnlineWorkInterrupted, AKillAtAnyNamedPointLeavesAStateThatWas) {
  if (HasFailure()) return;
  std::map<const Point*, std::uint64_t> met;  // the number of such calls
  for (const Point& point : kPoints) {
    const Outcome counted = disturbed({.only = point.call, .file = std::string(point.file)});
    ASSERT_TRUE(counted.done);
    if (counted.calls > 0) met[&point] = counted.calls;
  }
  ASSERT_GE(met.size(), 4u);
  RandomTexts random(42);
  std::map<std::string_view, int> killed;
  const int kills = wished("LEITONG_KILLS", 6);
  int done = 0;
  for (auto at = met.begin(); done < kills; ++done) {
    const Point& point = *at->first;
    const std::uint64_t call = 1 + random.below(static_cast<std::uint32_t>(at->second));
    SCOPED_TRACE(std::string(point.name) + ", call " + std::to_string(call) + " of " +
                 std::to_string(at->second));
    const Outcome outcome = disturbed(
        {.fault = DiskFault::kill, .call = call, .only = point.call, .file = std::string(point.file)});
    killed[point.name] += outcome.killed;
    compare(outcome);
    if (HasFatalFailure()) return;
    if (++at == met.end()) at = met.begin();
  }
  std::string figures;
  int all = 0;
  for (const auto& [name, count] : killed) {
    figures += (figures.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(count);
    all += count;
  }
  std::printf("%s: %d kills: %s\n", work_.name.c_str(), all, figures.c_str());
  EXPECT_GE(all, kills * 3 / 4) << "too few kills met it at work";
}

// LEITONG_FAULTS sets another number of failures.
TEST_P(OnlineWorkInterrupted, ACallThatFailsOnceOrForGoodLosesNothing) {
  if (HasFailure()) return;
  RandomTexts random(43);
  const int faults = wished("LEITONG_FAULTS", 6);
  for (int i = 0; i < faults; ++i) {
    const DiskFault fault = i % 2 == 0 ? DiskFault::once : DiskFault::for_good;
    const std::uint64_t call = 1 + random.below(static_cast<std::uint32_t>(calls_));
    SCOPED_TRACE((i % 2 == 0 ? "once, call " : "for good, call ") + std::to_string(call) + " of " +
                 std::to_string(calls_));
    compare(disturbed({.fault = fault, .call = call}));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace leitong::online
