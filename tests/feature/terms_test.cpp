#include "feature/terms.hpp"

#include <gmock/gmock.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <map>
#include <string>
#include <vector>

#include "text/random_text.hpp"
#include "text/sample_text.hpp"
#include "text/script_mix.hpp"
#include "text/segment/small_dictionary.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;

class Terms : public test::SmallDictionary {
 protected:
  static std::vector<Feature> top(const std::shared_ptr<const SegmentModel>& words, std::string_view text,
                                  std::size_t count = 20) {
    static TermScratch scratch;
    PodVector<Feature> features;
    TermExtractor::open(words)->top(text, count, scratch, features);
    return {features.begin(), features.end()};
  }
  static Feature term(std::string_view word, float weight) {
    return {XXH3_64bits(word.data(), word.size()), weight};
  }
};

TEST_F(Terms, WeightIsOccurrencesTimesIdfHeaviestFirst) {
  const auto words = load("thunder 8\necho 3\nrain 2\n", "the\n");
  EXPECT_THAT(top(words, "echo the rain echo thunder the echo"),
              ElementsAre(term("echo", 9), term("thunder", 8), term("rain", 2)));
}

TEST_F(Terms, UnknownWordsGetTheMedian) {
  EXPECT_THAT(top(load("a1 9\nb1 1\nc1 4\n", "the\n"), "nowhere"), ElementsAre(term("nowhere", 4)));
}

TEST_F(Terms, StopWordsSymbolsAndSingleCharactersAreNoTerms) {
  const auto words = load("雷同 5\n", "我们\n");
  EXPECT_THAT(top(words, "我们 雷同 。 —— x …… 雷 \xF0\x9F\x98\x80"), ElementsAre(term("雷同", 5)));
  EXPECT_TRUE(top(words, "").empty());
  EXPECT_TRUE(top(words, "。 ！ 我们").empty());
  EXPECT_TRUE(top(words, "雷同", 0).empty());
}

TEST_F(Terms, OnlyTheHeaviestAreKeptAndTiesGoByHash) {
  const auto words = load("word 1\n", "the\n");
  std::string text, backwards;
  for (int i = 0; i < 100; ++i) {
    const std::string word = "word" + std::to_string(i) + " ";
    text += word;
    backwards = word + backwards;
  }
  text += "word0";
  backwards += "word0";
  const auto features = top(words, text, 20);
  ASSERT_EQ(features.size(), 20u);
  EXPECT_EQ(features[0], term("word0", 2));
  for (std::size_t i = 2; i < features.size(); ++i) EXPECT_LT(features[i - 1].hash, features[i].hash);
  EXPECT_EQ(features, top(words, backwards, 20));
}

/// Computes the same with strings, maps and a complete sort.
std::vector<Feature> slow_top(const JiebaCutter& cutter, const std::map<std::string, float>& idf,
                              float median, std::string_view text, std::size_t count) {
  CutScratch scratch;
  PodVector<std::uint32_t> starts;
  cut_scripts(cutter, Scripts::all, text, true, scratch, starts);
  starts.push_back(static_cast<std::uint32_t>(text.size()));
  std::map<std::string, float> counts;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const std::string word(text.substr(starts[i], starts[i + 1] - starts[i]));
    if (is_term(word)) ++counts[word];
  }
  std::vector<Feature> features;
  for (const auto& [word, occurrences] : counts) {
    const auto found = idf.find(word);
    const float each = found == idf.end() ? median : found->second;
    if (each > 0) features.push_back({word_hash(word), occurrences * each});
  }
  std::sort(features.begin(), features.end(), [](const Feature& a, const Feature& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.hash < b.hash;
  });
  if (features.size() > count) features.resize(count);
  return features;
}

TEST_F(Terms, AreThoseOfTheSlowImplementation) {
  const auto words = load("雷同 5\n回声 7\necho 3\n词外 2\nETAOIN 2.5\n", "同一\nthe\n");
  const std::map<std::string, float> idf = {{"雷同", 5.f}, {"回声", 7.f},    {"echo", 3.f}, {"词外", 2.f},
                                            {"同一", 0.f}, {"ETAOIN", 2.5f}, {"the", 0.f}};
  const JiebaCutter cutter(words, Simd::scalar);
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string text(kSampleText.substr(0, i % 2 ? kSampleText.size() : 0));
    for (int n = 0; n < i % 50; ++n) {
      static constexpr const char* kSome[] = {"雷同", "回声",  "回声定位", "the",
                                              "同一", "echo ", "甲乙",     "，"};
      text += kSome[random() % std::size(kSome)];
      if (random() % 3 == 0) text += random_text(random, 1);
    }
    const std::size_t count = 1 + random() % 25;
    ASSERT_EQ(top(words, text, count), slow_top(cutter, idf, 3, text, count)) << text;
  }
}

TEST_F(Terms, OfScriptsThatJiebaDoesNotKnowAreWords) {
  const auto words = load("雷同 5\n", "the\n");
  EXPECT_GE(top(words, "แผ่นดินไหว รุนแรง", 20).size(), 2u);
  EXPECT_EQ(top(words, "гром гремит гром", 20).size(), 2u);
  EXPECT_EQ(top(words, "الرعد يتكرر", 20).size(), 2u);
  EXPECT_GE(top(words, "カミナリが鳴りました", 20).size(), 2u);
}

}  // namespace
}  // namespace leitong
