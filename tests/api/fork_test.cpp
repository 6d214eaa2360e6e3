// Runs in both processes after a fork.
#include "leitong/fork.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include "api/answer.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

using testing::answer_of;
using testing::random_corpus;
using testing::views;

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(Fork, EndsTheWorkersOfAllContexts) {
  const auto texts = random_corpus(21, 300);
  const Context one({.threads = 2}), other({.threads = 2});
  std::thread([] {}).join();  // a sanitizer starts its own thread with the first thread
  const auto before = threads_of_this_process();
  const auto expected = answer_of(deduplicate(one, views(texts))).kept;
  ASSERT_EQ(answer_of(deduplicate(other, views(texts))).kept, expected);
  const std::array contexts = {&one, &other};
  ASSERT_TRUE(end_threads(contexts));
  EXPECT_LE(threads_of_this_process(), before);
  // Both go on to work.
  EXPECT_EQ(answer_of(deduplicate(one, views(texts))).kept, expected);
  EXPECT_EQ(answer_of(deduplicate(other, views(texts))).kept, expected);
}

TEST(Fork, AChildWorksWithThreadsOfItsOwn) {
  const auto texts = random_corpus(22, 300);
  const Context context({.threads = 2});
  const auto expected = answer_of(deduplicate(context, views(texts))).kept;
  for (int round = 0; round < 20; ++round) {
    const Context* const contexts[] = {&context};
    ASSERT_TRUE(end_threads(contexts));
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);  // a child that never ends is ended by this signal
      const Context own({.threads = 2});
      const auto decisions = deduplicate(own, views(texts));
      ::_exit(decisions && std::ranges::equal(decisions->kept(), expected) ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    ASSERT_EQ(answer_of(deduplicate(context, views(texts))).kept, expected);
  }
}

TEST(Fork, ReportsThatItsHostStillUsesTheThreads) {
  const Context context;
  const Context* const contexts[] = {&context};
  tbb::task_arena host(2);
  host.initialize();
  EXPECT_FALSE(end_threads(contexts));
  host.terminate();
  EXPECT_TRUE(end_threads(contexts));
}

}  // namespace
}  // namespace leitong
