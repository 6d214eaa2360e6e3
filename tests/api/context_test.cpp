// Several runs at the same time, runs inside a host program's own loops, and runs that are told to stop.
#include "leitong/context.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "job/assess.hpp"
#include "leitong/dedup.hpp"
#include "leitong/hamming.hpp"
#include "leitong/job.hpp"
#include "leitong/sign.hpp"
#include "made_up_texts.hpp"
#include "temp_path.hpp"

namespace leitong {
namespace {

using testing::random_corpus;
using testing::views;

using Control = tbb::global_control;

/// The result of deduplicate() in one value.
using Answer = std::vector<std::uint64_t>;
Answer answer_of(const Decisions& decisions) {
  Answer answer(decisions.kept().begin(), decisions.kept().end());
  const std::vector<VerifiedTexts> pairs = decisions.pairs().value();
  for (const SimilarTexts& pair : pairs) {
    answer.push_back(std::uint64_t{pair.a} << 32 | pair.b);
    answer.push_back(std::bit_cast<std::uint64_t>(pair.jaccard));
  }
  return answer;
}

ErrorCode code_of(const auto& result) {
  EXPECT_FALSE(result.has_value());
  return result ? ErrorCode::io : result.error().code;
}

/// Lets threads wait for each other, with a time limit.
class Meeting {
 public:
  explicit Meeting(int expected) : expected_(expected) {}
  /// True if all have come.
  bool come() {
    std::unique_lock lock(mutex_);
    ++come_;
    all_.notify_all();
    return all_.wait_for(lock, std::chrono::seconds(30), [&] { return come_ >= expected_; });
  }

 private:
  const int expected_;
  int come_ = 0;
  std::mutex mutex_;
  std::condition_variable all_;
};

TEST(Context, TakesNoMoreThreadsThanThereCanBe) {
  const std::vector<std::string> texts = random_corpus(6, 50);
  const Answer expected = answer_of(deduplicate(Context({.threads = 1}), views(texts)).value());
  EXPECT_EQ(answer_of(deduplicate(Context({.threads = UINT_MAX}), views(texts)).value()), expected);
}

TEST(Context, ARunBesideOneThatIsCancelledGivesWhatItGivesAlone) {
  const Control allow(Control::max_allowed_parallelism, 4);
  const std::vector<std::string> texts = random_corpus(5, 1'500);
  const Answer alone = answer_of(deduplicate(Context({.threads = 1}), views(texts)).value());

  for (const unsigned threads : {1u, 3u}) {
    // Both runs are in their first stage when one of them is told to stop.
    Meeting begun(2);
    std::atomic<bool> met_a = false, met_b = false;
    const Context a({.threads = threads, .progress = [&](const Progress&) {
                       if (!met_a.exchange(true)) {
                         EXPECT_TRUE(begun.come());
                       }
                     }});
    Context* cancelled = nullptr;
    Context b({.threads = 4 - threads, .progress = [&](const Progress&) {
                 if (!met_b.exchange(true)) {
                   EXPECT_TRUE(begun.come());
                 }
                 cancelled->request_stop();
               }});
    cancelled = &b;
    std::jthread beside([&] { EXPECT_EQ(code_of(deduplicate(b, views(texts))), ErrorCode::cancelled); });
    const auto result = deduplicate(a, views(texts));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(answer_of(*result), alone) << threads << " threads";
    EXPECT_FALSE(a.stop_requested());
  }
}

// Each run is on a thread of the test's own and on no other, so what the thread sanitizer reports is caused
// by the runs and not by tbb, whose waiting it does not see.
TEST(Context, RunsOnOneThreadEachHaveNothingInCommon) {
  const std::vector<std::string> texts[] = {random_corpus(11, 200), random_corpus(12, 200),
                                            random_corpus(13, 200)};
  std::vector<Answer> alone;
  for (const auto& each : texts) alone.push_back(answer_of(deduplicate(views(each)).value()));
  Meeting begun(4);
  Context cancelled({.threads = 1});
  std::vector<std::jthread> hosts;  // they end before the context is destroyed
  for (std::size_t host = 0; host < 3; ++host)
    hosts.emplace_back([&, host] {
      const Context context({.threads = 1});
      EXPECT_TRUE(begun.come());
      const auto result = deduplicate(context, views(texts[host]));
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(answer_of(*result), alone[host]);
      EXPECT_TRUE(Signer::open(context, {.method = "minhash"})->sign(context, views(texts[host])));
    });
  hosts.emplace_back([&] {
    EXPECT_TRUE(begun.come());
    for (int turn = 0; turn < 1'000; ++turn)
      if (const auto result = deduplicate(cancelled, views(texts[0])); !result) {
        EXPECT_EQ(result.error().code, ErrorCode::cancelled);
        return;
      }
    ADD_FAILURE() << "the stop was not seen";
  });
  for (std::size_t host = 0; host < 3; ++host) hosts[host].join();
  cancelled.request_stop();
}

TEST(Context, SeveralRunsShareOneContext) {
  const Control allow(Control::max_allowed_parallelism, 4);
  const std::vector<std::string> texts = random_corpus(6, 600), others = random_corpus(7, 600);
  const Answer alone = answer_of(deduplicate(views(texts)).value()),
               others_alone = answer_of(deduplicate(views(others)).value());
  const Context context({.threads = 2});
  std::vector<std::jthread> hosts;
  for (int host = 0; host < 4; ++host)
    hosts.emplace_back([&, host] {
      for (int turn = 0; turn < 3; ++turn) {
        const bool even = (host + turn) % 2 == 0;
        const auto result = deduplicate(context, views(even ? texts : others));
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(answer_of(*result), even ? alone : others_alone);
      }
    });
}

TEST(Context, OfOneThreadLeavesTheHostsLoopsTheirThreads) {
  const Control allow(Control::max_allowed_parallelism, 4);
  const std::vector<std::string> texts = random_corpus(8, 300);
  // The run waits in its first report until the host's loop is done, which needs two threads at once.
  Meeting run_begun(2), loop_done(2);
  std::atomic<bool> first = true;
  const Context context({.threads = 1, .progress = [&](const Progress&) {
                           if (!first.exchange(false)) return;
                           EXPECT_TRUE(run_begun.come());
                           EXPECT_TRUE(loop_done.come());
                         }});
  std::jthread run([&] { EXPECT_TRUE(deduplicate(context, views(texts))); });
  ASSERT_TRUE(run_begun.come());
  EXPECT_EQ(Control::active_value(Control::max_allowed_parallelism), 4u);
  Meeting at_once(2);
  std::atomic<int> met = 0;
  tbb::task_arena(4).execute([&] {
    tbb::parallel_for(
        0, 4, [&](int) { met += at_once.come() ? 1 : 0; }, tbb::simple_partitioner());
  });
  EXPECT_EQ(met, 4) << "two of the host's threads worked at the same time";
  EXPECT_TRUE(loop_done.come());
}

TEST(Context, RunsOnItsOwnNumberOfThreads) {
  const Control allow(Control::max_allowed_parallelism, 4);
  std::vector<std::string> texts(2'000, std::string(1'000, 'x'));
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] += std::to_string(i);
  std::mutex mutex;
  std::map<std::thread::id, int> threads;
  const Context context({.threads = 1, .progress = [&](const Progress&) {
                           const std::scoped_lock lock(mutex);
                           ++threads[std::this_thread::get_id()];
                         }});
  ASSERT_TRUE(deduplicate(context, views(texts)));
  EXPECT_EQ(threads.size(), 1u);
}

TEST(Context, UsesFewerThreadsWhereTheMemoryHasNoRoomForMoreAndSaysSo) {
  const auto said_of = [](ContextSettings settings) {
    std::vector<std::pair<LogLevel, std::string>> said;
    settings.log = [&](LogLevel level, std::string_view message) { said.emplace_back(level, message); };
    const Context context(std::move(settings));
    EXPECT_EQ(context.settings().threads, 64u) << "as they were given";
    return said;
  };
  const auto said = said_of({.threads = 64, .memory = 80u << 20});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].first, LogLevel::warning);
  EXPECT_EQ(said[0].second, "the memory budget has room for 3 threads and not for 64");
  EXPECT_TRUE(said_of({.threads = 64, .memory = std::uint64_t{1} << 30}).empty());
  EXPECT_TRUE(said_of({.threads = 64}).empty());
}

class ContextStops : public ::testing::Test {
 protected:
  ContextStops() {
    std::filesystem::create_directories(folder_);
    std::ofstream file(folder_ / "in.jsonl");
    for (const std::string& text : texts_) file << R"({"text":")" << text << "\"}\n";
  }
  ~ContextStops() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] DedupJob job() const {
    DedupJob job;
    job.input.paths = {(folder_ / "in.jsonl").string()};
    job.outputs.kept = (folder_ / "kept.jsonl").string();
    job.outputs.pairs = (folder_ / "pairs.tsv").string();
    return job;
  }
  [[nodiscard]] std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  const std::filesystem::path folder_ = test::temp_path();
  const std::vector<std::string> texts_ = random_corpus(9, 1'000);
};

// A stop is asked for at the first report of each stage in turn; no later stage may begin.
TEST_F(ContextStops, EndARunInEveryStage) {
  std::vector<std::string> stages;
  const Context watched({.progress = [&](const Progress& at) {
    if (std::ranges::find(stages, at.stage) == stages.end()) stages.emplace_back(at.stage);
  }});
  ASSERT_TRUE(dedup_files(watched, job()));
  ASSERT_EQ(stages.front(), "reading");
  ASSERT_EQ(stages.back(), "writing");
  for (const char* stage : {"matching", "verifying", "clustering"})
    EXPECT_NE(std::ranges::find(stages, stage), stages.end()) << stage;
  DedupJob again = job();
  again.outputs.force = true;
  const std::size_t before = files();
  for (const std::string& stage : stages) {
    Context* self = nullptr;
    std::string last;
    Context context({.progress = [&](const Progress& at) {
      last = at.stage;
      if (last == stage) self->request_stop();
    }});
    self = &context;
    EXPECT_EQ(code_of(dedup_files(context, again)), ErrorCode::cancelled) << stage;
    EXPECT_EQ(last, stage);
    EXPECT_EQ(files(), before) << "nothing is left of the outputs";
  }
}

TEST_F(ContextStops, LetNoRunBeginAnyMore) {
  Context context({.threads = 2});
  context.request_stop();
  EXPECT_TRUE(context.stop_requested());
  EXPECT_EQ(code_of(deduplicate(context, views(texts_))), ErrorCode::cancelled);
  EXPECT_EQ(code_of(Signer::open(context, {.method = "minhash"})->sign(context, views(texts_))),
            ErrorCode::cancelled);
  const std::vector<std::uint64_t> fingerprints(100'000, 1);
  const auto ignore = [](auto) -> Result<void> { return {}; };
  EXPECT_EQ(code_of(hamming::join<std::uint64_t>(context, fingerprints, {}, ignore)), ErrorCode::cancelled);
  EXPECT_EQ(code_of(hamming::components<std::uint64_t>(context, fingerprints, {})), ErrorCode::cancelled);
  const std::size_t before = files();
  EXPECT_EQ(code_of(dedup_files(context, job())), ErrorCode::cancelled);
  EXPECT_EQ(code_of(estimate(context, job())), ErrorCode::cancelled);
  EXPECT_EQ(code_of(assess({job().input, {}}, context)), ErrorCode::cancelled);
  EXPECT_EQ(code_of(sign_files(context, job().input, {.method = "minhash"},
                               [](auto, auto) -> Result<void> { return {}; })),
            ErrorCode::cancelled);
  EXPECT_EQ(files(), before);
}

// Near copies of one text: methods with quadratic loops spend their time in these.
TEST_F(ContextStops, EndEveryMethodWhileItSearches) {
  testing::Random random(10);
  const std::string source = testing::random_text(random, 200);
  std::vector<std::string> family;
  for (int i = 0; i < 400; ++i) family.push_back(testing::edited(source, random, 50));
  for (const std::string method : {"default", "all-pairs", "minhash", "shingle", "edit"}) {
    Context* self = nullptr;
    bool stopped = false;
    Context context({.threads = 2, .progress = [&](const Progress& at) {
                       stopped = stopped || at.stage == "verifying";
                       if (stopped) self->request_stop();
                     }});
    self = &context;
    EXPECT_EQ(code_of(deduplicate(context, views(family), {.method = method})), ErrorCode::cancelled)
        << method;
    EXPECT_TRUE(stopped) << method;
  }
}

TEST_F(ContextStops, EndTheDeliveryOfPairs) {
  const std::vector<std::uint64_t> fingerprints(3'000, 7);
  Context context({.threads = 1});
  int batches = 0;
  const auto joined = hamming::join<std::uint64_t>(context, fingerprints, {}, [&](auto) -> Result<void> {
    ++batches;
    context.request_stop();
    return {};
  });
  EXPECT_EQ(code_of(joined), ErrorCode::cancelled);
  EXPECT_EQ(batches, 1);
}

}  // namespace
}  // namespace leitong
