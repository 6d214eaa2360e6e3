// Tests the replacements of functions that glibc 2.28 lacks, which packages for any Linux contain, against
// this system's glibc.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <set>
#include <thread>
#include <vector>

extern "C" {
pid_t old_gettid();
unsigned old_arc4random();
int old_dl_find_object(void* pc, dl_find_object* found);
int old_pthread_cond_clockwait(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec* until);
int old_pthread_mutex_clocklock(pthread_mutex_t*, clockid_t, const timespec* until);
int old_wait_by_bit(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec* until);
}

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Wait = decltype(&old_wait_by_bit);

timespec after(clockid_t clock, std::chrono::nanoseconds wait) {
  timespec at{};
  clock_gettime(clock, &at);
  const auto whole = std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(at.tv_nsec) + wait);
  return {at.tv_sec + whole.count(), (std::chrono::nanoseconds(at.tv_nsec) + wait - whole).count()};
}

/// In the form that std::condition_variable makes.
struct Variable {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  bool ready = false;
};

/// The result of a wait that nothing ends, and how long it took.
std::pair<int, Clock::duration> wait_in_vain(Wait wait, clockid_t clock, std::chrono::nanoseconds time) {
  Variable variable;
  pthread_mutex_lock(&variable.mutex);
  const auto begin = Clock::now();
  const timespec until = after(clock, time);
  int answer = 0;
  while (answer == 0) answer = wait(&variable.condition, &variable.mutex, clock, &until);
  const auto took = Clock::now() - begin;
  pthread_mutex_unlock(&variable.mutex);
  return {answer, took};
}

class OldGlibcWait : public testing::TestWithParam<Wait> {};
INSTANTIATE_TEST_SUITE_P(Both, OldGlibcWait, testing::Values(&old_pthread_cond_clockwait, &old_wait_by_bit));

// The two clocks are decades apart: a wait that took the time for one of the clock that can be set would end
// at once. And that clock jumps whenever it is read (old_glibc.c): so would one that goes by the difference.
TEST_P(OldGlibcWait, LastsAsLongAsAskedWhereverTheClockThatCanBeSetJumps) {
  timespec monotonic{}, real{};
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  clock_gettime(CLOCK_REALTIME, &real);
  ASSERT_GT(real.tv_sec - monotonic.tv_sec, 10L * 365 * 86400);
  const auto [answer, took] = wait_in_vain(GetParam(), CLOCK_MONOTONIC, 200ms);
  EXPECT_EQ(answer, ETIMEDOUT);
  EXPECT_GE(took, 200ms);
  EXPECT_LT(took, 60s);
}

TEST_P(OldGlibcWait, GoesByTheClockThatCanBeSetWhereItIsAskedTo) {
  const auto [answer, took] = wait_in_vain(GetParam(), CLOCK_REALTIME, 200ms);
  EXPECT_EQ(answer, ETIMEDOUT);
  EXPECT_GE(took, 199ms);
}

TEST_P(OldGlibcWait, OneVariableIsWaitedForByEitherClockInTurn) {
  Variable variable;
  pthread_mutex_lock(&variable.mutex);
  for (const clockid_t clock : {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_MONOTONIC}) {
    const auto begin = Clock::now();
    const timespec until = after(clock, 50ms);
    EXPECT_EQ(GetParam()(&variable.condition, &variable.mutex, clock, &until), ETIMEDOUT);
    EXPECT_GE(Clock::now() - begin, 49ms);
  }
  pthread_mutex_unlock(&variable.mutex);
}

TEST_P(OldGlibcWait, ATimeThatIsOverIsAnsweredAtOnce) {
  EXPECT_EQ(wait_in_vain(GetParam(), CLOCK_MONOTONIC, -1s).first, ETIMEDOUT);
}

TEST_P(OldGlibcWait, RefusesOtherClocks) {
  EXPECT_EQ(wait_in_vain(GetParam(), CLOCK_PROCESS_CPUTIME_ID, 1s).first, EINVAL);
}

TEST_P(OldGlibcWait, AllWhoWaitAreWoken) {
  Variable variable;
  std::vector<int> answers(8, -1);
  std::vector<std::thread> threads;
  const timespec until = after(CLOCK_MONOTONIC, 60s);
  for (int& answer : answers)
    threads.emplace_back([&variable, &until, &answer, wait = GetParam()] {
      pthread_mutex_lock(&variable.mutex);
      answer = 0;
      while (!variable.ready && answer == 0)
        answer = wait(&variable.condition, &variable.mutex, CLOCK_MONOTONIC, &until);
      pthread_mutex_unlock(&variable.mutex);
    });
  std::this_thread::sleep_for(20ms);
  pthread_mutex_lock(&variable.mutex);
  variable.ready = true;
  pthread_mutex_unlock(&variable.mutex);
  pthread_cond_broadcast(&variable.condition);
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(answers, testing::Each(0));
}

TEST(OldGlibc, AMutexIsWaitedForAsLongAsAsked) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const timespec over = after(CLOCK_MONOTONIC, -1s);
  EXPECT_EQ(old_pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &over), 0);
  const auto begin = Clock::now();
  const timespec soon = after(CLOCK_MONOTONIC, 50ms);
  EXPECT_EQ(old_pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT_GE(Clock::now() - begin, 50ms);
  std::thread owner([&] {
    const timespec late = after(CLOCK_MONOTONIC, 60s);
    EXPECT_EQ(old_pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &late), 0);
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_unlock(&mutex);
  owner.join();
}

TEST(OldGlibc, AThreadHasTheNumberThatTheSystemKnowsItBy) {
  pid_t other = 0;
  std::thread([&] { other = old_gettid(); }).join();
  EXPECT_EQ(old_gettid(), static_cast<pid_t>(syscall(SYS_gettid)));
  EXPECT_NE(other, old_gettid());
}

TEST(OldGlibc, RandomBitsDiffer) {
  std::set<unsigned> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(old_arc4random());
  EXPECT_GT(seen.size(), 990u);
}

TEST(OldGlibc, TheObjectOfCodeIsTheOneThatTheSystemFinds) {
  using Find = decltype(&old_dl_find_object);
  const auto system = reinterpret_cast<Find>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
  if (system == nullptr) GTEST_SKIP() << "this system's glibc has no _dl_find_object to compare with";
  const auto code = [](auto* function) { return reinterpret_cast<void*>(function); };
  for (void* const pc : {code(&old_gettid), code(&std::printf), code(&pthread_create),
                         dlsym(RTLD_DEFAULT, "_ZSt9terminatev")}) {
    dl_find_object ours{}, theirs{};
    ASSERT_EQ(old_dl_find_object(pc, &ours), 0);
    ASSERT_EQ(system(pc, &theirs), 0);
    EXPECT_EQ(ours.dlfo_eh_frame, theirs.dlfo_eh_frame);
    EXPECT_LE(ours.dlfo_map_start, pc);
    EXPECT_GT(ours.dlfo_map_end, pc);
  }
  dl_find_object none{};
  int on_the_stack = 0;
  EXPECT_EQ(old_dl_find_object(&on_the_stack, &none), -1);
}

}  // namespace
