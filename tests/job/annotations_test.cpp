// Records with added fields, and records that are written several times.
#include "job/annotations.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "corpus/corpus_fixture.hpp"
#include "job/resampling.hpp"
#include "leitong/job.hpp"
#include "made_up_texts.hpp"
#include "test_places.hpp"

namespace leitong {
namespace {

using Json = nlohmann::json;
using ::leitong::testing::Random;
using ::leitong::testing::random_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Annotating : public ::testing::Test {
 protected:
  /// Three texts that are the same but for marks, two that are the same, and one that is alone.
  void SetUp() override {
    Random random(5);
    const std::string one = random_text(random, 120), two = random_text(random, 120);
    texts_ = {one, two, one + "!", random_text(random, 120), two, one + "?"};
  }
  DedupJob job(const std::string& name, const std::string& content) {
    write_file(folder_ / name, content);
    DedupJob job;
    job.input.paths = {(folder_ / name).string()};
    job.outputs.force = true;
    return job;
  }
  std::string json_lines(const std::string& end = "}") {
    std::string lines;
    for (std::size_t i = 0; i < texts_.size(); ++i)
      lines += fmt::format("{{\"id\": \"d{}\",  \"text\":\"{}\" {}\n", i, texts_[i], end);
    return lines;
  }
  std::string rows(const std::string& columns = "id,text") {
    std::string rows = columns + "\r\n";
    for (std::size_t i = 0; i < texts_.size(); ++i) rows += fmt::format("\"d,{}\",\"{}\"\r\n", i, texts_[i]);
    return rows;
  }
  std::string annotated(DedupJob job, unsigned threads = 1) {
    job.outputs.annotated = (folder_ / "annotated").string() + ending_;
    summary_ = {};
    const auto summary = dedup_files(Context({.threads = threads}), job);
    EXPECT_TRUE(summary) << summary.error().message;
    if (summary) summary_ = *summary;
    return read_file(job.outputs.annotated);
  }
  Error refused(DedupJob job) {
    job.outputs.annotated = (folder_ / "refused").string() + ending_;
    const auto summary = dedup_files(Context(), job);
    EXPECT_FALSE(summary);
    EXPECT_FALSE(std::filesystem::exists(job.outputs.annotated));
    return summary ? Error() : summary.error();
  }

  TemporaryFolder folder_;
  std::vector<std::string> texts_;
  std::string ending_ = ".jsonl";
  DedupSummary summary_;
};

TEST_F(Annotating, AppendsMembersAndChangesNoOtherByte) {
  const std::string lines = json_lines();
  const std::string out = annotated(job("in.jsonl", lines));
  EXPECT_EQ(annotated(job("in.jsonl", lines), 4), out);
  std::istringstream read(out), given(lines);
  std::vector<Json> records;
  for (std::string line, before; std::getline(read, line) && std::getline(given, before);) {
    const std::string kept = before.substr(0, before.size() - 2);  // without " }"
    EXPECT_EQ(line.substr(0, kept.size()), kept);
    EXPECT_EQ(line.substr(line.size() - 2), " }");
    records.push_back(Json::parse(line));
  }
  ASSERT_EQ(records.size(), 6U);
  std::vector<std::string> all;
  for (const Json& record : records)
    all.push_back(record.at("cluster").dump() + " " + record.at("cluster_size").dump() + " " +
                  record.at("kept").dump() + " " + record.at("kept_id").dump() + " " +
                  record.at("measure").dump() + " " + record.at("score").dump());
  EXPECT_THAT(all, ElementsAre("1 3 true null null null", "2 2 true null null null",
                               R"(1 3 false "d0" "copy" 1)", "null 1 true null null null",
                               R"(2 2 false "d1" "identical" 1)", R"(1 3 false "d0" "copy" 1)"));
  EXPECT_EQ(summary_.removed, 3U) << "the run itself is as without annotations";
}

TEST_F(Annotating, AnArrayOfJsonBecomesLines) {
  const std::string out = annotated(
      job("in.json", fmt::format(R"([{{"text":"{0}","n":{{"cluster":1}}}}, {{"text":"{0}"}}])", texts_[0])));
  EXPECT_EQ(out, fmt::format(R"({{"text":"{0}","n":{{"cluster":1}},"cluster":1,"cluster_size":2,"kept":true,)"
                             R"("kept_id":null,"measure":null,"score":null}})"
                             "\n"
                             R"({{"text":"{0}","cluster":1,"cluster_size":2,"kept":false,"kept_id":)"
                             "\"{1}:1\"",
                             texts_[0], (folder_ / "in.json").string()) +
                     R"(,"measure":"identical","score":1})" + "\n")
      << "a field of this name within another one is no obstacle";
}

TEST_F(Annotating, AppendsColumns) {
  ending_ = ".csv";
  const std::string out = annotated(job("in.csv", rows()));
  EXPECT_THAT(out, ::testing::StartsWith("id,text,cluster,cluster_size,kept,kept_id,measure,score\r\n"));
  EXPECT_THAT(out, HasSubstr(fmt::format("\"d,0\",\"{}\",1,3,true,,,\r\n", texts_[0])));
  EXPECT_THAT(out, HasSubstr(fmt::format("\"d,4\",\"{}\",2,2,false,\"d,1\",identical,1\r\n", texts_[4])));
  EXPECT_THAT(out, HasSubstr(fmt::format("\"d,3\",\"{}\",,1,true,,,\r\n", texts_[3])));
}

TEST_F(Annotating, WithoutQuotesAValueThatNeedsThemIsRefused) {
  ending_ = ".tsv";
  DedupJob job = this->job("a\tb.tsv", fmt::format("text\n{0}\n{0}\n", texts_[0]));
  job.input.quote = "none";
  const Error error = refused(job);  // documents without an id are named by their file, which has a tab
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.message, HasSubstr("the table has no quotes"));
}

TEST_F(Annotating, AFieldThatIsThereIsNeverReplaced) {
  Error error = refused(job("in.jsonl", json_lines(R"(, "k\u0065pt": 1})")));
  EXPECT_EQ(error.code, ErrorCode::invalid_argument);
  EXPECT_THAT(error.message, HasSubstr("in.jsonl:1: there is a field \"kept\" already"));
  ending_ = ".csv";
  error = refused(job("in.csv", rows("kept_id,text")));
  EXPECT_THAT(error.message, HasSubstr("there is a column \"kept_id\" already"));
}

TEST_F(Annotating, FormatsThatHaveNoFieldsAreRefusedByName) {
  ending_ = ".txt";
  Error error = refused([&] {
    DedupJob job = this->job("in.txt", texts_[0] + "\n" + texts_[1] + "\n");
    job.input.kind = "lines";
    return job;
  }());
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.message, HasSubstr("lines records can't carry added fields; records of JSONL"));
  error = refused(job("in.txt", texts_[0]));
  EXPECT_THAT(error.message, HasSubstr("a file that is one document can't carry added fields"));
}

TEST_F(Annotating, KeptRecordsGetTheSizeOfTheirCluster) {
  DedupJob job = this->job("in.jsonl", json_lines());
  job.outputs.kept = (folder_ / "kept.jsonl").string();
  job.outputs.add_fields = true;
  ASSERT_TRUE(dedup_files(Context(), job));
  std::string expected;
  for (const auto& [i, size] : {std::pair(0, 3), std::pair(1, 2), std::pair(3, 1)})
    expected += fmt::format("{{\"id\": \"d{}\",  \"text\":\"{}\",\"cluster_size\":{} }}\n", i,
                            texts_[static_cast<std::size_t>(i)], size);
  EXPECT_EQ(read_file(job.outputs.kept), expected);
  job.outputs.kept = (folder_ / "kept/").string();
  ASSERT_TRUE(dedup_files(Context(), job));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "kept"))
    if (entry.is_regular_file()) {
      ++files;
      EXPECT_EQ(read_file(entry.path()), expected);
    }
  EXPECT_EQ(files, 1U);
}

TEST_F(Annotating, RecordsAreRepeatedByTheSizeOfTheirCluster) {
  DedupJob job = this->job("in.jsonl", json_lines());
  job.outputs.kept = (folder_ / "kept.jsonl").string();
  job.outputs.resample = {"2:2", "3:4"};
  const auto summary = dedup_files(Context(), job);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->kept, 3U);
  EXPECT_EQ(summary->resampled, 7U);
  std::string expected;
  for (const std::size_t i : {0, 0, 0, 0, 1, 1, 3})
    expected += fmt::format("{{\"id\": \"d{}\",  \"text\":\"{}\" }}\n", i, texts_[i]);
  EXPECT_EQ(read_file(job.outputs.kept), expected);
}

TEST_F(Annotating, ContradictionsAreRefused) {
  DedupJob job = this->job("in.jsonl", json_lines());
  job.outputs.add_fields = true;
  EXPECT_FALSE(dedup_files(Context(), job)) << "there are no kept records";
  job.outputs.kept = (folder_ / "kept.jsonl").string();
  job.outputs.restorable = (folder_ / "left.restorable").string();
  const auto summary = dedup_files(Context(), job);
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::invalid_argument);
}

TEST(ResamplingTest, StepsRiseAndApplyFromTheirSizeOn) {
  const auto steps = Resampling::parse({"1:1", "2:2", "5:3", "100:1"});
  ASSERT_TRUE(steps);
  std::vector<std::uint32_t> times;
  for (const std::uint32_t size : {1, 2, 4, 5, 99, 100, 5000}) times.push_back(steps->times(size));
  EXPECT_THAT(times, ElementsAre(1, 2, 2, 3, 3, 1, 1));
  for (const std::string wrong : {"", "2", "2:", ":2", "0:1", "2:0", "2:1001", "x:1", "2:3x", "-2:3"})
    EXPECT_FALSE(Resampling::parse({wrong})) << wrong;
  EXPECT_FALSE(Resampling::parse({"3:2", "2:2"}));
  EXPECT_FALSE(Resampling::parse({"3:2", "3:4"}));
}

}  // namespace
}  // namespace leitong
