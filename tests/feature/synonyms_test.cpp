#include "feature/synonyms.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>
#include <string>

#include "feature/extractor.hpp"
#include "feature/placed_terms.hpp"
#include "text/segment/small_dictionary.hpp"

namespace leitong {
namespace {

using testing::HasSubstr;

class SynonymLists : public test::SmallDictionary {
 protected:
  std::shared_ptr<const WordList> words() const {
    auto opened = model(files());
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return std::make_shared<const WordList>(*WordList::open(*opened));
  }
  std::shared_ptr<const WordList> words_with(std::string_view list) const {
    auto synonyms = Synonyms::read(write("synonyms", list));
    EXPECT_TRUE(synonyms.has_value()) << synonyms.error().message;
    return std::make_shared<const WordList>(
        words()->with(std::make_shared<const Synonyms>(*std::move(synonyms))));
  }
  std::string refusal(std::string_view list) const {
    const auto synonyms = Synonyms::read(write("synonyms", list));
    EXPECT_FALSE(synonyms.has_value()) << list;
    if (synonyms) return {};
    EXPECT_EQ(synonyms.error().code, ErrorCode::corrupt);
    return synonyms.error().message;
  }
};

TEST_F(SynonymLists, AreReadAsProgramsWriteThem) {
  const auto list =
      Synonyms::read(write("list", "\xEF\xBB\xBF汽车\t轿车\r\n\n小汽车\t轿车\n轿车\t轿车\n汽车\t轿车"));
  ASSERT_TRUE(list.has_value()) << list.error().message;
  EXPECT_EQ(list->size(), 2u);
  EXPECT_EQ(list->canonical("汽车"), "轿车");
  EXPECT_EQ(list->canonical("小汽车"), "轿车");
  EXPECT_EQ(list->canonical("轿车"), "轿车");
  EXPECT_EQ(list->canonical("卡车"), "卡车");
}

TEST_F(SynonymLists, BadLinesAreNamedWithTheirPlaceAndTheFix) {
  EXPECT_THAT(refusal("a\tb\nc d\n"), HasSubstr(":2: a line is a word, a tab and its canonical word"));
  EXPECT_THAT(refusal("\tb\n"), HasSubstr(":1: "));
  EXPECT_THAT(refusal("a\t\n"), HasSubstr(":1: "));
  EXPECT_THAT(refusal("a\tb\tc\n"), HasSubstr(":1: "));
  EXPECT_THAT(refusal("a\tb\n\xC6\xFB\tb\n"), HasSubstr(":2: the line is not valid UTF-8"));
  EXPECT_THAT(refusal("a\tb\n\na\tc\n"), HasSubstr(":3: \"a\" is to become \"c\", and \"b\" by line 1"));
  for (const char* const chain : {"a\tb\nb\tc\n", "b\tc\na\tb\n"})
    EXPECT_THAT(refusal(chain), HasSubstr("a canonical word stays as it is: write \"c\" here too"));
  EXPECT_THAT(refusal("\n\n"), HasSubstr("replaces no word"));
  EXPECT_EQ(Synonyms::read(folder_ / "none").error().code, ErrorCode::not_found);
}

TEST_F(SynonymLists, TheDigestIsOfWhatIsReplacedByWhat) {
  const auto id = [&](std::string_view list) { return Synonyms::read(write("list", list))->content_id(); };
  EXPECT_EQ(id("a\tb\nc\td\n"), id("c\td\r\n\na\tb"));
  EXPECT_NE(id("a\tb\nc\td\n"), id("a\td\nc\tb\n"));
  EXPECT_NE(id("a\tb\n"), id("b\ta\n"));
}

TEST_F(SynonymLists, AReplacedWordHasTheCanonicalOnesPlaceInTheDictionary) {
  const auto replaced = words_with("打雷\t回声\n雷\t回声\n雷同\t同一\nthunder\t打雷声\n");
  WordSpace space;
  std::vector<std::string> all, terms;
  replaced->for_each("打雷，雷同 thunder echo雷", space,
                     [&](std::string_view word, std::uint64_t id, bool term) {
                       EXPECT_EQ(id, term_hash(TermHash::xxh3, word));
                       all.emplace_back(word);
                       if (term) terms.emplace_back(word);
                     });
  EXPECT_THAT(all, testing::ElementsAre("回声", "，", "同一", " ", "打雷声", " ", "echo", "回声"));
  EXPECT_THAT(terms, testing::ElementsAre("回声", "打雷声", "echo", "回声")) << "同一 is a stop word";
}

// A text, and the same text with every word replaced by its canonical one, have the same bag.
TEST_F(SynonymLists, TextsThatDifferInSynonymsAloneHaveTheSameWordsWeightsAndPlaces) {
  const auto plain = words(), replaced = words_with("打雷\t回声\nabc\techo\nгром\t雷同\n");
  const auto own = std::make_shared<const TermModel>(TermModel::of_words(plain->model()));
  std::mt19937_64 random(5);
  std::size_t compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::string text, canonical;
    const char* const parts[][2] = {{"打雷", "回声"},   {" abc ", " echo "}, {" гром ", " 雷同 "},
                                    {"定位", "定位"},   {"，", "，"},        {"回声", "回声"},
                                    {" 1.5 ", " 1.5 "}, {"雷同", "雷同"}};
    for (std::size_t i = random() % 60; i > 0; --i) {
      const auto& part = parts[random() % std::size(parts)];
      text += part[0] + std::string("，");
      canonical += part[1] + std::string("，");
    }
    const std::size_t count = random() % 5;
    const FeatureExtractor all(ExtractorOptions{.top = count}, replaced, own),
        expected_all({.top = count}, plain, own);
    FeatureSpace found, expected;
    all.extract(text, {}, found);
    expected_all.extract(canonical, {}, expected);
    ASSERT_TRUE(std::ranges::equal(found.features, expected.features)) << text;

    const PlacedTerms placed(replaced, TermHash::fnv1a, own),
        expected_placed(plain, TermHash::fnv1a, nullptr);
    PlacedSpace a, b;
    placed.extract(text, count, a);
    expected_placed.extract(canonical, count, b);
    PlacedTerms::list_placed(a);
    PlacedTerms::list_placed(b);
    ASSERT_EQ(a.bag.occurrences, b.bag.occurrences);
    ASSERT_EQ(a.placed.size(), b.placed.size()) << text;
    for (std::size_t i = 0; i < a.placed.size(); ++i, ++compared) {
      ASSERT_EQ(a.placed[i].weight, b.placed[i].weight) << text;
      ASSERT_TRUE(std::ranges::equal(a.placed[i].places, b.placed[i].places)) << text;
    }
  }
  EXPECT_GT(compared, 300u);
}

}  // namespace
}  // namespace leitong
