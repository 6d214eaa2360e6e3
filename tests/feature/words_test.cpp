#include "feature/words.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "feature/extractor.hpp"
#include "feature/placed_terms.hpp"
#include "feature/terms.hpp"
#include "text/random_text.hpp"
#include "text/segment/small_dictionary.hpp"

namespace leitong {
namespace {

class Words : public test::SmallDictionary {};

TEST_F(Words, StopWordsAndSymbolsAreNoTerms) {
  const auto words = WordList::open(load("echo 2\n", "the\nand\n"));
  ASSERT_TRUE(words.has_value());
  WordSpace space;
  PodVector<Occurrence> terms;
  words->terms("the echo -- and thunder x echo", TermHash::xxh3, space, terms);
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_EQ(terms[0].id, term_hash(TermHash::xxh3, "echo"));
  EXPECT_EQ(terms[1].id, term_hash(TermHash::xxh3, "thunder"));
  EXPECT_EQ(terms[2].id, terms[0].id);
  terms.clear();
  words->terms("echo", TermHash::fnv1a, space, terms);
  EXPECT_EQ(terms[0].id, term_hash(TermHash::xxh3, "echo"));
  EXPECT_EQ(terms[0].hash, term_hash(TermHash::fnv1a, "echo"));
}

TEST_F(Words, FullAndSearchModeListTheWordsInsideOfWordsToo) {
  const auto model = load("回声 7\n", "同一\n");
  WordSpace space;
  const auto terms_of = [&](WordCut cut, std::string_view text) {
    const auto words = WordList::open(model, cut);
    std::vector<std::string> terms;
    words->for_each(text, space, [&](std::string_view word, std::uint64_t, bool is_term) {
      if (is_term) terms.emplace_back(word);
    });
    return terms;
  };
  const std::string text = "回声定位，同一гром打雷";
  EXPECT_THAT(terms_of(WordCut::mix, text), testing::ElementsAre("回声定位", "гром", "打雷"));
  EXPECT_THAT(terms_of(WordCut::full, text),
              testing::ElementsAre("回声", "回声定位", "定位", "гром", "打雷"));
  EXPECT_THAT(terms_of(WordCut::search, text),
              testing::ElementsAre("回声", "定位", "回声定位", "гром", "打雷"));
}

TEST_F(Words, CountedTheyAreTheTermsOfTheTermExtractor) {
  const auto model = load("雷同 5\n回声 7\necho 3\n", "我们\nthe\n");
  const auto quick = TermExtractor::open(model);
  const FeatureExtractor slow(ExtractorOptions{}, std::make_shared<const WordList>(*WordList::open(model)),
                              std::make_shared<const TermModel>(TermModel::of_words(*model)));
  TermScratch scratch;
  FeatureSpace space;
  PodVector<Feature> expected;
  std::size_t compared = 0;
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::string text;
    const char* const parts[] = {"雷同", "回声", "我们", "echo ", "the ",  "，",    "打雷",
                                 "x",    "abc",  " ",    "1.5 ",  "гром ", "ฟ้าร้อง", "カミナリが"};
    for (std::size_t i = random() % 60; i > 0; --i) text += parts[random() % std::size(parts)];
    quick->top(text, 20, scratch, expected);
    slow.extract(text, {}, space);
    ASSERT_EQ(std::vector<Feature>(space.features.begin(), space.features.end()),
              std::vector<Feature>(expected.begin(), expected.end()))
        << text;
    compared += expected.size();
  }
  EXPECT_GT(compared, 500u);
}

// The system opens the first file but cannot read it; the second one has no end.
TEST_F(Words, AListThatCanNotBeReadToItsEndIsAnError) {
  const auto unreadable = TermModel::read_idf("/proc/self/mem");
  ASSERT_FALSE(unreadable.has_value());
  EXPECT_EQ(unreadable.error().code, ErrorCode::io) << unreadable.error().message;
  const auto endless = TermModel::read_idf("/dev/zero");
  ASSERT_FALSE(endless.has_value());
  EXPECT_EQ(endless.error().code, ErrorCode::limit) << endless.error().message;
}

// The slow way: all occurrences, all words weighed, the heaviest kept.
TEST_F(Words, PlacedOnesAreTheHeaviestOfAllOccurrencesWithTheirPlaces) {
  const auto words =
      std::make_shared<const WordList>(*WordList::open(load("雷同 5\n回声 7\necho 3\n", "我们\nthe\n")));
  const auto own = std::make_shared<const TermModel>(TermModel::of_words(words->model()));
  const auto other =
      std::make_shared<const TermModel>(*TermModel::read_idf(write("other", "雷同 2\nabc 9\nгром 0.5\n")));
  std::mt19937_64 random(2);
  std::size_t compared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::string text;
    const char* const parts[] = {"雷同", "回声", "我们", "echo ", "the ",  "，",    "打雷",
                                 "x",    "abc",  " ",    "1.5 ",  "гром ", "ฟ้าร้อง", "カミナリが"};
    for (std::size_t i = random() % 90; i > 0; --i) text += parts[random() % std::size(parts)];
    const TermHash hash = trial % 2 == 0 ? TermHash::xxh3 : TermHash::fnv1a;
    const std::size_t count = random() % 12;
    const bool trained = trial % 3 == 0;
    const FeatureExtractor slow(ExtractorOptions{.hash = hash}, words, trained ? other : own);
    const PlacedTerms quick(words, hash, trained ? other : nullptr);
    FeatureSpace expected;
    PlacedSpace found;
    slow.gather(text, {}, expected);
    slow.weigh(WeightScheme::tf_idf, count, expected);
    quick.extract(text, count, found);
    ASSERT_EQ(found.bag.occurrences, expected.bag.occurrences) << text;
    ASSERT_EQ(found.weights.size(), expected.weights.size()) << text;
    PlacedTerms::list_placed(found);
    for (std::size_t i = 0; i < found.placed.size(); ++i) {
      const BagTerm& term = expected.bag.terms[expected.weights[i].term];
      ASSERT_EQ(found.bag.terms[found.weights[i].term].id, term.id) << text;
      ASSERT_EQ(found.placed[i].hash, term.hash);
      ASSERT_EQ(found.placed[i].weight, expected.weights[i].weight);
      ASSERT_TRUE(std::ranges::equal(found.placed[i].places, expected.bag.places_of(term))) << text;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace leitong
