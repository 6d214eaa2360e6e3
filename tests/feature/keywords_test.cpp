// Keyword lists equal those of cppjieba in words, weights and order.
#include "feature/keywords.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "text/segment/small_dictionary.hpp"
#ifdef LEITONG_HAVE_CPPJIEBA
#include "text/segment/cppjieba_peer.hpp"
#endif

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::Pair;

using List = std::vector<std::pair<std::string, double>>;

List keywords(const KeywordExtractor& extractor, std::string_view text, std::size_t count) {
  static KeywordScratch scratch;
  std::vector<Keyword> found;
  extractor.extract(text, count, scratch, found);
  List list;
  for (const Keyword& keyword : found) list.emplace_back(keyword.word, keyword.weight);
  return list;
}

class SmallKeywords : public test::SmallDictionary {};

TEST_F(SmallKeywords, WeighOccurrencesByIdfAndLeaveOutStopWords) {
  const auto extractor = KeywordExtractor::open(*model(files()));
  ASSERT_TRUE(extractor.has_value());
  const double mean = (5.0 + 7 + 3 + 2) / 4;
  EXPECT_THAT(keywords(*extractor, "回声，回声雷同 the 同一 x 甲乙，甲乙。甲乙 echo", 10),
              ElementsAre(Pair("回声", 14), Pair("甲乙", 3 * mean), Pair("雷同", 5), Pair("echo", 3)));
  EXPECT_THAT(keywords(*extractor, "回声，回声雷同", 1), ElementsAre(Pair("回声", 14)));
  EXPECT_THAT(keywords(*extractor, "回声，回声雷同", 0), ElementsAre());
  EXPECT_THAT(keywords(*extractor, "", 5), ElementsAre());
}

#ifdef LEITONG_HAVE_CPPJIEBA

List reference_keywords(const cppjieba::Jieba& jieba, const std::string& text, std::size_t count) {
  List list;
  jieba.extractor.Extract(text, list, count);
  return list;
}

bool same(const test::Peers& peers, const std::string& text, std::size_t count) {
  const List expected = reference_keywords(*peers.reference, text, count);
  for (const Simd level : test::levels()) {
    const auto extractor = KeywordExtractor::open(peers.model, Scripts::jieba, level);
    if (keywords(*extractor, text, count) == expected) continue;
    ADD_FAILURE() << simd_name(level) << ", the " << count << " heaviest of: " << text.substr(0, 3000);
    return false;
  }
  return true;
}

class KeywordsOfRealTexts : public testing::TestWithParam<const char*> {};

TEST_P(KeywordsOfRealTexts, AreThoseOfCppjieba) {
  const auto texts = test::texts_of(GetParam());
  if (texts.empty()) GTEST_SKIP() << "the developers' texts aren't here";
  const test::Peers peers = test::make_peers({});
  constexpr std::size_t kCounts[] = {5, 20, 100, 100'000};
  const std::size_t step = test::sample_step(texts);
  for (std::size_t i = 0; i < texts.size(); i += step)
    if (!same(peers, texts[i], kCounts[i / step % std::size(kCounts)])) return;
}

INSTANTIATE_TEST_SUITE_P(Collections, KeywordsOfRealTexts,
                         testing::Values("lctt-revisions-zh", "poem-editions-zh", "broadcast-items-zh",
                                         "article-extractions-en", "pawsx-scrambled-zh"));

TEST(KeywordsIdentity, HostileTexts) {
  const test::Peers peers = test::make_peers(test::kUserWords);
  test::HostileTexts texts(7);
  for (std::size_t i = 0; i < 1500; ++i)
    if (!same(peers, texts.next(), 1 + i % 30)) return;
}

#endif

}  // namespace
}  // namespace leitong
