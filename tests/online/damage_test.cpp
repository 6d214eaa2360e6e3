// An index whose files are damaged: each byte of each file changed, each file cut at each byte, or missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "io/byte_stream.hpp"
#include "io/compression.hpp"
#include "io/read_file.hpp"
#include "online/online_index.hpp"
#include "opened_index.hpp"
#include "temp_folder.hpp"
#include "test_places.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

std::string bytes_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void write_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

bool is_in(const fs::path& file, std::string_view ending) { return file.string().ends_with(ending); }

/// With a segment, sorted files, and a log of the latest writes.
class DamagedIndex : public ::testing::Test {
 protected:
  DamagedIndex() {
    const auto made = value(OnlineIndex::make_at_once(context_, whole_, {.durability = Durability::none}));
    for (std::size_t i = 0; i < 30; i += 10)
      value(made->add(arrivals_.between(i, i + 10), Look::near, {}, {}));
    EXPECT_TRUE(made->finish());
  }
  void SetUp() override {
    Index index = value(Index::open(context_, whole_, {}));
    for (std::size_t i = 30; i < 40; i += 5) value(index.check_and_add(arrivals_.between(i, i + 5)));
    expected_ = verdicts(value(index.check(probes_)));
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(whole_))
      if (entry.is_regular_file()) files_.push_back(fs::relative(entry.path(), whole_));
    std::ranges::sort(files_);
  }

  /// Replaces the bytes of one file of the index, or removes the file if there are none.
  void damage(const fs::path& file, const std::string* bytes) {
    fs::remove_all(place_);
    fs::create_directories(place_ / "texts");
    for (const fs::path& other : files_) {
      if (other == file) continue;
      // Files are replaced, except for these, which are written in place.
      if (other == "durable" || other == "files")
        fs::copy_file(whole_ / other, place_ / other);
      else
        fs::create_hard_link(whole_ / other, place_ / other);
    }
    if (bytes != nullptr) write_bytes(place_ / file, *bytes);
  }

  void expect_named(const Error& error, const fs::path& file) {
    EXPECT_EQ(error.code, ErrorCode::corrupt) << error.message;
    // The index does not know the name of a missing log.
    const bool is_there = fs::exists(place_ / file);
    std::string name = is_there ? file.filename().string() : file.parent_path().filename().string();
    if (is_in(file, ".sst")) name = "texts/";  // for some damage RocksDB names another file
    EXPECT_NE(error.message.find(name), std::string::npos) << error.message;
    ++named_;
  }

  /// Requires that the index gives right answers about the texts and is reported as whole, or that it is
  /// reported as damaged, with the name of the file.
  void expect_no_wrong_verdict(const fs::path& file) {
    const auto index = Index::open(context_, place_, {.create = true});
    if (!index) return expect_named(index.error(), file);
    const auto answers = index->check(probes_);
    if (!answers) return expect_named(answers.error(), file);
    EXPECT_EQ(verdicts(*answers), expected_);
    const auto whole = index->verify();
    if (!whole) return expect_named(whole.error(), file);
    ++harmless_;
  }

  /// After a repair it is whole, and has all texts that the damage did not destroy.
  void expect_repaired(const fs::path& file) {
    const auto repaired = rebuild(context_, place_);
    // The settings are in one small file of RocksDB.
    if (!repaired && repaired.error().message.find("put a snapshot") != std::string::npos) {
      EXPECT_TRUE(is_in(file, ".sst"));
      ++unrepairable_;
      return;
    }
    ASSERT_TRUE(repaired) << repaired.error().message;
    const auto index = Index::open(context_, place_, {.create = false});
    ASSERT_TRUE(index) << index.error().message;
    const auto whole = index->verify();
    EXPECT_TRUE(whole) << whole.error().message;
    const bool may_lose = is_in(file, ".sst") || is_in(file, ".log");
    const std::string answers = verdicts(value(index->check(probes_)));
    if (!may_lose) {
      EXPECT_EQ(answers, expected_);
    }
    ++repaired_;
  }

  void expect_detected(const fs::path& file, const std::string* bytes, const std::string& what) {
    SCOPED_TRACE(file.string() + ", " + what);
    damage(file, bytes);
    const int named = named_;
    expect_no_wrong_verdict(file);
    if (named_ > named && named_ % kNamedOfOneRepair == 0) expect_repaired(file);
  }

  /// The places at which a file is damaged. LEITONG_TEST_ALL takes all of them, except in long files of
  /// little content.
  static std::size_t step_of(std::size_t bytes) {
    if (std::getenv("LEITONG_TEST_ALL") == nullptr) return 1 + bytes / 12;
    constexpr std::size_t kLong = 32 << 10;
    return bytes < kLong ? 1 : bytes / 2000;
  }

  void report() const {
    std::cout << named_ << " times the damage was named, and " << repaired_ << " of these were repaired, "
              << unrepairable_ << " could not be; " << harmless_ << " times it was harmless\n";
  }

  static constexpr int kNamedOfOneRepair = 5;

  const TempFolder folder_{"damage"};
  const fs::path whole_ = folder_.path() / "whole", place_ = folder_.path() / "damaged";
  const Context context_{{.threads = 1}};
  const Arrivals arrivals_{61, 46};  // the last ones are new
  const std::vector<std::string_view> probes_{arrivals_.texts.begin(), arrivals_.texts.end()};
  std::string expected_;
  std::vector<fs::path> files_;
  int named_ = 0, repaired_ = 0, unrepairable_ = 0, harmless_ = 0;
};

TEST_F(DamagedIndex, IsNamedForEachByteThatIsAnother) {
  for (const fs::path& file : files_) {
    const std::string bytes = bytes_in(whole_ / file);
    for (std::size_t at = 0; at < bytes.size() && !HasFailure(); at += step_of(bytes.size())) {
      std::string damaged = bytes;
      // Never the highest bit: Debian's build of RocksDB ends the process if that of a sorted file is
      // changed.
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << at % 7);
      expect_detected(file, &damaged, "byte " + std::to_string(at));
    }
  }
  report();
}

TEST_F(DamagedIndex, IsNamedForEachByteWhereAFileEnds) {
  for (const fs::path& file : files_) {
    const std::string bytes = bytes_in(whole_ / file);
    for (std::size_t size = 0; size < bytes.size() && !HasFailure(); size += step_of(bytes.size())) {
      const std::string cut = bytes.substr(0, size);
      expect_detected(file, &cut, "cut to " + std::to_string(size) + " bytes");
    }
  }
  report();
}

TEST_F(DamagedIndex, IsNamedWhereAFileIsMissing) {
  for (const fs::path& file : files_) expect_detected(file, nullptr, "missing");
  report();
}

// The log of an earlier opening is in sorted files by now.
TEST_F(DamagedIndex, MissesNoLogThatIsGoneAsItShould) {
  for (int i = 0; i < 3; ++i) {
    const auto index = Index::open(context_, whole_, {.create = false});
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_EQ(verdicts(value(index->check(probes_))), expected_);
    EXPECT_TRUE(index->verify());
  }
}

TEST_F(DamagedIndex, NeverBecomesANewOne) {
  for (const fs::path& file : files_) {
    if (is_in(file, "CURRENT")) continue;
    damage(file, nullptr);
    fs::remove(place_ / "texts" / "CURRENT");
    EXPECT_FALSE(Index::open(context_, place_, {.create = true}));
    EXPECT_TRUE(std::ranges::any_of(fs::directory_iterator(place_ / "texts"),
                                    [](const auto& entry) { return entry.path().extension() == ".sst"; }));
  }
}

// The case where the mark of what is durable is cut off, and there is no copy of the list: its files stay.
TEST_F(DamagedIndex, ARepairThatKnowsNoListOfFilesRemovesNone) {
  const fs::path list = *std::ranges::find_if(
      files_, [](const fs::path& file) { return file.string().find("MANIFEST") != std::string::npos; });
  const std::string start = bytes_in(whole_ / list).substr(0, 77);
  damage(list, &start);
  const std::string write = bytes_in(whole_ / "durable").substr(0, 8);
  write_bytes(place_ / "durable", write);
  const auto sorted_files = [&] {
    return std::ranges::count_if(fs::directory_iterator(place_ / "texts"),
                                 [](const auto& entry) { return entry.path().extension() == ".sst"; });
  };
  const auto before = sorted_files();
  EXPECT_FALSE(Index::open(context_, place_, {}));
  const auto repaired = rebuild(context_, place_);
  ASSERT_FALSE(repaired);
  EXPECT_NE(repaired.error().message.find("put a snapshot of it in its place"), std::string::npos)
      << repaired.error().message;
  EXPECT_EQ(sorted_files(), before);
}

// Half of a sorted file is unreadable: the rest of the texts is kept.
TEST_F(DamagedIndex, KeepsTheTextsThatCanBeRead) {
  {
    Index index = value(Index::open(context_, whole_, {}));
    RandomTexts random(62);
    for (int i = 0; i < 100; ++i) {
      const std::string id = "more" + std::to_string(i), text = random.text(200);
      value(index.check_and_add(std::vector<Text>{{id, text}}));
    }
  }
  value(Index::open(context_, whole_, {}));  // which moves the log into sorted files
  fs::path longest;
  for (const auto& entry : fs::directory_iterator(whole_ / "texts"))
    if (entry.path().extension() == ".sst" && (longest.empty() || entry.file_size() > fs::file_size(longest)))
      longest = entry.path();
  std::string bytes = bytes_in(longest);
  std::fill(bytes.begin() + 100, bytes.begin() + 9000, 'x');
  write_bytes(longest, bytes);
  const auto repaired = rebuild(context_, whole_);
  ASSERT_TRUE(repaired) << repaired.error().message;
  const Index index = value(Index::open(context_, whole_, {}));
  EXPECT_TRUE(index.verify());
  const std::uint64_t texts = value(index.figures()).texts;
  EXPECT_LT(texts, 140u);
  EXPECT_GT(texts, 110u);
}

TEST_F(DamagedIndex, MissingDurableWritesAreReportedThroughoutTheRepair) {
  // Those before it are empty.
  const fs::path log =
      *std::find_if(files_.rbegin(), files_.rend(), [](const fs::path& file) { return is_in(file, ".log"); });
  const std::string none;
  damage(log, &none);
  for (int i = 0; i < 2; ++i) {
    const auto index = Index::open(context_, place_, {});
    ASSERT_FALSE(index);
    expect_named(index.error(), log);
  }
  ASSERT_TRUE(rebuild(context_, place_));
  const Index index = value(Index::open(context_, place_, {}));
  EXPECT_EQ(value(index.figures()).texts, 30u);
}

/// Files one after the other, each preceded by its name and its size.
void unpack(const fs::path& archive, const fs::path& folder) {
  auto stored = std::make_unique<StoredBytes>(value(ReadFile::open(archive)), nullptr);
  const auto stream = make_decoder(Compression::zstd, std::move(stored));
  const std::string all = value(read_all(*stream, archive));
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t space = rest.find(' '), end = rest.find('\n');
    const fs::path path = folder / rest.substr(0, space);
    const std::size_t size = std::stoul(std::string(rest.substr(space + 1, end - space - 1)));
    fs::create_directories(path.parent_path());
    write_bytes(path, rest.substr(end + 1, size));
    rest.remove_prefix(end + 1 + size);
  }
}

// The index was made with the command: 30 texts by index build, 10 by add --source crawl, and one removed. It
// has to be made again when the character tables change, since an index of other tables is refused.
TEST(GoldenIndex, OfFormat3IsOpenedCheckedVerifiedAndAddedTo) {
  const TempFolder folder("golden-index");
  const fs::path place = folder.path() / "i";
  unpack(fs::path(LEITONG_SOURCE_DIR) / "tests/online/golden/index-v3.zst", place);
  std::vector<Stored> texts;
  {
    Opened opened(place, {.create = false});
    EXPECT_TRUE(opened.index.verify());
    EXPECT_TRUE(opened.index.for_each([&](const Stored& stored) -> Result<void> {
      texts.push_back(stored);
      return {};
    }));
    ASSERT_EQ(texts.size(), 39u);
    for (const Stored& stored : texts) EXPECT_TRUE(opened.check({stored.text}).starts_with("exact:"));
    RandomTexts random(63);
    const std::string another = random.text(200), like = random.edited(another, .03);
    EXPECT_EQ(opened.add({{"a", another}, {"b", like}, {"c", texts[3].text}}),
              "new near:a " + opened.check({texts[3].text}));
    EXPECT_EQ(value(opened.index.remove_source("crawl")), 10u);
    EXPECT_TRUE(opened.index.verify());
    EXPECT_TRUE(opened.index.compact());
  }
  Opened again(place, {.create = false});
  EXPECT_TRUE(again.index.verify());
  EXPECT_EQ(value(again.index.figures()).texts, 32u);
}

TEST(AWholeIndex, IsNotTakenForADamagedOneAfterAnyOperation) {
  using Work = std::function<Result<void>(Index&)>;
  const auto done = [](const auto& result) { return result.map([](const auto&) {}); };
  const std::vector<std::pair<std::string, Work>> works = {
      {"nothing", [](Index&) { return Result<void>(); }},
      {"compact", [](Index& index) { return index.compact(); }},
      {"remove", [&](Index& index) { return done(index.remove("a")); }},
      {"remove_source", [&](Index& index) { return done(index.remove_source("s")); }},
      {"expire", [&](Index& index) { return done(index.expire(20)); }},
      {"begin", [&](Index& index) { return done(index.begin("s")); }},
      {"commit", [&](Index& index) { return done(index.commit("s")); }},
      {"rollback", [](Index& index) { return index.rollback("s"); }},
      {"add", [&](Index& index) {
         return done(index.check_and_add(
             {{{.id = "a", .text = "渡船清晨六点开第一班", .source = "s", .expires = 10}}}));
       }}};
  const Work &nothing = works[0].second, &compact = works[1].second;
  for (const auto& [name, work] : works) {
    SCOPED_TRACE(name);
    const TempFolder folder("whole");
    const Context context({.threads = 1});
    for (const Work& next : {work, compact, work, nothing, compact, compact, nothing}) {
      auto index = Index::open(context, folder.path() / "i", {.durability = Durability::none});
      ASSERT_TRUE(index) << index.error().message;
      (void)next(*index);  // it may be refused: a source that is not open
    }
  }
}

}  // namespace
}  // namespace leitong::online
