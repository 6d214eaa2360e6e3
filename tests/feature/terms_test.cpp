#include "feature/terms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Words are what stands between spaces.
class SpaceSegmenter final : public Segmenter {
 public:
  void segment(std::string_view utf8, const WordFn& each_word) const override {
    while (!utf8.empty()) {
      const std::size_t end = std::min(utf8.find(' '), utf8.size());
      if (end > 0) each_word(utf8.substr(0, end));
      utf8.remove_prefix(std::min(end + 1, utf8.size()));
    }
  }
};

class Terms : public testing::Test {
 protected:
  Terms() { std::filesystem::create_directories(folder_); }
  ~Terms() override { std::filesystem::remove_all(folder_); }

  Result<TermExtractor> load(const std::string& idf, const std::string& stop_words) const {
    std::ofstream(folder_ / "idf") << idf;
    std::ofstream(folder_ / "stop") << stop_words;
    return TermExtractor::load(std::make_unique<SpaceSegmenter>(), {folder_ / "idf", folder_ / "stop"});
  }
  static std::vector<Feature> top(const TermExtractor& terms, std::string_view text, std::size_t count = 20) {
    TermScratch scratch;
    PodVector<Feature> features;
    terms.top(text, count, scratch, features);
    return {features.begin(), features.end()};
  }
  static Feature term(std::string_view word, float weight) {
    return {XXH3_64bits(word.data(), word.size()), weight};
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("leitong_terms_" + std::to_string(getpid()));
};

TEST_F(Terms, WeightIsOccurrencesTimesIdfHeaviestFirst) {
  const auto terms = load("thunder 8\necho 3\nrain 2\n", "the\n");
  ASSERT_TRUE(terms.has_value());
  EXPECT_THAT(top(*terms, "echo the rain echo thunder the echo"),
              ElementsAre(term("echo", 9), term("thunder", 8), term("rain", 2)));
}

TEST_F(Terms, UnknownWordsGetTheMedian) {
  const auto terms = load("a1 9\nb1 1\nc1 4\n", "");
  ASSERT_TRUE(terms.has_value());
  EXPECT_THAT(top(*terms, "nowhere"), ElementsAre(term("nowhere", 4)));
}

TEST_F(Terms, StopWordsSymbolsAndSingleCharactersAreNoTerms) {
  const auto terms = load("雷同 5\n", "我们\n");
  ASSERT_TRUE(terms.has_value());
  EXPECT_THAT(top(*terms, "我们 雷同 。 —— x …… 雷 \xF0\x9F\x98\x80"), ElementsAre(term("雷同", 5)));
  EXPECT_TRUE(top(*terms, "").empty());
  EXPECT_TRUE(top(*terms, "。 ！ 我们").empty());
}

TEST_F(Terms, OnlyTheHeaviestAreKeptAndTiesGoByHash) {
  const auto terms = load("word 1\n", "");
  ASSERT_TRUE(terms.has_value());
  std::string text, backwards;
  for (int i = 0; i < 100; ++i) {
    const std::string word = "word" + std::to_string(i) + " ";
    text += word;
    backwards = word + backwards;
  }
  text += "word0";
  backwards += "word0";
  const auto features = top(*terms, text, 20);
  ASSERT_EQ(features.size(), 20u);
  EXPECT_EQ(features[0], term("word0", 2));
  for (std::size_t i = 2; i < features.size(); ++i) EXPECT_LT(features[i - 1].hash, features[i].hash);
  EXPECT_EQ(features, top(*terms, backwards, 20));
}

TEST_F(Terms, BrokenFilesAreNamedWithTheirLine) {
  const auto broken = load("good 1.5\nbroken\n", "");
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code, ErrorCode::corrupt);
  EXPECT_THAT(broken.error().message, HasSubstr("idf:2"));
  const auto missing =
      TermExtractor::load(std::make_unique<SpaceSegmenter>(), {folder_ / "none", folder_ / "none"});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace leitong
