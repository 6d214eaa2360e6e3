#include "feature/words.hpp"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "feature/extractor.hpp"
#include "feature/terms.hpp"
#include "text/random_text.hpp"
#include "text/segment/small_dictionary.hpp"

namespace leitong {
namespace {

class Words : public test::SmallDictionary {
 protected:
  std::shared_ptr<const SegmentModel> load(std::string_view idf, std::string_view stop_words) const {
    write("idf", idf);
    write("stop", stop_words);
    auto opened = model(files());
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return *opened;
  }
};

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

}  // namespace
}  // namespace leitong
