#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/process.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(NormaliseCommand, TurnsEachLineIntoItsNormalForm) {
  const Outcome outcome = leitong({"normalise"}, "\xEF\xBB\xBF Ｔｈｕｎｄｅｒ\u3000 STRASSE\r\n\nｶﾞ e\u0301");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "thunder strasse\n\nガ é\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(NormaliseCommand, KeepsWhatItIsToldToKeep) {
  EXPECT_EQ(leitong({"normalise", "--keep-case", "--keep-space", "--keep-invisible"}, "Ａ\u00AD  b\n").out,
            "A\u00AD  b\n");
}

TEST(NormaliseCommand, FoldsPunctuationAndSimplifies) {
  EXPECT_EQ(leitong({"normalise", "--punctuation", "space"}, "「雷」，同。\n").out, "雷 同\n");
  EXPECT_EQ(leitong({"normalise", "--punctuation", "fold"}, "「雷」，同。\n").out, "\"雷\",同.\n");
  EXPECT_EQ(leitong({"normalise", "--simplify", "characters"}, "雷聲\n").out, "雷声\n");
}

TEST(NormaliseCommand, SimplifiesByPhrasesWhereOpenccIs) {
  const Outcome outcome = leitong({"normalise", "--simplify", "phrases"}, "乾坤與乾燥\n");
  if (outcome.code != 0) {
    EXPECT_THAT(outcome.err, HasSubstr("OpenCC"));
    GTEST_SKIP() << "OpenCC is not installed: " << outcome.err;
  }
  EXPECT_EQ(outcome.out, "乾坤与干燥\n");
}

TEST(NormaliseCommand, SaysWhatItHadToChangeOrCut) {
  std::string bomb;
  for (int i = 0; i < 5000; ++i) bomb += "\uFDFA";
  const Outcome outcome = leitong({"normalise"}, "fine\nbro\xFFken\n" + bomb + "\n");
  ASSERT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("bro\uFFFDken\n"));
  EXPECT_THAT(outcome.err, HasSubstr("not UTF-8"));
  EXPECT_THAT(outcome.err, HasSubstr("-:2"));
  EXPECT_THAT(outcome.err, HasSubstr("cut off"));
  EXPECT_THAT(outcome.err, HasSubstr("-:3"));
}

TEST(NormaliseCommand, ReadsCompressedFilesAndWritesWholeOnes) {
  TempFolder folder;
  const std::string in = folder.write("in.txt", "ONE\nTWO\n");
  const std::string packed = folder / "out.txt.gz";
  ASSERT_EQ(leitong({"normalise", in, in, "-o", packed}).code, 0);
  EXPECT_EQ(leitong({"normalise", packed}).out, "one\ntwo\none\ntwo\n");
  EXPECT_NE(leitong({"normalise", in, "-o", packed}).code, 0) << "nothing is overwritten unasked";
  const Outcome missing = leitong({"normalise", folder / "missing.txt"});
  EXPECT_NE(missing.code, 0);
  EXPECT_THAT(missing.err, HasSubstr("missing.txt"));
}

}  // namespace
}  // namespace leitong::test
