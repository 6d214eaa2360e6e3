// A process adds texts to an index on a disk that fails at some call, is full, or loses power.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "online/disk_faults.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;
using leitong::testing::DiskFault;
using leitong::testing::DiskFaults;

constexpr std::size_t kBatches = 24, kBatch = 25, kProbes = 40;

struct Corpus {
  std::vector<std::string> texts, probes;
};

Corpus make_corpus() {
  RandomTexts random(31);
  Corpus corpus;
  const auto another = [&] {
    if (corpus.texts.empty() || random.below(2) == 0) return random.text(20 + random.below(200));
    return random.edited(corpus.texts[random.below(static_cast<std::uint32_t>(corpus.texts.size()))], .03);
  };
  while (corpus.texts.size() < kBatches * kBatch) corpus.texts.push_back(another());
  while (corpus.probes.size() < kProbes) corpus.probes.push_back(another());
  return corpus;
}

// A segment after a few batches, and merges of segments.
Settings settings_of(Durability durability) { return {.durability = durability, .postings_in_memory = 1500}; }

std::string id_of(std::size_t batch, std::size_t i) { return std::to_string(batch * kBatch + i); }

Result<std::vector<Answer>> add(Index& index, const Corpus& corpus, std::size_t batch) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < kBatch; ++i) ids.push_back(id_of(batch, i));
  std::vector<Text> texts;
  for (std::size_t i = 0; i < kBatch; ++i) texts.push_back({ids[i], corpus.texts[batch * kBatch + i]});
  return index.check_and_add(texts);
}

std::string words_of(const std::vector<Answer>& answers) {
  std::string words;
  for (const Answer& answer : answers) {
    words.append(words.empty() ? "" : " ").append(verdict_name(answer.verdict));
    if (answer.match) words.append(":").append(answer.match->id);
  }
  return words;
}

std::string probe(const Index& index, const Corpus& corpus) {
  std::vector<Text> texts;
  for (const std::string& text : corpus.probes) texts.push_back({{}, text});
  const auto answers = index.check(texts);
  return answers ? words_of(*answers) : answers.error().message;
}

/// What a process reported for each batch: its answers, or "refused" with the reason; nothing if the process
/// ended before.
struct Told {
  int status = 0;
  std::vector<std::string> batches;
  std::string reads;  // the results of checks after all was added or refused
  std::uint64_t calls = 0;
};

Told add_all(const Corpus& corpus, const DiskFaults& faults, Durability durability, const fs::path& log) {
  fs::remove(log);
  const pid_t child = ::fork();
  if (child == 0) {
    std::ofstream tell(log);
    put_on_faulty_disk(faults);
    {
      const Context context({.threads = 1});
      auto index = Index::open(context, faults.folder, settings_of(durability));
      for (std::size_t batch = 0; index && batch < kBatches; ++batch) {
        const auto answers = add(*index, corpus, batch);
        tell << "batch " << (answers ? words_of(*answers) : "refused: " + answers.error().message)
             << std::endl;
      }
      if (index) tell << "reads " << probe(*index, corpus) << std::endl;
    }
    tell << "calls " << leitong::testing::disk_calls() << std::endl;
    ::_exit(0);
  }
  Told told;
  ::waitpid(child, &told.status, 0);
  std::ifstream in(log);
  for (std::string word, rest; in >> word && std::getline(in >> std::ws, rest);) {
    if (word == "batch") told.batches.push_back(rest);
    if (word == "reads") told.reads = rest;
    if (word == "calls") told.calls = std::stoull(rest);
  }
  return told;
}

struct Case {
  std::string name;
  DiskFault fault;
  bool torn = false;
  Durability durability = Durability::sync;
};

class OnlineIndexOnAFaultyDisk : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Faults, OnlineIndexOnAFaultyDisk,
    ::testing::Values(Case{"once", DiskFault::once}, Case{"for_good", DiskFault::for_good},
                      Case{"full", DiskFault::full}, Case{"power_loss", DiskFault::power_loss},
                      Case{"torn_pages", DiskFault::power_loss, true},
                      Case{"unsynced_power_loss", DiskFault::power_loss, false, Durability::none},
                      Case{"unsynced_torn_pages", DiskFault::power_loss, true, Durability::none}),
    [](const auto& param) { return param.param.name; });

// LEITONG_FAULTS sets another number of faults.
TEST_P(OnlineIndexOnAFaultyDisk, KeepsWhatItAcknowledgedAndNothingThatItRefused) {
  const char* const wish = std::getenv("LEITONG_FAULTS");
  const int faults = wish != nullptr ? std::atoi(wish) : 8;
  const TempFolder folder("faults");
  const Corpus corpus = make_corpus();
  const auto fresh = [&](const char* name) {
    const fs::path place = folder.path() / name;
    fs::remove_all(place);
    fs::create_directories(place);
    std::ofstream(place / "secret", std::ios::binary) << "0123456789abcdef";
    return place;
  };
  const Told undisturbed =
      add_all(corpus, {.folder = fresh("undisturbed")}, GetParam().durability, folder.path() / "log");
  ASSERT_EQ(undisturbed.status, 0);
  ASSERT_EQ(undisturbed.batches.size(), kBatches);
  ASSERT_GT(undisturbed.calls, 100u);

  RandomTexts random(32);
  int met = 0;
  for (int i = 0; i < faults; ++i) {
    const DiskFaults disk{.folder = fresh("faulty"),
                          .fault = GetParam().fault,
                          .call = 1 + random.below(static_cast<std::uint32_t>(undisturbed.calls)),
                          .seed = random.below(1u << 30),
                          .torn = GetParam().torn};
    SCOPED_TRACE("call " + std::to_string(disk.call) + " of " + std::to_string(undisturbed.calls) +
                 ", seed " + std::to_string(disk.seed));
    const Told told = add_all(corpus, disk, GetParam().durability, folder.path() / "log");
    ASSERT_TRUE(WIFEXITED(told.status)) << "signal " << WTERMSIG(told.status);
    const bool lost_power = WEXITSTATUS(told.status) == leitong::testing::kPowerLost;
    ASSERT_TRUE(lost_power || WEXITSTATUS(told.status) == 0) << WEXITSTATUS(told.status);
    met += lost_power || told.calls >= disk.call;
    if (disk.fault == DiskFault::once && !told.batches.empty()) {
      EXPECT_EQ(told.batches, undisturbed.batches) << "one failure is mended";
    }

    const Context context({.threads = 1});
    auto index = Index::open(context, disk.folder, settings_of(Durability::sync));
    ASSERT_TRUE(index) << index.error().message;
    const fs::path model_place = fresh("model");
    auto model = Index::open(context, model_place, {.durability = Durability::none});
    ASSERT_TRUE(model) << model.error().message;
    bool lost = false;  // the index holds the first batches, with any durability
    for (std::size_t batch = 0; batch < kBatches; ++batch) {
      const bool is_told = batch < told.batches.size(),
                 is_refused = is_told && told.batches[batch].starts_with("refused");
      std::size_t there = 0;
      for (std::size_t n = 0; n < kBatch; ++n) {
        const auto stored = index->get(id_of(batch, n));
        ASSERT_TRUE(stored) << stored.error().message;
        there += stored->has_value();
        if (*stored) {
          ASSERT_EQ((*stored)->text, corpus.texts[batch * kBatch + n]);
        }
      }
      ASSERT_TRUE(there == 0 || there == kBatch) << "batch " << batch << " is there in part";
      lost = lost || (is_told && !is_refused && there == 0);
      ASSERT_FALSE(lost && (GetParam().durability == Durability::sync || there > 0)) << "batch " << batch;
      EXPECT_FALSE(is_refused && there > 0)
          << "batch " << batch << " is there, but was " << told.batches[batch];
      if (there == 0) continue;
      const auto answers = add(*model, corpus, batch);
      ASSERT_TRUE(answers);
      if (is_told && !is_refused) {
        EXPECT_EQ(told.batches[batch], words_of(*answers)) << "batch " << batch;
      }
    }
    EXPECT_EQ(probe(*index, corpus), probe(*model, corpus));
    if (GetParam().fault == DiskFault::full && !told.reads.empty()) {
      EXPECT_EQ(told.reads, probe(*model, corpus)) << "reads go on";
    }
    const auto whole = index->verify();
    EXPECT_TRUE(whole) << whole.error().message;
    // It continues as if nothing had happened.
    for (std::size_t batch = 0; batch < kBatches; ++batch) {
      const auto now = add(*index, corpus, batch), of_model = add(*model, corpus, batch);
      ASSERT_TRUE(now && of_model);
      EXPECT_EQ(words_of(*now), words_of(*of_model));
    }
    if (HasFailure()) return;
  }
  EXPECT_GE(met, faults / 2) << "too few faults were met";
}

class OnlineIndexAndItsDisk : public ::testing::Test {
 protected:
  ~OnlineIndexAndItsDisk() override { leitong::testing::take_off_faulty_disk(); }
  Result<Index> opened() {
    leitong::testing::put_on_faulty_disk({.folder = folder_.path()});
    return Index::open(context_, folder_.path(), settings_of(Durability::sync));
  }

  const TempFolder folder_{"disk"};
  const Corpus corpus_ = make_corpus();
  const Context context_{{.threads = 1}};
  Result<Index> index_ = opened();
};

TEST_F(OnlineIndexAndItsDisk, AFullDiskIsReadAndHasRoomAgain) {
  ASSERT_TRUE(index_ && add(*index_, corpus_, 0));
  const std::string before = probe(*index_, corpus_);
  leitong::testing::set_disk_fault(DiskFault::full);
  for (int i = 0; i < 3; ++i) {
    const auto refused = add(*index_, corpus_, 1);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("No space left on device"), std::string::npos)
        << refused.error().message;
    EXPECT_EQ(probe(*index_, corpus_), before);
    EXPECT_EQ((*index_->get(id_of(0, 3)))->text, corpus_.texts[3]);
    EXPECT_FALSE(*index_->get(id_of(1, 3)));
  }
  leitong::testing::set_disk_fault(DiskFault::none);
  const auto added = add(*index_, corpus_, 1);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ((*index_->get(id_of(1, 3)))->text, corpus_.texts[kBatch + 3]);
  EXPECT_TRUE(index_->verify());
}

// What was written last is in the log then, and opening would write it to another place.
TEST_F(OnlineIndexAndItsDisk, AnIndexOnAFullDiskCanBeOpenedToRead) {
  for (const std::string scheme : {"default", "simhash"}) {
    const fs::path place = folder_.path() / scheme;
    const auto open = [&] {
      return Index::open(context_, place, {.postings_in_memory = 1500, .scheme = scheme});
    };
    std::string before;
    {
      auto index = open();
      ASSERT_TRUE(index) << index.error().message;
      for (std::size_t batch = 0; batch < 20; ++batch) ASSERT_TRUE(add(*index, corpus_, batch));
      before = probe(*index, corpus_);
    }
    leitong::testing::set_disk_fault(DiskFault::full);
    {
      auto index = open();
      ASSERT_TRUE(index) << index.error().message;
      EXPECT_EQ(probe(*index, corpus_), before);
      EXPECT_EQ((*index->get(id_of(19, 3)))->text, corpus_.texts[19 * kBatch + 3]);
      EXPECT_TRUE(index->verify());
      EXPECT_EQ(index->figures()->texts, 20 * kBatch);
      const auto refused = add(*index, corpus_, 20);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::io);
      EXPECT_NE(refused.error().message.find("the folder can't be written"), std::string::npos);
      EXPECT_NE(refused.error().message.find("No space left on device"), std::string::npos)
          << refused.error().message;
      EXPECT_FALSE(index->compact());
      EXPECT_FALSE(index->snapshot(folder_.path() / "copy"));
      EXPECT_EQ(probe(*index, corpus_), before);
    }
    leitong::testing::set_disk_fault(DiskFault::none);
    auto index = open();
    ASSERT_TRUE(index && add(*index, corpus_, 20));
    EXPECT_TRUE(index->verify());
  }
}

TEST_F(OnlineIndexAndItsDisk, AWriteThatFailedWaitsForLongReads) {
  ASSERT_TRUE(index_ && add(*index_, corpus_, 0));
  bool tried = false;
  const auto read = index_->for_each([&](const Stored&) -> Result<void> {
    if (std::exchange(tried, true)) return {};
    leitong::testing::set_disk_fault(DiskFault::once);
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(add(*index_, corpus_, 1));
    return {};
  });
  EXPECT_TRUE(read && tried);
  const auto added = add(*index_, corpus_, 1);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_TRUE(index_->verify());
}

// A power failure damages only what was not durable; other damage is reported as damage.
TEST_F(OnlineIndexAndItsDisk, DamageOfWhatWasDurableIsAnErrorThatARepairEnds) {
  ASSERT_TRUE(index_ && add(*index_, corpus_, 0) && add(*index_, corpus_, 1));
  index_ = fail(ErrorCode::io, "closed");
  const fs::path log = folder_.path() / "texts" / "000004.log";
  std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(fs::file_size(log) - 50));
  file << "damage";
  file.close();
  for (int i = 0; i < 2; ++i) {
    const auto damaged = Index::open(context_, folder_.path(), settings_of(Durability::sync));
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().code, ErrorCode::corrupt);
    EXPECT_NE(damaged.error().message.find("`leitong index repair` keeps what can be read"),
              std::string::npos)
        << damaged.error().message;
  }
  const auto repaired = rebuild(context_, folder_.path());
  ASSERT_TRUE(repaired) << repaired.error().message;
  const auto whole = Index::open(context_, folder_.path(), settings_of(Durability::sync));
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_TRUE(*whole->get(id_of(0, 3)));
  EXPECT_FALSE(*whole->get(id_of(1, 3)));
}

}  // namespace
}  // namespace leitong::online
