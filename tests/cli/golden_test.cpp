// Files that last, frozen as they are written, on each set of kernels: a file of pairs, and fingerprints as
// TSV. Whoever changes one of them says so in CHANGELOG.md, and reads the files of before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;

const std::string kGolden = LEITONG_SOURCE_DIR "/tests/golden/";
const std::string kCorpus = kGolden + "corpus.jsonl";

class GoldenFiles : public ::testing::TestWithParam<const char*> {
 protected:
  // The dictionaries are those of the golden files, and so are the models that are compiled of them.
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
  EXPECT_EQ(made({"pairs", kCorpus, "--threads", "2"}), golden);
  EXPECT_EQ(made({"dedup", kCorpus, "--pairs", "-"}), golden);
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

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenFiles, ::testing::Values("scalar", "avx2", "avx512"),
                         [](const auto& level) { return std::string(level.param); });

}  // namespace
}  // namespace leitong::test
