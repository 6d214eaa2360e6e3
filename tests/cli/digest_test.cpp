#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/process.hpp"

namespace leitong::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Digest : public ::testing::Test {
 protected:
  TempFolder folder_;
  std::string plain_ = folder_.write("plain.txt", "thunder\n");
  std::string binary_ = folder_.write("binary", std::string("\0\xff\x80 echo", 8));
  std::string odd_ = folder_.write("odd\nname\\", "x");
};

TEST_F(Digest, PrintsWhatTheCommonToolsPrint) {
  int compared = 0;
  for (const auto& [algorithm, tool] : std::vector<std::pair<std::string, std::string>>{
           {"md5", "md5sum"}, {"sha256", "sha256sum"}, {"blake2b", "b2sum"}, {"blake3", "b3sum"}}) {
    if (!have_program(tool)) continue;
    std::vector<std::string> files = {plain_, binary_, odd_};
    if (tool == "b3sum") files.pop_back();  // it escapes names in its own way
    std::vector<std::string> ours = {"digest", "--algorithm", algorithm}, theirs = {tool};
    ours.insert(ours.end(), files.begin(), files.end());
    theirs.insert(theirs.end(), files.begin(), files.end());
    const Outcome outcome = leitong(ours);
    if (outcome.code == 2 && algorithm == "blake3") continue;
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, run_program(theirs).out) << tool;
    ++compared;
  }
  EXPECT_GE(compared, 3) << "coreutils are expected everywhere";
}

TEST_F(Digest, StandardInputIsADash) {
  EXPECT_EQ(leitong({"digest", "--algorithm", "md5", "-"}, "abc").out,
            "900150983cd24fb0d6963f7d28e17f72  -\n");
}

TEST_F(Digest, ChecksItsOwnListAndThatOfMd5sum) {
  const std::string list = run_program({"md5sum", plain_, odd_}).out;
  const Outcome good = leitong({"digest", "--algorithm", "md5", "--check", folder_.write("list", list)});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("plain.txt: OK\n"));
  const Outcome quiet = leitong({"digest", "--algorithm", "md5", "--check", folder_ / "list", "--quiet"});
  EXPECT_EQ(quiet.out, "");
}

TEST_F(Digest, ANameThatIsEscapedHasABackslashInFrontAsInMd5sum) {
  const std::string name = folder_.write("two\nlines", "abc");
  const std::string list = folder_.write("list", run_program({"md5sum", name}).out);
  const Outcome ours = leitong({"digest", "--algorithm", "md5", "--check", list});
  EXPECT_EQ(ours.code, 0) << ours.err;
  EXPECT_THAT(ours.out, testing::StartsWith("\\"));
  EXPECT_EQ(ours.out, run_program({"md5sum", "--check", list}).out);
}

TEST_F(Digest, AChangedAndAMissingFileAreNamedAndFail) {
  const std::string list = leitong({"digest", plain_, binary_}).out;
  folder_.write("plain.txt", "Thunder\n");
  const std::string manifest = folder_.write("list", list + "0000  no digest\n");
  std::string gone = list;
  gone.replace(gone.find("binary"), 6, "vanished");
  const Outcome outcome = leitong({"digest", "--check", folder_.write("list2", gone)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("plain.txt: FAILED\n"));
  EXPECT_THAT(outcome.out, HasSubstr("vanished: FAILED open or read\n"));
  EXPECT_THAT(outcome.err, HasSubstr("of 2 files 1 differs and 1 can't be read"));
  EXPECT_THAT(leitong({"digest", "--check", manifest}).err,
              HasSubstr("1 line is no sha256 digest and was passed over"));
}

TEST_F(Digest, AMissingFileDoesNotKeepTheOthersFromBeingDigested) {
  const Outcome outcome = leitong({"digest", folder_ / "none", plain_, folder_ / "none2", binary_});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, leitong({"digest", plain_, binary_}).out);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("none: can't be opened"), HasSubstr("none2: can't be opened")));
}

TEST_F(Digest, AListThatHoldsNoDigestIsAnError) {
  EXPECT_EQ(leitong({"digest", "--check", plain_}).code, 1);
  EXPECT_EQ(leitong({"digest", "--check", plain_, plain_}).code, 2) << "files, or a list of them";
}

TEST_F(Digest, AListMayBeCompressed) {
  const std::string list = folder_.write("list", leitong({"digest", plain_}).out);
  ASSERT_EQ(run_program({"gzip", list}).code, 0);
  const Outcome outcome = leitong({"digest", "--check", list + ".gz"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, plain_ + ": OK\n");
}

}  // namespace
}  // namespace leitong::test
