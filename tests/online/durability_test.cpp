// What each level of durability can lose: processes that add texts, and are killed or lose power.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "leitong/online.hpp"
#include "online/disk_faults.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using leitong::testing::DiskFault;
using Clock = std::chrono::steady_clock;

enum class End : std::uint8_t { killed, power_lost };

struct Case {
  std::string name;
  Durability durability;
  End end;
};

/// A process that adds a text every few milliseconds, and reports when each was added.
pid_t begin_adding(const fs::path& place, const fs::path& log, const Case& wanted,
                   std::chrono::milliseconds lasts, std::uint32_t seed) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  std::ofstream tell(log);
  if (wanted.end == End::power_lost) leitong::testing::put_on_faulty_disk({.folder = place, .seed = seed});
  RandomTexts random(seed);
  const Context context({.threads = 1});
  auto index = Index::open(context, place, {.durability = wanted.durability});
  const auto begin = Clock::now();
  for (std::size_t i = 0; index; ++i) {
    if (wanted.end == End::power_lost && Clock::now() - begin > lasts)
      leitong::testing::set_disk_fault(DiskFault::power_loss);
    const std::string id = std::to_string(i), text = random.text(100);
    const std::vector<Text> texts = {{id, text}};
    if (!index->check_and_add(texts)) break;
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    tell << now.count() << std::endl;
    if (wanted.end == End::killed && now > lasts) ::raise(SIGKILL);
    std::this_thread::sleep_for(5ms);
  }
  ::_exit(1);
}

class Durabilities : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Levels, Durabilities,
                         ::testing::Values(Case{"sync_killed", Durability::sync, End::killed},
                                           Case{"everysec_killed", Durability::everysec, End::killed},
                                           Case{"none_killed", Durability::none, End::killed},
                                           Case{"sync_without_power", Durability::sync, End::power_lost},
                                           Case{"everysec_without_power", Durability::everysec,
                                                End::power_lost},
                                           Case{"none_without_power", Durability::none, End::power_lost}),
                         [](const auto& param) { return param.param.name; });

// Prints what was lost; docs/operations.md has the figures.
TEST_P(Durabilities, LoseNoMoreThanTheySay) {
  constexpr int kProcesses = 6;
  const TempFolder folder("durability");
  const auto place = [&](int i) { return folder.path() / std::to_string(i); };
  const auto log = [&](int i) { return folder.path() / ("log" + std::to_string(i)); };
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i)
    children.push_back(
        begin_adding(place(i), log(i), GetParam(), 2000ms + 370ms * i, 50 + static_cast<unsigned>(i)));
  std::size_t acknowledged = 0, lost = 0;
  long longest = 0;
  for (int i = 0; i < kProcesses; ++i) {
    int status = 0;
    ::waitpid(children[static_cast<std::size_t>(i)], &status, 0);
    const bool ended_so = GetParam().end == End::killed
                              ? WIFSIGNALED(status)
                              : WIFEXITED(status) && WEXITSTATUS(status) == leitong::testing::kPowerLost;
    ASSERT_TRUE(ended_so) << "process " << i;
    std::vector<long> told;
    std::ifstream in(log(i));
    for (long at = 0; in >> at;) told.push_back(at);
    ASSERT_GT(told.size(), 20u);
    const Context context({.threads = 1});
    const auto index = Index::open(context, place(i), {});
    ASSERT_TRUE(index) << index.error().message;
    std::size_t there = 0;
    for (; there < told.size(); ++there) {
      const auto stored = index->get(std::to_string(there));
      ASSERT_TRUE(stored) << stored.error().message;
      if (!*stored) break;
    }
    acknowledged += told.size();
    lost += told.size() - there;
    if (there < told.size()) longest = std::max(longest, told.back() - told[there]);
  }
  std::cout << GetParam().name << ": of " << acknowledged << " acknowledged texts " << lost << " lost, "
            << longest << " ms at most\n";
  RecordProperty("lost", static_cast<int>(lost));
  RecordProperty("longest_ms", static_cast<int>(longest));
  const bool may_lose = GetParam().end == End::power_lost && GetParam().durability != Durability::sync;
  EXPECT_EQ(lost > 0, may_lose);
  // A second and a half, if the machine has time for it.
  if (GetParam().durability == Durability::everysec) {
    EXPECT_LE(longest, 4000);
  }
}

}  // namespace
}  // namespace leitong::online
