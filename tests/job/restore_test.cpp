// Restores the input of a run byte for byte from what it kept and what it removed.
#include "leitong/restore.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "corpus/corpus_fixture.hpp"
#include "io/byte_stream.hpp"
#include "leitong/job.hpp"

namespace leitong {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kFerry =
    "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候，不要拥挤，也不要站在跳板上。";
constexpr std::string_view kFerryAgain =
    "渡船清晨六點開第一班，霧大的日子改在七點。乘客請在北岸的石階旁排隊等候，不要擁擠，也不要站在跳板上，以免"
    "滑倒！！";
constexpr std::string_view kDough =
    "面团要发两次，一次在盆里，一次在模子里，然后烤四十分钟，出炉后放凉再切。";

std::string json(std::string_view id, std::string_view text) {
  return R"({"id": ")" + std::string(id) + R"(", "text": ")" + std::string(text) + "\"}";
}

/// `words` words that depend on the seed.
std::string prose(unsigned seed, std::size_t words) {
  static constexpr std::string_view kWords[] = {"harbour", "lantern", "granite", "whistle", "orchard",
                                                "copper",  "meadow",  "thunder", "ribbon",  "saddle",
                                                "velvet",  "anchor",  "pepper",  "marble",  "cinder"};
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 0; i < words; ++i)
    text.append(kWords[random() % std::size(kWords)]).append(std::to_string(random() % 100)).append(" ");
  return text;
}

class Restore : public ::testing::Test {
 protected:
  /// A file of the input.
  void given(std::string_view name, std::string_view bytes) {
    write_file(folder_ / name, bytes);
    names_.emplace_back(name);
    job_.input.paths.push_back(path(name));
  }
  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }

  DedupSummary dedup(std::string_view kept, unsigned threads = 2) {
    job_.outputs.kept = path(kept);
    job_.outputs.restorable = path("restorable");
    job_.outputs.force = true;
    const auto summary = dedup_files(Context({.threads = threads, .work_folder = folder_ / "work"}), job_);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary.value_or(DedupSummary());
  }
  Result<RestoreSummary> restore(std::string_view output, std::string_view id = {}, unsigned threads = 2) {
    return restore_files(Context({.threads = threads, .work_folder = folder_ / "work"}),
                         {.kept = job_.outputs.kept,
                          .restorable = path("restorable"),
                          .output = path(output),
                          .id = std::string(id),
                          .force = true});
  }
  /// The place of an input file in a folder of restored ones.
  [[nodiscard]] std::string in_folder(std::string_view output, std::string_view name) const {
    return path(output) + "/" + std::filesystem::path(path(name)).relative_path().string();
  }

  /// A run removes something, and its only input is restored.
  void expect_same_bytes(std::string_view kept = "kept.jsonl", std::uint64_t removed = 1) {
    EXPECT_EQ(dedup(kept).removed, removed);
    const auto summary = restore("again");
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(read_file(folder_ / "again"), read_file(folder_ / names_.front()));
    EXPECT_EQ(summary->records, removed);
    EXPECT_TRUE(summary->lost.empty());
  }

  TemporaryFolder folder_;
  DedupJob job_;
  std::vector<std::string> names_;
};

TEST_F(Restore, JsonlComesBackByteForByte) {
  given("in.jsonl", json("a", kFerry) + "\n" + json("b", kDough) + "\n" + json("c", kFerryAgain) + "\n");
  expect_same_bytes();
}

TEST_F(Restore, BlankLinesBadRecordsMarksAndLineEndsComeBackToo) {
  given("in.jsonl", "\xef\xbb\xbf\n  \r\n" + json("a", kFerry) + "\r\n\r\nno record\r\n{\"id\": 7}\n" +
                        json("b", kDough) + "\n\n" + json("c", kFerryAgain) + " \r\n\t\n" +
                        json("d", kFerry));  // no line feed at the end
  expect_same_bytes("kept.jsonl", 2);
}

TEST_F(Restore, ALastRecordThatStaysWithoutALineFeedIsRestoredWithoutOne) {
  given("in.jsonl", json("a", kFerry) + "\n" + json("c", kFerryAgain));
  expect_same_bytes();
}

TEST_F(Restore, NothingRemovedNothingLost) {
  given("in.jsonl", json("a", kFerry) + "\n\n" + json("b", kDough) + "\n");
  expect_same_bytes("kept.jsonl", 0);
}

TEST_F(Restore, AnArrayIsRestoredWithItsLayout) {
  given("in.json", "[\n  {\n    \"id\": \"a\",\n    \"text\" : \"" + std::string(kFerry) + "\"\n  },\n  " +
                       json("b", kDough) + " ,\n  " + json("c", kFerryAgain) + "\n]\n");
  expect_same_bytes();
}

TEST_F(Restore, TablesOfTextComeBackWithTheirHeaders) {
  given("in.csv", "\xef\xbb\xbfid,text\r\na,\"" + std::string(kFerry) + "\n, twice\"\r\nb," +
                      std::string(kDough) + "\r\nx\r\nc,\"" + std::string(kFerryAgain) + "\"");
  expect_same_bytes("kept.csv");
}

TEST_F(Restore, LinesComeBack) {
  job_.input.kind = "lines";
  given("in.txt", std::string(kFerry) + "\r\n\n" + std::string(kDough) + "\n" + std::string(kFerryAgain));
  expect_same_bytes("kept.txt");
}

TEST_F(Restore, AnArchiveComesBackWithTheRecordsThatHoldNoDocument) {
  const auto record = [](std::string_view type, std::string_view id, std::string_view text) {
    return "WARC/1.0\r\nWARC-Type: " + std::string(type) + "\r\nWARC-Record-ID: <" + std::string(id) +
           ">\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" +
           std::string(text) + "\r\n\r\n";
  };
  given("in.warc", record("warcinfo", "i", "software: none") + record("conversion", "a", kFerry) +
                       record("metadata", "m", "nothing") + record("conversion", "b", kDough) +
                       record("conversion", "c", kFerryAgain));
  expect_same_bytes("kept.warc.gz");
}

TEST_F(Restore, OfCompressedInputTheUnpackedStreamIsRestored) {
  const std::string text =
      json("a", kFerry) + "\n" + json("b", kDough) + "\n" + json("c", kFerryAgain) + "\n";
  auto packed = OutputFile::create(folder_ / "in.jsonl.gz", false).value();
  ASSERT_TRUE(packed->write(text));
  ASSERT_TRUE(packed->commit());
  job_.input.paths = {path("in.jsonl.gz")};
  EXPECT_EQ(dedup("kept.jsonl.zst").removed, 1u);
  ASSERT_TRUE(restore("again.jsonl"));
  EXPECT_EQ(read_file(folder_ / "again.jsonl"), text);
  ASSERT_TRUE(restore("again.jsonl.xz"));
  EXPECT_EQ(read_all(*open_decoded(path("again.jsonl.xz")).value(), "").value(), text);
}

TEST_F(Restore, SeveralFilesComeBackInAFolder) {
  given("one.csv", "id,text\na," + std::string(kFerry) + "\nb," + std::string(kDough) + "\n");
  given("sub/two.csv", "id,text\nc," + std::string(kFerryAgain));
  given("three.csv", "id,text\n");
  for (const std::string_view kept : {"kept.csv", "kept/"}) {
    std::filesystem::remove_all(folder_ / "again");
    EXPECT_EQ(dedup(kept).removed, 1u);
    const auto summary = restore("again/");
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->files, 3u);
    for (const std::string& name : names_)
      EXPECT_EQ(read_file(in_folder("again", name)), read_file(folder_ / name)) << kept << name;
    EXPECT_THAT(restore("again.csv").error().message, HasSubstr("was 3 files; name a folder"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "again.csv"));
  }
}

TEST_F(Restore, AFolderOfDocumentsIsRestoredWithFilesThatWereNoDocuments) {
  write_file(folder_ / "docs/a.txt", kFerry);
  write_file(folder_ / "docs/b.md", std::string(kDough) + "\r\n");
  write_file(folder_ / "docs/c.txt", kFerryAgain);
  write_file(folder_ / "docs/deep/copy.txt", kFerry);
  write_file(folder_ / "docs/empty.txt", "");
  write_file(folder_ / "docs/picture.png", std::string("\x89PNG\r\n\x1a\n\0\0bytes", 17));
  auto packed = OutputFile::create(folder_ / "docs/z.txt.gz", false).value();
  ASSERT_TRUE(packed->write(kFerryAgain));
  ASSERT_TRUE(packed->commit());
  job_.input.paths = {path("docs")};
  for (const std::string_view kept : {"kept.list", "kept/"}) {
    std::filesystem::remove_all(folder_ / "again");
    std::filesystem::remove_all(folder_ / "kept");
    const DedupSummary run = dedup(kept);
    EXPECT_EQ(run.removed, 3u);
    EXPECT_EQ(run.quarantined, 2u);
    const auto summary = restore("again/");
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->files, 7u);
    EXPECT_TRUE(summary->lost.empty());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "docs")) {
      if (!entry.is_regular_file()) continue;
      const std::string name = std::filesystem::relative(entry.path(), folder_ / "").string();
      EXPECT_EQ(read_file(in_folder("again", name)), read_file(entry.path())) << kept << ": " << name;
    }
    ASSERT_TRUE(restore("one", path("docs/a.txt")));
    EXPECT_EQ(read_file(folder_ / "one"), kFerry);
  }
}

TEST_F(Restore, FilesThatCouldNotBeReadAreNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "NOT TESTED: root may read every file";
  write_file(folder_ / "docs/a.txt", kFerry);
  write_file(folder_ / "docs/b.txt", kDough);
  write_file(folder_ / "docs/secret.txt", kDough);
  std::filesystem::permissions(folder_ / "docs/secret.txt", std::filesystem::perms::none);
  job_.input.paths = {path("docs")};
  dedup("kept.list");
  const auto summary = restore("again/");
  ASSERT_TRUE(summary) << summary.error().message;
  ASSERT_EQ(summary->lost.size(), 1u);
  EXPECT_EQ(summary->lost[0].path, path("docs/secret.txt"));
}

TEST_F(Restore, OneRecordComesBackByItsIdOrPlace) {
  given("in.jsonl", json("a", kFerry) + "\r\n" + R"({"text": ")" + std::string(kDough) + "\"}\n" +
                        R"({"text": ")" + std::string(kDough) + "凉了才好吃。\"}\n" + json("c", kFerryAgain));
  EXPECT_EQ(dedup("kept.jsonl").removed, 2u);
  const auto summary = restore("one", "a");
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(read_file(folder_ / "one"), json("a", kFerry) + "\r\n");
  EXPECT_EQ(summary->records, 1u);
  ASSERT_TRUE(restore("one", path("in.jsonl") + ":2"));
  EXPECT_EQ(read_file(folder_ / "one"), R"({"text": ")" + std::string(kDough) + "\"}\n");
  const auto none = restore("none", "c");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
}

TEST_F(Restore, ATextThatLeftForAReferenceIsRestoredWithoutIt) {
  write_file(folder_ / "known.jsonl", json("k", kFerry) + "\n");
  job_.input.reference_paths = {path("known.jsonl")};
  job_.settings.removal.remove = Remove::similar;
  given("in.jsonl", json("a", kFerryAgain) + "\n" + json("b", kDough) + "\n");
  expect_same_bytes();
}

TEST_F(Restore, LongRecordsComeInParts) {
  const std::string text = prose(1, 150'000);  // some 1.4 MB
  std::string edited = text;
  edited.insert(700'000, "a new sentence stands here, and nowhere else. ");
  given("in.jsonl", json("a", text) + "\n" + std::string(3 << 19, ' ') + "\n" + json("b", edited) + "\n");
  expect_same_bytes();
  EXPECT_LT(std::filesystem::file_size(folder_ / "restorable"), 20'000u);
  ASSERT_TRUE(restore("one", "a"));
  EXPECT_EQ(read_file(folder_ / "one"), json("a", text) + "\n");
}

// A cluster keeps each text that has something of its own, and the differences are to the kept text for which
// a text left.
TEST_F(Restore, InAClusterThatKeepsSeveralEachTextIsRestoredFromItsOwn) {
  const std::string shared = prose(1, 200);
  const std::string first = shared + prose(2, 100), second = shared + prose(3, 100);
  given("in.jsonl", json("a", first) + "\n" + json("b", second) + "\n" + json("c", first + "end") + "\n" +
                        json("d", second + "end") + "\n");
  expect_same_bytes("kept.jsonl", 2);
}

TEST_F(Restore, DifferencesOfRevisionsAreSmallAndCopiesArePointers) {
  std::string revisions, copies;
  for (unsigned i = 0; i < 50; ++i) {
    const std::string text = prose(i, 300);
    revisions += json("r" + std::to_string(i), text + "the end") + "\n" +
                 json("s" + std::to_string(i), text.substr(0, 1000) + "changed " + text.substr(1020)) + "\n";
    copies += json("same", text) + "\n" + json("same", text) + "\n";
  }
  given("in.jsonl", revisions);
  expect_same_bytes("kept.jsonl", 50);
  EXPECT_LT(std::filesystem::file_size(folder_ / "restorable"), revisions.size() / 2 / 10);
  names_.clear();
  job_.input.paths.clear();
  given("copies.jsonl", copies);
  expect_same_bytes("kept.jsonl", 50);
  EXPECT_LT(std::filesystem::file_size(folder_ / "restorable"), 2000u);
}

TEST_F(Restore, AnyNumberOfThreadsWritesAndReadsTheSameBytes) {
  std::string text;
  for (unsigned i = 0; i < 600; ++i)
    text += json("x" + std::to_string(i), prose(i % 200, 120 + i / 200)) + (i % 7 == 0 ? "\n\n" : "\n");
  given("in.jsonl", text);
  EXPECT_EQ(dedup("kept.jsonl", 1).removed, 400u);
  const std::string alone = read_file(folder_ / "restorable");
  dedup("kept.jsonl", 4);
  EXPECT_EQ(read_file(folder_ / "restorable"), alone);
  for (const unsigned threads : {1U, 4U}) {
    ASSERT_TRUE(restore("again", {}, threads));
    EXPECT_EQ(read_file(folder_ / "again"), text) << threads;
  }
}

TEST_F(Restore, EveryFlippedByteAndEveryCutOfTheFileIsNamed) {
  given("in.jsonl", json("a", kFerry) + "\n\n" + json("b", kDough) + "\n" + json("c", kFerryAgain) + "\n");
  dedup("kept.jsonl");
  const std::string whole = read_file(folder_ / "restorable");
  const auto expect_refused = [&](const std::string& bytes, std::size_t at) {
    write_file(folder_ / "restorable", bytes);
    const auto refused = restore("again");
    ASSERT_FALSE(refused) << at;
    EXPECT_THAT(refused.error().code, AnyOf(ErrorCode::corrupt, ErrorCode::unsupported)) << at;
    EXPECT_THAT(refused.error().message, HasSubstr(path("restorable"))) << at;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "again")) << at;
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    expect_refused(bytes, at);
  }
  for (std::size_t size = 0; size < whole.size(); ++size) expect_refused(whole.substr(0, size), size);
}

TEST_F(Restore, EveryFlippedByteOfTheKeptRecordsIsNamed) {
  given("in.jsonl", json("a", kFerry) + "\n\n" + json("b", kDough) + "\n" + json("c", kFerryAgain) + "\n");
  dedup("kept.jsonl");
  const std::string kept = read_file(folder_ / "kept.jsonl");
  for (std::size_t at = 0; at < kept.size(); ++at) {
    std::string bytes = kept;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    write_file(folder_ / "kept.jsonl", bytes);
    const auto refused = restore("again");
    ASSERT_FALSE(refused) << at;
    EXPECT_EQ(refused.error().code, ErrorCode::corrupt) << at;
    EXPECT_THAT(refused.error().message, HasSubstr("kept")) << at;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "again")) << at;
  }
  write_file(folder_ / "kept.jsonl", kept + "\n");
  EXPECT_THAT(restore("again").error().message, HasSubstr("is not what the run wrote"));
}

TEST_F(Restore, AFileWithoutKeptRecordsIsRefused) {
  given("in.jsonl", json("a", kFerry) + "\n");
  job_.outputs.restorable = path("restorable");
  const auto refused = dedup_files(Context({.threads = 1}), job_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("name a file for the kept records"));
  job_.outputs.kept = path("kept.jsonl");
  job_.outputs.restorable = path("restorable.zst");
  EXPECT_THAT(dedup_files(Context({.threads = 1}), job_).error().message, HasSubstr("can't be compressed"));
}

/// Files with everything that may be between records, with the simplest check: the bytes must be the same.
TEST_F(Restore, TheBytesAreTheSameForAnyRecords) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 20; ++round) {
    std::string text;
    const unsigned records = random() % 60;
    for (unsigned i = 0; i < records; ++i) {
      const std::string id = std::to_string(random() % 30);
      switch (random() % 8) {
        case 0:
          text += "\r\n";
          break;
        case 1:
          text += "{\"broken\": " + prose(random(), random() % 50) + "\n";
          break;
        case 2:
          text += json(id, kFerry) + "\r\n";
          break;
        default:
          text += json(id, prose(random() % 10, 60 + random() % 4)) + (random() % 9 == 0 ? "\r\n" : "\n");
      }
    }
    if (random() % 2 == 0 && !text.empty()) text.pop_back();
    names_.clear();
    job_.input.paths.clear();
    given("in.jsonl", text);
    dedup("kept.jsonl");
    const auto summary = restore("again", {}, 1 + round % 3);
    ASSERT_TRUE(summary) << round << ": " << summary.error().message;
    ASSERT_EQ(read_file(folder_ / "again"), text) << round;
  }
}

}  // namespace
}  // namespace leitong
