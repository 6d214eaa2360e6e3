// Every compression format, complete and cut at many places, and many readers of the spool.
#include <gmock/gmock.h>

#include <random>
#include <thread>

#include "corpus/corpus_fixture.hpp"
#include "corpus/spool.hpp"

namespace leitong {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Distinct records that compress, but not to nothing.
std::string records(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) {
    lines += "{\"id\":" + std::to_string(i) + ",\"text\":\"";
    for (int word = 0; word < 20; ++word) lines += std::to_string(random() % 100'000) + " and so ";
    lines += "\"}\n";
  }
  return lines;
}

std::string compressed(const TemporaryFolder& folder, const std::string& ending, std::string_view bytes) {
  const auto path = folder / ("compressed" + ending);
  auto out = OutputFile::create(path, true);
  EXPECT_TRUE(out.has_value());
  EXPECT_TRUE((*out)->write(bytes).has_value());
  EXPECT_TRUE((*out)->commit().has_value());
  return leitong::read_file(path);
}

class Compressions : public CorpusTest, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Compressions, testing::Values(".gz", ".zst", ".bz2", ".xz"),
                         [](const auto& ending) { return std::string(ending.param).substr(1); });

TEST_P(Compressions, ReadsWhatItWrites) {
  const std::string lines = records(6'000);
  const auto packed = compressed(folder_, GetParam(), lines);
  EXPECT_LT(packed.size(), lines.size() / 2);
  open({put("a.jsonl" + std::string(GetParam()), packed)});
  EXPECT_THAT(quarantine(), IsEmpty());
  EXPECT_EQ(corpus_->size(), 6'000u);
  EXPECT_EQ(kept(), lines);
  EXPECT_EQ(corpus_->bytes_read(), packed.size());
  expect_random_access_equals_streaming();
}

TEST_P(Compressions, ReadsSeveralMembersOneAfterAnother) {
  const std::string a = records(300, 1), b = records(300, 2);
  const auto packed = compressed(folder_, GetParam(), a) + compressed(folder_, GetParam(), "") +
                      compressed(folder_, GetParam(), b);
  open({put("a.jsonl" + std::string(GetParam()), packed)});
  EXPECT_THAT(quarantine(), IsEmpty());
  EXPECT_EQ(kept(), a + b);
}

TEST_P(Compressions, ZeroBytesBehindTheDataArePadding) {
  if (GetParam() == std::string_view(".zst")) GTEST_SKIP() << "zstd has frames for padding";
  const std::string lines = records(300);
  const auto packed = compressed(folder_, GetParam(), lines) + std::string(512, '\0');
  open({put("a.jsonl" + std::string(GetParam()), packed)});
  EXPECT_THAT(quarantine(), IsEmpty());
  EXPECT_EQ(kept(), lines);
}

TEST_P(Compressions, IsRecognisedByContentUnderAnyName) {
  open({put("a.jsonl", compressed(folder_, GetParam(), records(3)))});
  EXPECT_EQ(corpus_->size(), 3u);
}

TEST_P(Compressions, ATruncatedFileKeepsTheRecordsBeforeTheCut) {
  const std::string lines = records(600);
  const auto packed = compressed(folder_, GetParam(), lines);
  std::size_t most = 0;
  for (std::size_t size = 0; size < packed.size(); size += 1 + packed.size() / 30) {
    open({put("a.jsonl" + std::string(GetParam()), packed.substr(0, size))});
    const auto bad = quarantine();
    ASSERT_THAT(bad, SizeIs(1)) << "cut at " << size;
    EXPECT_THAT(bad[0], HasSubstr("data is truncated"));
    EXPECT_THAT(bad[0], HasSubstr("\"place\":\"a.jsonl" + std::string(GetParam()) + ":" +
                                  std::to_string(corpus_->size() + 1) + "\""));
    const std::string read = kept();
    EXPECT_EQ(read, lines.substr(0, read.size()));
    most = std::max(most, static_cast<std::size_t>(corpus_->size()));
  }
  // bzip2 has blocks of 900 kB, so a smaller file can only be read after its end has come.
  if (std::string(GetParam()) != ".bz2") {
    EXPECT_GT(most, 300u);
  }
}

TEST_P(Compressions, BrokenDataAndTrailingGarbageAreOneQuarantinedRecord) {
  const std::string lines = records(2'000);
  auto packed = compressed(folder_, GetParam(), lines);
  open({put("a.jsonl" + std::string(GetParam()), packed + "garbage, not compressed")});
  EXPECT_EQ(corpus_->size(), 2'000u);
  EXPECT_THAT(quarantine(),
              testing::ElementsAre(HasSubstr("is followed by bytes that are none; what follows is lost")));

  for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 40; ++i)
    packed[i] = static_cast<char>(~packed[i]);
  open({put("a.jsonl" + std::string(GetParam()), packed)});
  EXPECT_LT(corpus_->size(), 2'000u);
  EXPECT_GE(corpus_->quarantined(), 1u);
}

TEST_P(Compressions, OneDocumentAFileToo) {
  const std::string text = "A page of text.\nIts second line.\n";
  open({put("a.txt" + std::string(GetParam()), compressed(folder_, GetParam(), text))});
  EXPECT_THAT(texts(), testing::ElementsAre(text));
  expect_random_access_equals_streaming();
}

TEST_P(Compressions, ABombIsOneRecordTooLarge) {
  const auto packed = compressed(folder_, GetParam(),
                                 "{\"text\":\"" + std::string(16 << 20, 'x') + "\"}\n{\"text\":\"a\"}\n");
  for (const std::string name : {"a.jsonl", "a.txt"}) {
    auto input = options({put(name + GetParam(), packed)});
    input.max_record_bytes = 1 << 20;
    open(input);
    EXPECT_THAT(quarantine(), testing::ElementsAre(HasSubstr("the record limit")));
    EXPECT_EQ(corpus_->size(), name == "a.txt" ? 0u : 1u);
  }
}

TEST(Spool, AnyRangeReadsBackWhileItGrows) {
  TemporaryFolder folder;
  Spool spool{WorkFolder(folder / "work")};
  const std::string all = records(20'000);
  std::atomic<std::size_t> written{0};
  std::atomic<std::size_t> wrong{0};
  std::vector<std::thread> readers;
  for (unsigned seed = 0; seed < 3; ++seed)
    readers.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      SpoolCache cache;
      std::string got;
      for (int i = 0; i < 3000; ++i) {
        const std::size_t limit = written.load();
        if (limit == 0) {
          std::this_thread::yield();
          continue;
        }
        const std::size_t begin = random() % limit;
        got.resize(std::min<std::size_t>(random() % (i % 100 == 0 ? 300'000 : 3'000), limit - begin));
        if (!spool.read(begin, got.data(), got.size(), cache) || all.compare(begin, got.size(), got) != 0)
          ++wrong;
      }
    });
  std::mt19937 random(7);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t part = std::min<std::size_t>(random() % 200'000, all.size() - at);
    ASSERT_TRUE(spool.append(std::string_view(all).substr(at, part)).has_value());
    at += part;
    written = at;
  }
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(spool.size(), all.size());
  SpoolCache cache;
  std::string got(all.size(), '\0');
  ASSERT_TRUE(spool.read(0, got.data(), got.size(), cache).has_value());
  EXPECT_EQ(got, all);
  EXPECT_FALSE(spool.read(all.size(), got.data(), 1, cache).has_value());
}

}  // namespace
}  // namespace leitong
