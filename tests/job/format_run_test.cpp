// A complete run with a format that is not part of leitong.
#include <gmock/gmock.h>

#include "corpus/block_format.hpp"
#include "corpus/corpus_fixture.hpp"
#include "job/run.hpp"

namespace leitong {
namespace {

TEST(FormatRun, RecordsInBlocksAreReadComparedAndWrittenAgain) {
  TemporaryFolder folder;
  const std::string long_text = "the quick brown fox jumps over the lazy dog and runs away from the farm";
  write_file(folder / "in.blocks", std::string(BlockFormat::kMagic) +
                                       BlockFormat::block("a\t" + long_text + "\nb\tsomething else\n") +
                                       BlockFormat::block("c\t" + long_text + " today\n\t \n"));
  InputOptions input;
  input.paths = {(folder / "in.blocks").string()};
  input.formats = &formats_with_blocks();
  DedupJob job;
  job.outputs.kept = (folder / "kept.blocks").string();
  job.outputs.removed = (folder / "removed.jsonl").string();
  const auto summary = run_dedup(job, input, {}, Context({.work_folder = folder / "work"}));
  ASSERT_TRUE(summary.has_value()) << summary.error().message;
  EXPECT_EQ(summary->kept, 2u);
  EXPECT_EQ(summary->quarantined, 1u);
  EXPECT_EQ(read_file(folder / "kept.blocks"),
            std::string(BlockFormat::kMagic) +
                BlockFormat::block("b\tsomething else\nc\t" + long_text + " today\n"));
  EXPECT_THAT(read_file(folder / "removed.jsonl"),
              testing::AllOf(testing::HasSubstr("\"id\":\"a\""), testing::HasSubstr("in.blocks:1"),
                             testing::HasSubstr("\"kept\":\"c\"")));
}

}  // namespace
}  // namespace leitong
