#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;

std::string raw(std::initializer_list<std::uint64_t> values) {
  std::string bytes;
  for (const std::uint64_t value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return bytes;
}

TEST(HammingJoinCommand, ListsPairsOfRows) {
  const TempFolder folder;
  const std::string file = folder.write("a.u64", raw({0, 0xff00, 1, 0xff, 0xff01, 0}));
  const Outcome outcome = leitong({"hamming", "join", file, "-k", "2", "--format", "tsv"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "0\t5\t0\n0\t2\t1\n2\t5\t1\n1\t4\t1\n");
  EXPECT_THAT(outcome.err, HasSubstr("6 fingerprints"));
}

TEST(HammingJoinCommand, WritesRawRowsAndDistances) {
  const TempFolder folder;
  const std::string file = folder.write("a.u64", raw({0, 0xff00, 1}));
  ASSERT_EQ(leitong({"hamming", "join", file, "-o", folder / "pairs.bin"}).code, 0);
  EXPECT_EQ(read_file(folder / "pairs.bin"), std::string("\0\0\0\0\2\0\0\0\1", 9));
}

TEST(HammingJoinCommand, JoinsTwoFilesByTheirIds) {
  const TempFolder folder;
  const std::string left = folder.write("left.txt", "x\tff\ny\t0\n"),
                    right = folder.write("r.txt", "z\tfe\n");
  const Outcome outcome = leitong({"hamming", "join", left, "--with", right, "--format", "tsv"});
  EXPECT_EQ(outcome.out, "x\tz\t1\n") << outcome.err;
}

TEST(HammingJoinCommand, TakesWhatSignWrites) {
  const TempFolder folder;
  const std::string corpus = folder.write("c.jsonl", R"({"id": "a\tb", "text": "the same words"})"
                                                     "\n"
                                                     R"({"id": "none", "text": "..."})"
                                                     "\n"
                                                     R"({"id": "c\\d", "text": "the same words"})"
                                                     "\n");
  const Outcome signatures = leitong({"sign", corpus, "--param", "features=chars"});
  ASSERT_EQ(signatures.code, 0) << signatures.err;
  const Outcome joined = leitong({"hamming", "join", "-", "--format", "tsv"}, signatures.out);
  EXPECT_EQ(joined.out, "a\\tb\tc\\\\d\t0\n") << joined.err;
  EXPECT_THAT(joined.err, HasSubstr("1 line has an id without a fingerprint"));
}

TEST(HammingJoinCommand, ACompressedTsvFileIsTsv) {
  const TempFolder folder;
  const std::string file = folder.write("a.txt", "x\tff\ny\tfe\n");
  ASSERT_EQ(leitong({"hamming", "join", file, "-o", folder / "pairs.tsv.gz"}).code, 0);
  EXPECT_EQ(run_program({"gzip", "-dc", folder / "pairs.tsv.gz"}).out, "x\ty\t1\n");
}

TEST(HammingJoinCommand, NamesComponentsAndFirstRows) {
  const TempFolder folder;
  const std::string file = folder.write("a.txt", "0\nfff000\n3\nf\n0\n");
  EXPECT_EQ(leitong({"hamming", "join", file, "-k", "2", "--components", "--format", "tsv"}).out,
            "0\t0\n2\t0\n3\t0\n4\t0\n");
  EXPECT_EQ(leitong({"hamming", "join", file, "-k", "2", "--first-rows", "--format", "tsv"}).out,
            "0\t4\t0\n0\t2\t2\n2\t3\t2\n");
}

TEST(HammingJoinCommand, ReadsAndShowsFingerprintsInTheRequestedDigits) {
  const TempFolder folder;
  const std::string zeros(62, '0');
  const std::string file = folder.write("a.txt", zeros + "11\n" + zeros + "01\n");
  EXPECT_EQ(leitong({"hamming", "join", file, "-k", "1", "--format", "tsv", "--show", "hex"}).out,
            "0\t1\t1\t0000000000000003\t0000000000000001\n");
  EXPECT_EQ(leitong({"hamming", "join", file, "-k", "1", "--format", "tsv", "--show", "binary"}).out,
            "0\t1\t1\t" + zeros + "11\t" + zeros + "01\n");
  EXPECT_EQ(
      leitong({"hamming", "join", file, "-k", "1", "--format", "tsv", "--components", "--show", "decimal"})
          .out,
      "0\t0\t3\t3\n1\t0\t1\t3\n");
  const std::string short_ones = folder.write("b.txt", "11\n01\n");
  EXPECT_EQ(leitong({"hamming", "join", short_ones, "--input", "binary", "--format", "tsv"}).out,
            "0\t1\t1\n");
  const Outcome raw = leitong({"hamming", "join", file, "--show", "hex", "-o", folder / "pairs.bin"});
  EXPECT_EQ(raw.code, 2);
  EXPECT_THAT(raw.err, HasSubstr("--format tsv"));
}

TEST(HammingJoinCommand, RefusesWhatIsNoFile) {
  const TempFolder folder;
  const Outcome torn = leitong({"hamming", "join", folder.write("a.u64", raw({1, 2}) + "x")});
  EXPECT_EQ(torn.code, 1);
  EXPECT_THAT(torn.err, HasSubstr("offset 16"));
  const Outcome letters = leitong({"hamming", "join", "-"}, "12\nxyz\n");
  EXPECT_EQ(letters.code, 1);
  EXPECT_THAT(letters.err, HasSubstr(":2: offset 3"));
  const Outcome plan = leitong({"hamming", "join", folder / "a.u64", "--plan", "blocks9"});
  EXPECT_NE(plan.code, 0);
  // Without an input it reads a pipe, but no standard input that can only be empty.
  EXPECT_EQ(run_program({"sh", "-c", LEITONG_BINARY " hamming join < /dev/null"}).code, 2);
  EXPECT_EQ(leitong({"hamming"}).code, 2);
}

TEST(HammingJoinCommand, ExplainAndStatsDescribe) {
  const TempFolder folder;
  const Outcome explained = leitong({"hamming", "explain", "-n", "1e9", "-k", "3", "--memory", "8G"});
  EXPECT_EQ(explained.code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("cover8_5_3"));
  const std::string file = folder.write("a.u64", raw({0, 1, 2, 1, 1}));
  const Outcome measured = leitong({"hamming", "explain", file, "--plan", "blocks4", "--measure"});
  EXPECT_THAT(measured.out, HasSubstr("measured: plan blocks4")) << measured.err;
  const Outcome stats = leitong({"hamming", "stats", file});
  EXPECT_THAT(stats.out, HasSubstr("1, the commonest 3 times")) << stats.err;
}

}  // namespace
}  // namespace leitong::test
