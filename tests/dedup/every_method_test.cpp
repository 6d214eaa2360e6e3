// What is true of every registered method.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <set>

#include "api/answer.hpp"
#include "base/hash.hpp"
#include "corpus/memory_documents.hpp"
#include "dedup/find_pairs.hpp"
#include "dedup/method.hpp"
#include "dedup/recording_sink.hpp"
#include "io/run_context.hpp"
#include "io/work_folder.hpp"
#include "job/compare_by.hpp"
#include "job/train.hpp"
#include "leitong/dedup.hpp"
#include "scheme/resources.hpp"
#include "text/small_dictionary.hpp"

namespace leitong {
namespace {

class EveryMethod : public ::testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    folder() = std::filesystem::temp_directory_path() / ("leitong_methods_" + std::to_string(getpid()));
    write_small_dictionary(folder());
    setenv("LEITONG_DATA", folder().c_str(), 1);
    setenv("XDG_CACHE_HOME", folder().c_str(), 1);
    std::ofstream corpus(folder() / "texts.txt");
    for (const std::string& text : small_texts(200, 9)) corpus << text << '\n';
    corpus.close();
    TrainOptions options;
    options.input.paths = {folder() / "texts.txt"};
    options.input.kind = "lines";
    options.model = folder() / "terms.model";
    const auto trained = run_train(options, Context({.data_folder = folder()}));
    ASSERT_TRUE(trained.has_value()) << trained.error().message;
  }
  static void TearDownTestSuite() {
    unsetenv("LEITONG_DATA");
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(folder());
  }
  static std::filesystem::path& folder() {
    static std::filesystem::path path;
    return path;
  }
  [[nodiscard]] static std::vector<std::string> params() {
    for (const ParamInfo& param : find_method(GetParam())->params)
      if (param.name == "model") return {"model=" + (folder() / "terms.model").string()};
    return {};
  }
  [[nodiscard]] MethodVerdict verdict(std::string_view a, std::string_view b) {
    return compare_by(GetParam(), params(), a, b, compare(a, b).value(), resources_of(context_)).value();
  }
  const Context context_{{.data_folder = folder()}};
  const std::vector<std::string> texts_ = small_texts(60, 3);
};

TEST_P(EveryMethod, SimilarityIsSymmetricBetweenNoughtAndOneAndOneForATextWithItself) {
  double least = 1;
  for (std::size_t i = 0; i + 2 < 20; ++i) {
    EXPECT_EQ(verdict(texts_[i], texts_[i]).similarity, 1);
    for (const std::size_t j : {i + 1, i + 2}) {
      const MethodVerdict ab = verdict(texts_[i], texts_[j]), ba = verdict(texts_[j], texts_[i]);
      EXPECT_EQ(ab.similarity, ba.similarity);
      EXPECT_EQ(ab.similar, ba.similar);
      EXPECT_EQ(ab.signature_a, ba.signature_b);
      EXPECT_GE(ab.similarity, 0);
      EXPECT_LE(ab.similarity, 1);
      least = std::min(least, ab.similarity);
    }
  }
  EXPECT_LT(least, .8) << "strangers are among them";
}

TEST_P(EveryMethod, WithoutSignatureATextIsLikeItselfOnly) {
  EXPECT_FALSE(verdict("", "。").similar) << "folding leaves nothing of either, and they are not the same";
  EXPECT_TRUE(verdict("。", "。").similar);
  EXPECT_FALSE(verdict("", texts_[0]).similar);
  EXPECT_EQ(verdict("", texts_[0]).similarity, 0);
}

TEST_P(EveryMethod, CountsTheTextsThatItCannotCompare) {
  const std::vector<std::string_view> texts = {"。！", texts_[0], "☂"};
  MemoryDocuments source(texts);
  const Context context;
  RunContext run(context);
  const auto found = find_pairs(source, {GetParam(), params(), Rule{}, true, false}, longest_first, run);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->without_signature, 2u);
}

TEST_P(EveryMethod, OrderOfTextsAndThreadsChangeNoPair) {
  using TextPairs = std::set<std::pair<std::string, std::string>>;
  const auto pairs_of = [](const std::vector<std::string>& texts, unsigned threads) {
    DedupSettings settings;
    settings.method = GetParam();
    settings.params = params();
    TextPairs pairs;
    for (const SimilarTexts& pair : leitong::testing::deduplicated(texts, settings, threads).pairs)
      pairs.insert(std::minmax(texts[pair.a], texts[pair.b]));
    return pairs;
  };
  std::vector<std::string> texts = texts_;
  texts.push_back(texts[5]);
  const TextPairs pairs = pairs_of(texts, 1);
  EXPECT_FALSE(pairs.empty());
  EXPECT_EQ(pairs_of(texts, 4), pairs);
  std::shuffle(texts.begin(), texts.end(), std::mt19937(4));
  EXPECT_EQ(pairs_of(texts, 1), pairs);
}

std::vector<std::string> names(bool all) {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods())
    if (all || !method.by_rule) names.emplace_back(method.name);
  return names;
}
std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, EveryMethod, ::testing::ValuesIn(names(true)), test_name);

/// The methods that decide by themselves if their pairs are not verified.
class EveryDecidingMethod : public EveryMethod {};

TEST_P(EveryDecidingMethod, OffersThePairsThatItsComparisonCallsSimilar) {
  Rule rule;
  DocumentTable table;
  const Context context;
  RunContext run(context);
  const auto given = params();
  SchemeResources resources;
  const Method method = make_method(GetParam(), given, resources, {rule, table, run, false}).value();
  const auto scratch = method.scheme->new_scratch();
  std::vector<PodVector<std::uint64_t>> sketches(texts_.size());
  for (DocId document = 0; document < texts_.size(); ++document) {
    PodVector<Unit> units;
    to_units(texts_[document], units);
    table.units.push_back(static_cast<std::uint32_t>(units.size()));
    table.content.push_back(mix64(document + 1000));
    method.scheme->sketch({texts_[document], units}, *scratch, sketches[document]);
    ASSERT_TRUE(method.finder->add(document, sketches[document]));
  }
  PairScores expected;
  for (DocId a = 0; a < texts_.size(); ++a)
    for (DocId b = a + 1; b < texts_.size(); ++b) {
      if (sketches[a].empty() || sketches[b].empty()) continue;
      const auto likeness =
          method.scheme->compare({sketches[a], table.units[a]}, {sketches[b], table.units[b]}, rule).value();
      if (likeness.similar) expected[{a, b}] = static_cast<float>(likeness.similarity);
    }
  RecordingSink sink;
  ASSERT_TRUE(method.finder->find(sink));
  if (GetParam() == "i-match") {  // offers all pairs with the score 1
    for (auto& [pair, score] : expected) score = 1;
  }
  EXPECT_EQ(sink.pairs(), expected);
  EXPECT_EQ(expected.empty(), GetParam() == "copies") << "copies aren't its affair";
}
INSTANTIATE_TEST_SUITE_P(All, EveryDecidingMethod, ::testing::ValuesIn(names(false)), test_name);

}  // namespace
}  // namespace leitong
