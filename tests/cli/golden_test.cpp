// Files that users store, with fixed bytes for each set of kernels: files of pairs and of removed texts, and
// fingerprints as TSV. A change of one of them must be described in CHANGELOG.md, and the earlier files must
// still be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

const std::string kGolden = LEITONG_SOURCE_DIR "/tests/golden/";
const std::string kTemplates = kGolden + "templates/";
const std::string kCorpus = kGolden + "corpus.jsonl";

class GoldenFiles : public ::testing::TestWithParam<const char*> {
 protected:
  // The dictionaries are those of the golden files, and the models are compiled from them.
  [[nodiscard]] std::string made(const std::vector<std::string>& command, std::string_view input = {}) const {
    const Outcome outcome = leitong(command, input,
                                    {"LEITONG_SIMD=" + std::string(GetParam()), "LEITONG_DATA=" + kGolden,
                                     "XDG_CACHE_HOME=" + cache_.path().string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  TempFolder cache_;
};

TEST_P(GoldenFiles, PairsAreFrozen) {
  const std::string golden = read_file(kGolden + "pairs.tsv");
  EXPECT_THAT(golden, HasSubstr("\tidentical\t"));
  EXPECT_THAT(golden, HasSubstr("\tcontainment\t"));
  EXPECT_EQ(made({"pairs", kCorpus, "--threads", "2", "--remove", "similar"}), golden);
  EXPECT_EQ(made({"dedup", kCorpus, "--pairs", "-", "--remove", "similar"}), golden);
  const std::string with_losses = read_file(kGolden + "pairs-losses.tsv");
  EXPECT_EQ(made({"pairs", kCorpus, "--threads", "2"}), with_losses);
  EXPECT_EQ(made({"dedup", kCorpus, "--pairs", "-"}), with_losses);
}

TEST_P(GoldenFiles, PairsAreRead) {
  EXPECT_EQ(made({"cluster", kGolden + "pairs.tsv", "--measure", "containment", "--threshold", "0.7",
                  "--clusters", "-"}),
            "bay-1\t1\ntimes-1\t1\nblog-1\t1\ntimes-2\t2\nblog-2\t2\nbay-4\t3\ntimes-3\t3\n");
}

TEST_P(GoldenFiles, FingerprintsAreFrozen) {
  const std::vector<std::string> characters = {"--param", "features=chars", "--param", "top=0"};
  for (const auto& [name, params] :
       {std::pair<std::string, std::vector<std::string>>{"words", {}}, {"characters", characters}}) {
    std::vector<std::string> command = {"sign", kCorpus, "--method", "simhash"};
    command.insert(command.end(), params.begin(), params.end());
    EXPECT_EQ(made(command), read_file(kGolden + "fingerprints-" + name + ".tsv")) << name;
  }
}

TEST_P(GoldenFiles, FingerprintsAreRead) {
  EXPECT_EQ(made({"hamming", "join", kGolden + "fingerprints-characters.tsv", "-k", "16", "--format", "tsv"}),
            read_file(kGolden + "fingerprints-near.tsv"));
}

/// Manual pages, sources, help pages and posts in the frames of their sites, and texts of the same kinds that
/// are one work ("work"). The rest makes a corpus in which rare passages count (1,000 documents).
std::string corpus_of_templates() {
  std::string corpus = read_file(kTemplates + "corpus.jsonl");
  std::mt19937 random(3);
  for (int i = 0; i < 1'000; ++i) {
    std::string text;
    for (int c = 0; c < 40; ++c) {
      const auto point = 0x4e00 + random() % 2'000;
      for (const auto byte : {0xe0 | point >> 12, 0x80 | (point >> 6 & 63), 0x80 | (point & 63)})
        text += static_cast<char>(byte);
    }
    corpus += "{\"id\": \"alone-" + std::to_string(i) + "\", \"text\": \"" + text + "\"}\n";
  }
  return corpus;
}

/// The records whose ids no line of `removed` has.
std::string without(const std::string& corpus, const std::string& removed) {
  std::set<std::string> ids;
  std::istringstream lines(removed);
  for (std::string line; std::getline(lines, line);) ids.insert(Json::parse(line)["id"]);
  std::string left;
  std::istringstream records(corpus);
  for (std::string line; std::getline(records, line);)
    if (!ids.contains(Json::parse(line)["id"])) left += line + "\n";
  return left;
}

TEST_P(GoldenFiles, TheSecondDecisionIsFrozen) {
  const std::string corpus = corpus_of_templates();
  const TempFolder folder;
  const std::string pairs = folder / "pairs.tsv", removed = folder / "removed.jsonl";
  for (const std::string rule : {"on", "off"}) {
    const std::string word = rule == "on" ? "ignored" : "counted";
    const std::string kept = made({"dedup", "-", "--template-text", word, "--threads", "2", "-o", "-",
                                   "--pairs", pairs, "--removed", removed, "--remove", "similar", "--force"},
                                  corpus);
    EXPECT_EQ(read_file(pairs), read_file(kTemplates + "pairs-" + rule + ".tsv"));
    EXPECT_EQ(read_file(removed), read_file(kTemplates + "removed-" + rule + ".jsonl"));
    EXPECT_EQ(kept, without(corpus, read_file(removed)));
    EXPECT_EQ(made({"pairs", "-", "--template-text", word, "--remove", "similar"}, corpus), read_file(pairs));
  }
  EXPECT_EQ(made({"pairs", "-", "--remove", "similar"}, corpus), read_file(kTemplates + "pairs-on.tsv"))
      << "the default";
}

TEST(GoldenTemplates, AreDecidedRightly) {
  std::multimap<std::string, std::string> works;
  std::istringstream records(read_file(kTemplates + "corpus.jsonl"));
  for (std::string line; std::getline(records, line);) {
    const Json record = Json::parse(line);
    works.emplace(record["work"], record["id"]);
  }
  std::set<std::string> truth, found, measures;
  for (auto a = works.begin(); a != works.end(); ++a)
    for (auto b = std::next(a); b != works.end() && b->first == a->first; ++b)
      truth.insert(a->second + " " + b->second);
  std::istringstream pairs(read_file(kTemplates + "pairs-on.tsv"));
  std::string line;
  std::getline(pairs, line);  // the heading
  for (std::string a, b, measure; pairs >> a >> b >> measure; std::getline(pairs, line)) {
    found.insert(a + " " + b);
    measures.insert(measure);
  }
  EXPECT_EQ(found, truth);
  EXPECT_THAT(measures, ::testing::ElementsAre("jaccard", "own_text", "rare_text"));
  const std::string off = read_file(kTemplates + "pairs-off.tsv");
  EXPECT_GT(std::ranges::count(off, '\n'), 200) << "the frames make pairs of nearly all";
  EXPECT_THAT(read_file(kTemplates + "removed-on.jsonl"), HasSubstr("is a template that about "));
}

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenFiles, ::testing::Values("scalar", "avx2", "avx512"),
                         [](const auto& level) { return std::string(level.param); });

}  // namespace
}  // namespace leitong::test
