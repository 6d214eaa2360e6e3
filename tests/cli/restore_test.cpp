// leitong restore: removed documents come back, through files and pipes, and a run that stops leaves no
// output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kRecords =
    "{\"id\": \"a\", \"text\": "
    "\"渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候。\"}\r\n"
    "\n"
    "no record\n"
    "{\"id\": \"b\", \"text\": \"The dough rises twice, and is baked for forty minutes in a hot oven.\"}\n"
    "{\"id\": \"c\", "
    "\"text\": \"渡船清晨六點開第一班，霧大的日子改在七點，乘客請在北岸的石階旁排隊等候，不要擁擠。\"}";

class RestoreCommand : public ::testing::Test {
 protected:
  RestoreCommand() {
    folder_.write("in.jsonl", kRecords);
    const Outcome run = leitong({"dedup", folder_ / "in.jsonl", "-o", folder_ / "kept.jsonl", "--restorable",
                                 folder_ / "removed", "--quiet"});
    EXPECT_EQ(run.code, 0) << run.err;
  }

  TempFolder folder_;
};

TEST_F(RestoreCommand, WritesTheInputAgainAndSaysHowMuch) {
  const Outcome done =
      leitong({"restore", folder_ / "kept.jsonl", folder_ / "removed", "-o", folder_ / "again.jsonl"});
  EXPECT_EQ(done.code, 0);
  EXPECT_EQ(done.err, "1 file restored, and 1 removed record in it\n");
  EXPECT_EQ(read_file(folder_ / "again.jsonl"), kRecords);
  const Outcome refused =
      leitong({"restore", folder_ / "kept.jsonl", folder_ / "removed", "-o", folder_ / "again.jsonl"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("exists; force overwrites it (--force)"));
}

TEST_F(RestoreCommand, PipesWillDoForTheKeptRecordsAndTheOutput) {
  const Outcome done =
      leitong({"restore", "-", folder_ / "removed", "-o", "-", "--quiet"}, read_file(folder_ / "kept.jsonl"));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, kRecords);
  EXPECT_EQ(
      folder_.run("cat in.jsonl | (leitong dedup - -o - --restorable removed2 --quiet) | gzip > kept.gz; "
                  "(leitong restore kept.gz removed2 -o -)"),
      kRecords);
}

TEST_F(RestoreCommand, OneRecordGoesToStandardOutput) {
  const Outcome done =
      leitong({"restore", folder_ / "kept.jsonl", folder_ / "removed", "--id", "a", "-o", "-"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, kRecords.substr(0, kRecords.find('\n') + 1));
}

TEST_F(RestoreCommand, InvalidArgumentsAreRefused) {
  EXPECT_THAT(leitong({"restore", folder_ / "kept.jsonl", "-o", "-"}).err, HasSubstr("name two files"));
  EXPECT_EQ(leitong({"restore", folder_ / "kept.jsonl", folder_ / "kept.jsonl", "-o", folder_ / "x"}).code,
            1);
  EXPECT_THAT(leitong({"restore", folder_ / "in.jsonl", folder_ / "removed", "-o", folder_ / "x"}).err,
              HasSubstr("is not what the run wrote"));
  EXPECT_THAT(leitong({"restore", folder_ / "kept.jsonl", folder_ / "removed", "-o", folder_ / "kept.jsonl",
                       "--force"})
                  .err,
              HasSubstr("input is never changed"));
  EXPECT_THAT(folder_.list(), ElementsAre("in.jsonl", "kept.jsonl", "removed"));
}

TEST_F(RestoreCommand, NothingIsLeftOfARunThatIsStopped) {
  EXPECT_EQ(folder_.run(R"(
mkfifo pipe; exec 3<>pipe
leitong restore pipe removed -o again.jsonl 2> err & pid=$!
sleep 1; kill -TERM $pid; wait $pid; echo $?
leitong dedup - -o kept2.jsonl --restorable removed2 < pipe 2> err & pid=$!
sleep 1; kill -TERM $pid; wait $pid; echo $?)"),
            "3\n3\n");
  EXPECT_THAT(folder_.list(), ElementsAre("err", "in.jsonl", "kept.jsonl", "pipe", "removed"));
}

TEST_F(RestoreCommand, AFullDiskLeavesNothing) {
  EXPECT_EQ(
      folder_.run(
          "(ulimit -f 0; leitong restore kept.jsonl removed -o again.jsonl 2> err); echo $?; rm -f err"),
      "5\n");
  EXPECT_THAT(folder_.list(), ElementsAre("in.jsonl", "kept.jsonl", "removed"));
}

}  // namespace
}  // namespace leitong::test
