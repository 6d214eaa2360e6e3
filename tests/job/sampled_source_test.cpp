// The beginnings of several corpora as one source, checked against the promises of a source.
#include "job/sampled_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "corpus/corpus_fixture.hpp"
#include "io/run_context.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;

class SampledSourceTest : public ::testing::Test {
 protected:
  std::string put(std::string_view name, std::string_view bytes) {
    write_file(folder_ / name, bytes);
    return (folder_ / name).string();
  }
  /// One corpus for each file.
  SampledSource sample(const std::vector<std::string>& paths, std::uint64_t part_bytes) {
    std::vector<std::unique_ptr<Corpus>> corpora;
    for (const std::string& path : paths) {
      InputOptions options;
      options.paths = {path};
      corpora.push_back(Corpus::open(options, run_).value());
    }
    return {std::move(corpora), part_bytes};
  }
  static std::vector<std::string> ids(const Streamed& streamed) {
    std::vector<std::string> ids;
    for (const auto& document : streamed.documents) ids.push_back(document.id);
    return ids;
  }

  TemporaryFolder folder_;
  Context context_;
  RunContext run_{context_};
};

TEST_F(SampledSourceTest, NumbersDocumentsThroughAllParts) {
  SampledSource source =
      sample({put("a.jsonl", "{\"id\":\"a\",\"text\":\"one\"}\nbroken\n{\"id\":\"b\",\"text\":\"two\"}\n"),
              put("empty.jsonl", ""), put("c.jsonl", "{\"id\":\"c\",\"text\":\"three\"}\n")},
             1 << 20);
  const Streamed streamed = stream(source);
  EXPECT_EQ(streamed.error, "");
  EXPECT_THAT(ids(streamed), ElementsAre("a", "b", "c"));
  EXPECT_EQ(source.size(), 3u);
  EXPECT_EQ(source.quarantined(), 1u);
  EXPECT_TRUE(source.exhausted());
  EXPECT_EQ(source.total_bytes(), 0u) << "nobody knows how much of it is read";
  // By number, out of order, as streamed.
  const auto scratch = source.new_scratch();
  for (const DocId document : {2u, 0u, 1u, 2u}) {
    const auto text = source.read(document, *scratch);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(text->text, streamed.documents[document].text);
    EXPECT_EQ(text->id, streamed.documents[document].id);
  }
}

TEST_F(SampledSourceTest, LeavesAPartBehindTheBatchThatPassesItsBytes) {
  std::string many;
  constexpr std::size_t kRecords = 40'000;
  for (std::size_t i = 0; i < kRecords; ++i)
    many += "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"" + std::string(50, 'x') + "\"}\n";
  SampledSource source =
      sample({put("many.jsonl", many), put("few.jsonl", "{\"id\":\"last\",\"text\":\"y\"}\n")}, 1000);
  const Streamed streamed = stream(source);
  EXPECT_EQ(streamed.error, "");
  ASSERT_FALSE(streamed.documents.empty());
  EXPECT_EQ(streamed.documents.back().id, "last") << "each part has its turn";
  EXPECT_GT(streamed.documents.size(), 1000 / 60u);
  EXPECT_LT(streamed.documents.size(), kRecords / 2) << "and no part has all";
  EXPECT_FALSE(source.exhausted());
  EXPECT_GT(source.bytes_read(), 1000u);
  EXPECT_LT(source.bytes_read(), many.size() / 2);
  const auto scratch = source.new_scratch();
  EXPECT_EQ(source.read(static_cast<DocId>(source.size() - 1), *scratch)->id, "last");
}

TEST_F(SampledSourceTest, AnErrorOfAPartEndsTheStream) {
  const std::string path = put("gone.jsonl", "{\"text\":\"x\"}\n");
  SampledSource source = sample({path}, 1000);
  std::filesystem::remove(path);
  EXPECT_THAT(stream(source).error, ::testing::HasSubstr("gone.jsonl"));
  EXPECT_EQ(source.size(), 0u);
}

}  // namespace
}  // namespace leitong
