// The scheme of signatures: leitong sign writes it, and leitong hamming compares files by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/process.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SchemeOfFiles : public ::testing::Test {
 protected:
  Outcome sign(const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = {"sign",           corpus_,    "--method", "simhash", "--param",
                                        "features=chars", "--format", "raw",      "-o",      output};
    command.insert(command.end(), more.begin(), more.end());
    return leitong(command);
  }
  TempFolder folder_;
  std::string corpus_ = folder_.write("corpus.jsonl",
                                      "{\"id\":\"a\",\"text\":\"钟楼上的雀鸟在雨后飞走了\"}\n"
                                      "{\"id\":\"b\",\"text\":\"the old clock struck nine\"}\n");
};

TEST_F(SchemeOfFiles, IsStoredBesideASignedFile) {
  const std::string output = folder_ / "a.u64";
  ASSERT_EQ(sign(output).code, 0);
  const std::string scheme = read_file(output + ".scheme");
  EXPECT_THAT(scheme, HasSubstr("simhash/1 bits=64 features=chars"));
  EXPECT_EQ(sign(output).code, 2) << "an output that exists";
  std::filesystem::remove(output);
  EXPECT_EQ(sign(output, {"--param", "n=5"}).code, 0) << "what was left of an earlier run is replaced";
  EXPECT_NE(read_file(output + ".scheme"), scheme);
  std::filesystem::remove(output);
  folder_.write("a.u64.scheme", "my own notes\n");
  EXPECT_EQ(sign(output).code, 2) << "somebody else's file";
  EXPECT_EQ(read_file(output + ".scheme"), "my own notes\n");
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(SchemeOfFiles, IsPrintedAsJson) {
  const std::string output = folder_ / "a.u64";
  const Outcome outcome = sign(output, {"--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["documents"], 2);
  EXPECT_EQ(json["bits"], 64);
  EXPECT_EQ(json["scheme"].get<std::string>() + "\n", read_file(output + ".scheme"));
  EXPECT_THAT(json["scheme_label"].get<std::string>(), HasSubstr("simhash/1:"));
}

TEST_F(SchemeOfFiles, AnotherSchemesFingerprintsAreRefusedByAnIndexAndAJoin) {
  const std::string three = folder_ / "three.u64", five = folder_ / "five.u64", index = folder_ / "a.hamming";
  ASSERT_EQ(sign(three).code, 0);
  ASSERT_EQ(sign(five, {"--param", "n=5"}).code, 0);
  ASSERT_EQ(leitong({"hamming", "build", three, "-o", index}).code, 0);
  const auto search = [&](const std::string& queries) {
    return leitong({"hamming", "search", index, "--queries", queries, "--format", "tsv"});
  };
  EXPECT_EQ(search(three).out, "0\t0\t0\n1\t1\t0\n");
  const Outcome refused = search(five);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("parameter n: 3 and 5"));
  EXPECT_EQ(leitong({"hamming", "join", three, "--with", five}).code, 2);
  std::filesystem::remove(five + ".scheme");
  EXPECT_EQ(search(five).code, 0) << "whoever doesn't say is believed";
}

TEST_F(SchemeOfFiles, IsNamedWhereFingerprintsComeThroughAPipe) {
  const std::string signed_file = folder_ / "a.u64", index = folder_ / "a.hamming";
  ASSERT_EQ(sign(signed_file).code, 0);
  const std::string bytes = read_file(signed_file);
  ASSERT_EQ(leitong({"hamming", "build", "-", "-o", index, "--scheme", signed_file + ".scheme"}, bytes).code,
            0);
  const std::string with = read_file(index);
  EXPECT_THAT(with, HasSubstr("simhash/1 bits=64 features=chars"));
  ASSERT_EQ(leitong({"hamming", "build", "-", "-o", index, "--force"}, bytes).code, 0);
  EXPECT_THAT(read_file(index), Not(HasSubstr("simhash")));
  EXPECT_THAT(leitong({"hamming", "stats", signed_file}).out, HasSubstr("scheme                simhash/1:"));
  EXPECT_THAT(leitong({"hamming", "explain", signed_file}).out, HasSubstr("simhash/1:"));
}

}  // namespace
}  // namespace leitong::test
