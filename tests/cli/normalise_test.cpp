#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/process.hpp"
#include "test_places.hpp"

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

TEST(NormaliseCommand, KeepsWhatTheFlagsSay) {
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

TEST(NormaliseCommand, ALineOfManyBlocksComesWhole) {
  const std::string line(5 << 20, 'x');
  EXPECT_EQ(leitong({"normalise"}, "a\n" + line + "\nb\n" + line).out, "a\n" + line + "\nb\n" + line + "\n");
}

TEST(NormaliseCommand, SaysWhatItHadToReplaceOrCut) {
  std::string bomb, marks = "e";
  for (int i = 0; i < 5000; ++i) bomb += "\uFDFA";
  for (int i = 0; i < 5000; ++i) marks += "\u0301";
  const Outcome outcome = leitong({"normalise"}, "fine\nbro\xFFken\n" + bomb + "\n" + marks + "\n");
  ASSERT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("bro\uFFFDken\n"));
  EXPECT_THAT(outcome.err, HasSubstr("UTF-8"));
  EXPECT_THAT(outcome.err, HasSubstr("1 line grew beyond 4 times"));
  EXPECT_THAT(outcome.err, HasSubstr("1 line has more than 512 bytes of combining marks"));
  EXPECT_NE(leitong({"normalise", "--strict"}, "bro\xFFken\n").code, 0);
}

TEST(NormaliseCommand, AnswersALineBeforeTheNextOneIsWritten) {
  EXPECT_EQ(run_program({"bash", "-c", R"(
coproc )" LEITONG_BINARY R"( normalise
for line in Ａ Ｂ; do
  echo $line >&${COPROC[1]}
  read -t 20 -u ${COPROC[0]} answer && echo $answer
done)"})
                .out,
            "a\nb\n");
}

TEST(NormaliseCommand, GivesTheSameForAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "Ｌｉｎｅ " + std::to_string(i) + " 雷聲 \n";
  const std::vector<std::string> one = {"normalise", "--simplify", "characters"};
  const std::vector<std::string> three = {"normalise", "--simplify", "characters", "--threads", "3"};
  EXPECT_EQ(leitong(one, text).out, leitong(three, text).out);
}

}  // namespace
}  // namespace leitong::test
