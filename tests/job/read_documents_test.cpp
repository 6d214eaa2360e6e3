#include "leitong/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "corpus/corpus_fixture.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class ReadDocuments : public ::testing::Test {
 protected:
  ReadDocuments() {
    write_file(folder_ / "a.jsonl", "{\"id\":\"one\",\"text\":\"渡船\"}\nno record\n{\"text\":\"ferry\"}\n");
    write_file(folder_ / "b.txt", "a whole file\n");
    input_.paths = {(folder_ / "a.jsonl").string(), (folder_ / "b.txt").string()};
  }
  Result<ReadSummary> read(const Context& context) {
    return read_documents(context, input_, [&](const InputDocument& document) -> Result<void> {
      seen_.emplace_back(document.id, document.text);
      return {};
    });
  }
  TemporaryFolder folder_;
  InputFiles input_;
  std::vector<std::pair<std::string, std::string>> seen_;
};

TEST_F(ReadDocuments, PassesOnIdsAndTextsInInputOrder) {
  const auto summary = read(Context({.threads = 1}));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_THAT(seen_, ElementsAre(Pair("one", "渡船"), Pair((folder_ / "a.jsonl").string() + ":3", "ferry"),
                                 Pair((folder_ / "b.txt").string(), "a whole file\n")));
  EXPECT_EQ(summary->documents, 3u);
  EXPECT_EQ(summary->quarantined, 1u);
  EXPECT_THAT(summary->first_quarantined, HasSubstr("a.jsonl:2"));
}

TEST_F(ReadDocuments, PassesOnTheSameOnAnyNumberOfThreads) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i)
    lines +=
        "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"text " + std::to_string(i * i) + " of many\"}\n";
  write_file(folder_ / "many.jsonl", lines);
  input_.paths = {(folder_ / "many.jsonl").string()};
  ASSERT_TRUE(read(Context({.threads = 1})));
  const auto alone = std::exchange(seen_, {});
  ASSERT_EQ(alone.size(), 20'000u);
  ASSERT_TRUE(read(Context({.threads = 4})));
  EXPECT_EQ(seen_, alone);
}

TEST_F(ReadDocuments, EndsWhenTheCallerFailsAndWhenItIsStopped) {
  Context context({.threads = 1});
  const auto ended = read_documents(context, input_, [](const InputDocument& document) -> Result<void> {
    return fail(ErrorCode::limit, "enough of " + std::string(document.id));
  });
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "enough of one");
  context.request_stop();
  const auto stopped = read(context);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace leitong
