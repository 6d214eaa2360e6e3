// Ctrl-C and SIGTERM: every command stops where it waits or works, with code 3 and without an output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Stop : public ::testing::Test {
 protected:
  TempFolder folder_;
};

TEST_F(Stop, ACommandThatWaitsForInputIsStoppedAtOnce) {
  folder_.write("text", "some text\n");
  folder_.write("clusters", "a\t1\n");
  EXPECT_EQ(folder_.run(R"(
mkfifo pipe; exec 3<>pipe  # open, and nobody writes
for command in "dedup - -o out1" "pairs - -o out2" "sign - --method minhash -o out3" "compare text - --report out4" \
    "cluster - --threshold .5 --clusters out5" "eval --gold - --clusters clusters" "normalise" "digest -" \
    "hamming join - -o out6" "hamming build - -o out7" "hamming stats -"; do
  leitong $command < pipe > /dev/null 2>> err & pids+=($!)
done
sleep 1; kill -TERM ${pids[@]}
for pid in ${pids[@]}; do wait $pid; echo -n "$? "; done)"),
            "3 3 3 3 3 3 3 3 3 3 3 ");
  EXPECT_THAT(folder_.list(), ElementsAre("clusters", "err", "pipe", "text"));
  EXPECT_THAT(read_file(folder_ / "err"), HasSubstr("leitong: stopping"));
}

TEST_F(Stop, ACommandThatWorksIsStoppedBetweenBlocks) {
  EXPECT_EQ(folder_.run(R"(
leitong digest /dev/zero > /dev/null 2>&1 & pids+=($!)
leitong normalise < <(exec yes) > /dev/null 2>&1 & pids+=($!)
sleep 1; kill -INT ${pids[@]}  # a shell's background jobs ignore it, unless they ask for it as leitong does
for pid in ${pids[@]}; do wait $pid; echo -n "$? "; done)"),
            "3 3 ");
}

TEST_F(Stop, AReaderThatDoesNotReadDelaysNoCommand) {
  EXPECT_EQ(folder_.run(R"(
mkfifo pipe; exec 3<>pipe
leitong normalise < <(exec yes) > pipe 2> err & pid=$!
sleep 1; kill -TERM $pid; wait $pid; echo $?)"),
            "3\n");
}

TEST_F(Stop, AClosedTerminalStopsItUnlessThatIsIgnored) {
  EXPECT_EQ(folder_.run(R"(
mkfifo pipe; exec 3<>pipe
leitong dedup - -o out < pipe 2> /dev/null & pid=$!
sleep 1; ls -A | grep -c part; kill -HUP $pid; wait $pid; echo $?
(trap '' HUP; leitong dedup - -o out < pipe 2> /dev/null & pid=$!
sleep 1; kill -HUP $pid; sleep .3; kill -0 $pid && echo alive; kill -TERM $pid; wait $pid; echo $?))"),
            "1\n3\nalive\n3\n");
  EXPECT_THAT(folder_.list(), ElementsAre("pipe"));
}

TEST_F(Stop, TheSecondTimeItLeavesAtOnceAndSaysWhatMayStay) {
  // Both signals wait until the process continues, and arrive before it can do anything.
  EXPECT_EQ(folder_.run(R"(
mkfifo pipe; exec 3<>pipe
leitong normalise < pipe 2> err & pid=$!
sleep 1; kill -STOP $pid; kill -INT $pid; kill -TERM $pid; kill -CONT $pid; wait $pid; echo $?)"),
            "130\n");
  EXPECT_THAT(read_file(folder_ / "err"), HasSubstr("end in .part may stay"));
}

}  // namespace
}  // namespace leitong::test
