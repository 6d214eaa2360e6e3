#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "cli/process.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;

TEST(HammingSearchCommand, FindsRowsByDistanceAndThenById) {
  const TempFolder folder;
  const std::string stored = folder.write("stored.txt", "0\n7\nffff0000\n1\n0\n");
  const Outcome built = leitong({"hamming", "build", stored, "-o", folder / "index"});
  ASSERT_EQ(built.code, 0) << built.err;
  EXPECT_THAT(built.err, HasSubstr("5 rows, 4 distinct"));
  const std::string queries = folder.write("queries.txt", "a\t0\nb\tffff0001\nc\tffffffffffff\n");
  const auto search = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"hamming",  "search", folder / "index", "--queries", queries,
                                       "--format", "tsv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return leitong(arguments);
  };
  const Outcome all = search({});
  EXPECT_EQ(all.out, "a\t0\t0\na\t4\t0\na\t3\t1\na\t1\t3\nb\t2\t1\n") << all.err;
  EXPECT_THAT(all.err, HasSubstr("3 queries, 5 hits within 3 bits"));
  EXPECT_EQ(search({"-k", "1", "--load"}).out, "a\t0\t0\na\t4\t0\na\t3\t1\nb\t2\t1\n");
  EXPECT_EQ(search({"--nearest", "--verify"}).out, "a\t0\t0\nb\t2\t1\n");
  EXPECT_EQ(search({"-k", "4"}).code, 2);
  EXPECT_THAT(search({"-k", "4"}).err, HasSubstr("up to 3"));
}

TEST(HammingSearchCommand, ShowsTheFingerprintsOfQueryAndHit) {
  const TempFolder folder;
  const std::string stored = folder.write("stored.txt", "0\n7\n");
  ASSERT_EQ(leitong({"hamming", "build", stored, "-o", folder / "index"}).code, 0);
  const std::string queries = folder.write("queries.txt", "q\t" + std::string(61, '0') + "011\n");
  EXPECT_EQ(leitong({"hamming", "search", folder / "index", "--queries", queries, "-k", "1", "--format",
                     "tsv", "--show", "hex"})
                .out,
            "q\t1\t1\t0000000000000003\t0000000000000007\n");
}

TEST(HammingSearchCommand, KeepsTheNumbersThatAFileGivesItsRows) {
  const TempFolder folder;
  const std::string stored = folder.write("stored.txt", "900\tff\n5000000000\t0\n");
  ASSERT_EQ(leitong({"hamming", "build", stored, "-o", folder / "index"}).code, 0);
  const std::string query = folder.write("query.txt", "1\n");
  ASSERT_EQ(leitong({"hamming", "search", folder / "index", "--queries", query, "-o", folder / "hits"}).code,
            0);
  const std::string hits = read_file(folder / "hits");
  ASSERT_EQ(hits.size(), 17u);
  std::uint64_t words[2];
  std::memcpy(words, hits.data(), 16);
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], 5000000000u);
  EXPECT_EQ(hits[16], 1);
  const Outcome named =
      leitong({"hamming", "build", folder.write("named.txt", "x\tff\n"), "-o", folder / "other"});
  EXPECT_EQ(named.code, 2);
  EXPECT_THAT(named.err, HasSubstr("id \"x\""));
}

TEST(HammingSearchCommand, TheIndexDecidesTheWidthAndIsNotCompressed) {
  const TempFolder folder;
  const std::string stored = folder.write("stored.txt", "0\n7\n"), index = folder / "index";
  ASSERT_EQ(leitong({"hamming", "build", stored, "-o", index}).code, 0);
  const Outcome wide = leitong({"hamming", "search", index, "--queries", stored, "--bits", "128"});
  EXPECT_EQ(wide.code, 2);
  EXPECT_THAT(wide.err, HasSubstr("fingerprints of 64 bits"));
  EXPECT_EQ(leitong({"hamming", "search", index, "--queries", stored, "--bits", "64"}).code, 0);
  ASSERT_EQ(run_program({"gzip", index}).code, 0);
  EXPECT_THAT(leitong({"hamming", "search", index + ".gz", "--queries", stored}).err, HasSubstr("unpack it"));
}

TEST(HammingSearchCommand, NamesWhereAnIndexIsDamaged) {
  const TempFolder folder;
  ASSERT_EQ(leitong({"hamming", "build", folder.write("stored.txt", "0\n7\n"), "-o", folder / "index"}).code,
            0);
  std::string bytes = read_file(folder / "index");
  bytes[200] = static_cast<char>(bytes[200] ^ 1);
  const std::string index = folder.write("damaged", bytes);
  const Outcome outcome = leitong({"hamming", "search", index, "--queries", folder / "stored.txt"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr(index));
  EXPECT_THAT(outcome.err, HasSubstr("offset"));
  EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace leitong::test
