// Vectors of the user in a run over files, from a NumPy file or a field of the records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "corpus/corpus_fixture.hpp"
#include "index/cosine/centres.hpp"
#include "io/npy_bytes.hpp"
#include "leitong/job.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

// b says what a says in other words, d is an edited copy of a, and c has another subject.
constexpr std::string_view kA = "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。";
constexpr std::string_view kB =
    "每天早上六时有头一趟摆渡；遇上浓雾则推迟一个钟头，请于河北侧台阶边依次候船。";
constexpr std::string_view kC = "面团要发两次，一次在盆里，一次在模子里，然后烤四十分钟。";
constexpr std::string_view kD =
    "渡船清晨六點開第一班，霧大的日子改到七點。乘客請在北岸的石階旁排隊等候，不要擁擠。";

class Vectors : public ::testing::Test {
 protected:
  Vectors() {
    job_.input.paths = {(folder_ / "in.jsonl").string()};
    job_.settings.cosine = .9;
    job_.outputs = {.kept = (folder_ / "kept.jsonl").string(),
                    .removed = (folder_ / "removed.jsonl").string(),
                    .pairs = (folder_ / "pairs.tsv").string(),
                    .report = (folder_ / "report.html").string(),
                    .force = true};
  }
  static std::string record(std::string_view id, std::string_view text, const Json& vector = {}) {
    Json json{{"id", id}, {"text", text}};
    if (!vector.is_null()) json["vector"] = vector;
    return json.dump() + "\n";
  }
  void write(std::string_view records) const { write_file(folder_ / "in.jsonl", std::string(records)); }
  void write_vectors(const std::vector<float>& numbers) {
    write_file(folder_ / "vectors.npy", test::npy_rows(numbers, 2));
    job_.vectors = (folder_ / "vectors.npy").string();
  }
  DedupSummary run(unsigned threads = 1) const {
    const auto summary = dedup_files(Context({.threads = threads}), job_);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary.value_or(DedupSummary());
  }
  [[nodiscard]] std::string refusal() const {
    const auto summary = dedup_files(Context({.threads = 1}), job_);
    EXPECT_FALSE(summary);
    return summary ? std::string() : summary.error().message;
  }
  [[nodiscard]] std::vector<std::string> kept() const {
    std::vector<std::string> ids;
    std::istringstream lines(read_file(folder_ / "kept.jsonl"));
    for (std::string line; std::getline(lines, line);) ids.push_back(Json::parse(line)["id"]);
    return ids;
  }

  TemporaryFolder folder_;
  DedupJob job_;
};

TEST_F(Vectors, ADocumentLeavesByTheRuleOrByTheCosine) {
  write(record("a", kA) + record("b", kB) + record("c", kC) + record("d", kD));
  write_vectors({1, 0, .95F, .2F, 0, 1, 1, .1F});
  const DedupSummary summary = run();
  EXPECT_THAT(kept(), ElementsAre("c", "d"));
  EXPECT_EQ(summary.vectors.compared, 4u);
  EXPECT_EQ(summary.vectors.pairs, 2u) << "a and d are similar by the rule";
  EXPECT_EQ(summary.vectors.unusable, 0u);
  std::istringstream rows(read_file(folder_ / "removed.jsonl"));
  std::string first, second;
  std::getline(rows, first);
  std::getline(rows, second);
  EXPECT_EQ(Json::parse(first)["measure"], "jaccard") << first;
  EXPECT_EQ(Json::parse(second)["measure"], "cosine") << second;
  EXPECT_NEAR(Json::parse(second)["score"].get<double>(), .994192, 1e-6);
  EXPECT_THAT(Json::parse(second)["reason"].get<std::string>(),
              HasSubstr("similar: cosine 0.99 of their vectors"));
  EXPECT_THAT(read_file(folder_ / "pairs.tsv"), HasSubstr("a\tb\tcosine\t"));
  EXPECT_THAT(read_file(folder_ / "report.html"), HasSubstr("cosine of the vectors"));
  const Json json = Json::parse(to_json(summary, job_));
  EXPECT_EQ(json["vectors"]["pairs"], 2);
  EXPECT_EQ(json["settings"]["cosine"], .9);

  const std::string one = read_file(folder_ / "pairs.tsv");
  run(4);
  EXPECT_EQ(read_file(folder_ / "pairs.tsv"), one);
}

TEST_F(Vectors, OfAFieldAreThoseOfAFile) {
  write(record("a", kA, {1, 0}) + record("b", kB, {.95, .2}) + record("c", kC, {0, 1e0}) +
        record("d", kD, {1, .1}));
  job_.vectors = "vector";
  EXPECT_EQ(run().vectors.pairs, 2u);
  EXPECT_THAT(kept(), ElementsAre("c", "d"));
}

TEST_F(Vectors, DocumentsWithoutADirectionAreComparedByTheirText) {
  const std::string records = record("a", kA, {1, 0}) + record("b", kB, Json::array({1})) + record("x", kC) +
                              record("d", kD, {Json(), 1});
  write(records);
  job_.vectors = "vector";
  const DedupSummary summary = run();
  EXPECT_THAT(kept(), ElementsAre("b", "x", "d")) << "a leaves for d by the rule";
  EXPECT_EQ(summary.vectors.unusable, 3u);
  EXPECT_THAT(summary.first_unusable_vector,
              HasSubstr("in.jsonl:2: field \"vector\" has 1 numbers, and that of the first vector 2"));
  EXPECT_THAT(summary.warnings, ::testing::Contains(RunWarning::unusable_vectors));

  write_vectors({1, 0, 1, 0, NAN, 1, 0, 0});
  const DedupSummary of_file = run();
  EXPECT_EQ(of_file.vectors.unusable, 2u);
  EXPECT_THAT(of_file.first_unusable_vector,
              HasSubstr("in.jsonl:3: a number of the vector is missing or NaN"));
  EXPECT_EQ(of_file.vectors.pairs, 1u);
}

TEST_F(Vectors, AQuarantinedRecordHasARowToo) {
  write("no record\n" + record("a", kA) + "{\"id\":\"n\"}\n" + record("b", kB) + record("c", kC) + "{}\n");
  write_vectors({0, 1, 1, 0, 0, 1, 1, .01F, 0, 1, 0, 1});
  EXPECT_EQ(run().vectors.pairs, 1u);
  EXPECT_THAT(kept(), ElementsAre("b", "c"));
}

TEST_F(Vectors, RowsThatAreNotTheRecordsAreAnErrorThatNamesBoth) {
  write("no record\n" + record("a", kA) + record("b", kB));
  write_vectors({1, 0, 1, 0});
  EXPECT_THAT(refusal(),
              HasSubstr("vectors.npy has 2 rows, and the input 3 records (1 of them quarantined)"));
  job_.vectors = "vektor";
  EXPECT_THAT(refusal(), HasSubstr("no record has an array of numbers in its field \"vektor\""));
  job_.vectors.clear();
  EXPECT_THAT(refusal(), HasSubstr("a cosine is one of vectors, and there are none"));
  job_.settings.cosine = 0;
  job_.vectors = "vector";
  EXPECT_THAT(refusal(), HasSubstr("vectors need a cosine"));
  job_.settings.cosine = 1.5;
  EXPECT_THAT(refusal(), HasSubstr("1.5 is not between 0 and 1"));
}

TEST_F(Vectors, ReferencesHaveTheFirstRowsAndStay) {
  write(record("b", kB) + record("c", kC));
  write_file(folder_ / "reference.jsonl", record("a", kA));
  job_.input.reference_paths = {(folder_ / "reference.jsonl").string()};
  write_vectors({1, 0, 1, .1F, 0, 1});
  run();
  EXPECT_THAT(kept(), ElementsAre("c"));
}

TEST_F(Vectors, CopiesFollowTheTextWhoseCopiesTheyAre) {
  write(record("a", kA) + record("copy", kA) + record("b", kB));
  write_vectors({1, 0, 0, 1, 1, .1F});
  const DedupSummary summary = run();
  EXPECT_EQ(summary.vectors.compared, 2u);
  EXPECT_THAT(kept(), ElementsAre("b"));
}

TEST_F(Vectors, AResumedRunFindsTheSame) {
  write(record("a", kA) + record("b", kB) + record("c", kC) + record("d", kD));
  write_vectors({1, 0, .95F, .2F, 0, 1, 1, .1F});
  run();
  const std::string expected = read_file(folder_ / "pairs.tsv");
  job_.resume_folder = folder_ / "stages";
  const DedupSummary summary = run();
  EXPECT_EQ(read_file(folder_ / "pairs.tsv"), expected);
  EXPECT_EQ(summary.vectors.pairs, 2u);
}

// Of 300 equal vectors 236 are compared with the first alone, and the longest text is one of these.
TEST_F(Vectors, AnApproximateSearchKeepsTheBestOfAFamilyWithoutAllItsPairs) {
  if (!Centres::available()) GTEST_SKIP() << "this build has no USearch";
  constexpr std::size_t kRows = 10'000, kDimensions = 12, kEqual = 300, kLongest = 280;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::string records;
  std::vector<float> numbers;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::string text = std::to_string(random()) + (i == kLongest ? " and more" : "");
    records += record(std::to_string(i), text);
    for (std::size_t k = 0; k < kDimensions; ++k)
      numbers.push_back(0 < i && i < kEqual ? numbers[k] : normal(random));
  }
  write(records);
  write_file(folder_ / "vectors.npy", test::npy_rows(numbers, kDimensions));
  job_.vectors = (folder_ / "vectors.npy").string();
  job_.settings.cosine = .999;
  job_.settings.vector_search = VectorSearch::approximate;
  const DedupSummary summary = run();
  EXPECT_EQ(summary.vectors.limited, kEqual - 64);
  EXPECT_EQ(summary.removed, kEqual - 1);
  EXPECT_EQ(kept().front(), std::to_string(kLongest));
  const VectorRecall& recall = summary.vectors.recall;
  EXPECT_EQ(recall.sampled, 1'024U);
  EXPECT_GT(recall.pairs, recall.found) << "not all pairs of the equal ones were found";
  EXPECT_GT(recall.found, 0U);
  const Json json = Json::parse(to_json(summary, job_));
  EXPECT_EQ(json["settings"]["vector_search"], "approximate");
  EXPECT_EQ(json["vectors"]["limited"], kEqual - 64);
  EXPECT_EQ(json["vectors"]["recall"]["pairs"], recall.pairs);
  EXPECT_EQ(json["vectors"]["recall"]["direct_recall"], recall.direct());

  const std::string pairs = read_file(folder_ / "pairs.tsv");
  run(2);
  EXPECT_EQ(read_file(folder_ / "pairs.tsv"), pairs) << "the same for any number of threads";
  job_.settings.measure_recall = false;
  EXPECT_EQ(run().vectors.recall.sampled, 0U);
}

TEST_F(Vectors, AnApproximateSearchWithoutVectorsIsRefused) {
  write(record("a", kA));
  job_.settings.cosine = 0;
  job_.settings.vector_search = VectorSearch::approximate;
  EXPECT_THAT(refusal(), HasSubstr("an approximate search is one of vectors, and needs a cosine"));
}

}  // namespace
}  // namespace leitong
