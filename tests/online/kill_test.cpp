// A process that adds texts is killed at any time: while it writes texts, makes segments or merges them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "follower.hpp"
#include "leitong/online.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTexts = 4000, kBatch = 40;
// A segment after a few batches, and merges of segments.
Settings settings_of(const std::string& scheme) {
  Settings settings{.durability = Durability::none, .postings_in_memory = 1500, .scheme = scheme};
  if (scheme == "simhash") {
    settings.params = {"features=chars", "distance=10"};
    settings.postings_in_memory = 300;  // one posting a text
  }
  return settings;
}

std::string line_of(const Answer& answer) {
  std::string line(verdict_name(answer.verdict));
  if (answer.match) line.append(" ").append(answer.match->id);
  return line + "\n";
}

/// What a process reports of its work, in a file that remains after its end. After so many words it stops
/// itself, so that a kill finds it at this point however fast or slow the machine is; 0: never.
class Tell {
 public:
  Tell(const fs::path& file, int words_till_stop)
      : file_(::open(file.c_str(), O_WRONLY | O_CREAT, 0600)), words_till_stop_(words_till_stop) {}
  void operator()(std::string_view words) {
    if (::write(file_, words.data(), words.size()) != static_cast<ssize_t>(words.size())) ::_exit(1);
    if (--words_till_stop_ == 0) ::raise(SIGSTOP);
  }

 private:
  int file_, words_till_stop_;
};

/// Adds all texts, and reports each batch when it is acknowledged.
void add_all(const fs::path& place, const std::vector<std::string>& texts, const Settings& settings,
             Tell& tell) {
  const Context context({.threads = 1});
  auto index = Index::open(context, place, settings);
  if (!index) ::_exit(1);
  for (std::size_t first = 0; first < texts.size(); first += kBatch) {
    std::vector<std::string> ids;
    for (std::size_t i = first; i < first + kBatch; ++i) ids.push_back(std::to_string(i));
    std::vector<Text> batch;
    for (std::size_t i = first; i < first + kBatch; ++i) batch.push_back({ids[i - first], texts[i]});
    const auto answers = index->check_and_add(batch);
    if (!answers) ::_exit(1);
    std::string lines;
    for (const Answer& answer : *answers) lines += line_of(answer);
    tell(lines);
  }
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line) && !in.eof();) lines.push_back(line);
  return lines;
}

/// When a process is killed: some time after it reported so many bytes, or where it stops itself.
struct Moment {
  std::uintmax_t bytes = UINTMAX_MAX;
  unsigned microseconds = 0;
  int words = 0;
};

/// Runs work(tell) in a process of its own, kills it, and returns the lines that it reported.
template <class Work>
std::vector<std::string> told_by(Work work, const fs::path& told, Moment moment) {
  fs::remove(told);
  const pid_t child = ::fork();
  if (child == 0) {
    Tell tell(told, moment.words);
    work(tell);
    ::_exit(0);
  }
  const auto size = [&] {
    std::error_code none_yet;
    const std::uintmax_t bytes = fs::file_size(told, none_yet);
    return none_yet ? 0 : bytes;
  };
  int status = 0;
  bool halted = false;
  while (size() < moment.bytes && !halted) {
    halted = ::waitpid(child, &status, WNOHANG | WUNTRACED) != 0;
    ::usleep(100);
  }
  if (!halted || WIFSTOPPED(status)) {
    ::usleep(moment.microseconds);
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
  }
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0) << "it failed";
  return lines_of(told);
}

std::vector<std::string> added(const fs::path& place, const std::vector<std::string>& texts,
                               const Settings& settings, const fs::path& told, Moment moment = {}) {
  return told_by([&](Tell& tell) { add_all(place, texts, settings, tell); }, told, moment);
}

int kills_wished(int usual) {
  const char* const wish = std::getenv("LEITONG_KILLS");
  return wish != nullptr ? std::atoi(wish) : usual;
}

class OnlineIndexKilled : public testing::TestWithParam<std::string> {
 protected:
  const Settings settings = settings_of(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Schemes, OnlineIndexKilled, testing::Values("default", "simhash"),
                         [](const auto& param) { return param.param; });

// LEITONG_KILLS sets another number of kills.
TEST_P(OnlineIndexKilled, LosesNothingThatWasAcknowledged) {
  const int kills = kills_wished(30);
  const TempFolder folder("kills");
  RandomTexts random(21);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kTexts; ++i) {
    const std::string* earlier =
        texts.empty() ? nullptr : &texts[random.below(static_cast<std::uint32_t>(texts.size()))];
    if (earlier == nullptr || random.below(2) == 0)
      texts.push_back(random.text(20 + random.below(200)));
    else
      texts.push_back(random.below(3) == 0 ? *earlier : random.edited(*earlier, .04));
  }
  const auto fresh = [&](const fs::path& place) {
    fs::remove_all(place);
    fs::create_directories(place);
    std::ofstream(place / "secret", std::ios::binary) << "0123456789abcdef";
  };
  // The reference: a process that is not disturbed.
  const fs::path undisturbed = folder.path() / "undisturbed", place = folder.path() / "killed";
  fresh(undisturbed);
  const std::vector<std::string> expected = added(undisturbed, texts, settings, folder.path() / "told");
  ASSERT_EQ(expected.size(), kTexts);
  std::uintmax_t bytes = 0;
  for (const std::string& line : expected) bytes += line.size() + 1;

  std::size_t most = 0, at_work = 0;
  Follower follower;
  const auto compare = [&](const std::vector<std::string>& told) {
    // Retries get the answers of the first call, so each run reports what the undisturbed one does.
    for (std::size_t i = 0; i < told.size(); ++i) ASSERT_EQ(told[i], expected[i]) << "text " << i;
    at_work += !told.empty() && told.size() < kTexts;
    most = std::max(most, told.size());
  };
  fresh(place);
  for (int i = 0; i < kills; ++i) {
    Moment moment{.bytes = random.below(8) == 0 ? 0 : random.below(static_cast<std::uint32_t>(bytes)),
                  .microseconds = random.below(8000)};
    // Some kills are certain to be between two batches; the others are at any point.
    if (i % 3 == 0) moment = {.words = 1 + static_cast<int>(random.below(kTexts / kBatch - 1))};
    compare(added(place, texts, settings, folder.path() / "told", moment));
    if (HasFatalFailure()) return;
    const Context context({.threads = 1});
    {
      const auto index = Index::open(context, place, settings);
      ASSERT_TRUE(index) << index.error().message;
      for (std::size_t t = 0; t < most; t += 37) {
        const auto stored = index->get(std::to_string(t));
        ASSERT_TRUE(stored && *stored) << "text " << t << " was lost";
        ASSERT_EQ((*stored)->text, texts[t]);
      }
      follower.follow(*index, {.limit = 300, .texts = true});
      ASSERT_EQ(follower.texts, texts_of(*index));
      const auto whole = i % 5 == 0 ? index->verify() : Result<void>{};
      ASSERT_TRUE(whole) << whole.error().message;
    }
    if (most > kTexts * 3 / 4) {
      fresh(place);
      follower = {};
      most = 0;
    }
  }
  std::printf("additions, %s: %d kills, %zu of them at work\n", GetParam().c_str(), kills, at_work);
  EXPECT_GE(at_work, static_cast<std::size_t>(kills / 3)) << "too few kills met it at work";
  compare(added(place, texts, settings, folder.path() / "told"));
  EXPECT_EQ(most, kTexts);
}

// Crawls one after the other: begun, filled, committed or given up; the crawl before the last one is removed.
constexpr int kCrawls = 60, kTextsOfCrawl = 90;

bool is_given_up(int crawl) { return crawl % 4 == 3; }

void run_crawls(const fs::path& place, int from, const std::vector<std::string>& texts,
                const Settings& settings, Tell& tell) {
  const Context context({.threads = 1});
  auto index = Index::open(context, place, settings);
  if (!index) ::_exit(1);
  const auto say = [&](std::string_view what, int crawl) {
    tell(std::string(what).append(" ").append(std::to_string(crawl)).append("\n"));
  };
  for (int crawl = from; crawl < kCrawls; ++crawl) {
    const std::string source = std::to_string(crawl);
    if (!index->begin(source)) ::_exit(1);
    for (int first = 0; first < kTextsOfCrawl; first += 30) {
      std::vector<std::string> ids;
      for (int i = first; i < first + 30; ++i)
        ids.push_back(std::string(source).append("-").append(std::to_string(i)));
      std::vector<Text> batch;
      for (int i = first; i < first + 30; ++i)
        batch.push_back({ids[static_cast<std::size_t>(i - first)],
                         texts[static_cast<std::size_t>(crawl * 31 + i) % texts.size()], source});
      if (!index->check_and_add(batch)) ::_exit(1);
    }
    say("filled", crawl);
    if (is_given_up(crawl) ? !index->rollback(source) : !index->commit(source)) ::_exit(1);
    say("ended", crawl);
    if (crawl >= 2 && !index->remove_source(std::to_string(crawl - 2))) ::_exit(1);
    say("done", crawl);
  }
}

TEST_P(OnlineIndexKilled, ShowsASourceWholeOrNotAtAll) {
  const int kills = kills_wished(8);
  const TempFolder folder("crawls");
  RandomTexts random(22);
  std::vector<std::string> texts;
  for (int i = 0; i < 1500; ++i)
    texts.push_back(i > 0 && random.below(3) == 0 ? random.edited(texts.back(), .03)
                                                  : random.text(20 + random.below(150)));
  const fs::path place = folder.path() / "i";
  int crawl = 0, at_work = 0;
  Follower follower;
  for (int i = 0; i < kills; ++i) {
    if (crawl == kCrawls) {
      fs::remove_all(place);
      follower = {};
      crawl = 0;
    }
    // A crawl reports about 25 bytes in three words. Every second kill occurs while a crawl is filled or just
    // after its end.
    Moment moment{.bytes = random.below(250), .microseconds = random.below(30'000)};
    if (i % 2 == 0) moment = {.words = 1 + static_cast<int>(3 * random.below(6) + random.below(2))};
    const auto told = told_by([&](Tell& tell) { run_crawls(place, crawl, texts, settings, tell); },
                              folder.path() / "told", moment);
    bool filled = false, ended = false;
    for (const std::string& line : told) {
      const int of = std::stoi(line.substr(line.find(' ')));
      ended = line.starts_with("ended");
      filled = line.starts_with("filled");
      crawl = line.starts_with("done") ? of + 1 : of;
    }
    at_work += filled || ended;
    if (crawl == kCrawls) continue;
    const Context context({.threads = 1});
    auto index = Index::open(context, place, settings);
    ASSERT_TRUE(index) << index.error().message;
    const auto held = [&](int of) {
      int count = 0;
      const auto read = index->for_each_of(std::to_string(of), [&](const Stored&) -> Result<void> {
        ++count;
        return {};
      });
      EXPECT_TRUE(read) << read.error().message;
      return count;
    };
    // Crawls whose end was reported, or that came before; the one before the last is being removed.
    for (int of = std::max(0, crawl - 1); of <= crawl; ++of) {
      const int now = held(of);
      const bool must_be_there = !is_given_up(of) && (of < crawl || ended);
      const bool may_be_there = !is_given_up(of);
      EXPECT_TRUE((now == kTextsOfCrawl && may_be_there) || (now == 0 && !must_be_there))
          << "crawl " << of << " holds " << now;
    }
    const auto whole = index->verify();
    ASSERT_TRUE(whole) << whole.error().message;
    follower.follow(*index, {.limit = 100, .texts = true});
    ASSERT_EQ(follower.texts, texts_of(*index));
    // Continues after it, whatever state it left.
    for (const std::string& open : index->open_sources()) ASSERT_TRUE(index->rollback(open));
    if (held(crawl) > 0 || is_given_up(crawl) || ended) ++crawl;
    for (int of = 0; of + 2 < crawl; ++of) ASSERT_TRUE(index->remove_source(std::to_string(of)));
    // Not in the other process, since RocksDB's threads do not survive a fork.
    const auto compacted = i % 3 == 0 ? index->compact() : Result<void>{};
    ASSERT_TRUE(compacted) << compacted.error().message;
  }
  std::printf("crawls, %s: %d kills, %d of them at work\n", GetParam().c_str(), kills, at_work);
  EXPECT_GE(at_work, kills / 3) << "too few kills met it at work";
}

}  // namespace
}  // namespace leitong::online
