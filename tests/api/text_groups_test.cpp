#include <gmock/gmock.h>

#include <algorithm>

#include "api/answer.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

using testing::Answer;
using testing::deduplicated;
using testing::random_corpus;
using testing::random_text;

using Numbers = std::vector<std::uint32_t>;

/// Texts that are similar to some others, and a number from 0 to 2 for each.
struct Numbered {
  std::vector<std::string> texts = random_corpus(21, 600);
  Numbers numbers = Numbers(texts.size());

  Numbered() {
    testing::Random random(22);
    for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random.below(3));
  }
};

TEST(TextGroups, WithinIsARunForEachNumber) {
  const Numbered all;
  DedupSettings settings;
  settings.template_text = TemplateText::counted;  // templates are those of all texts
  Numbers apart(all.texts.size());
  for (std::uint32_t number = 0; number < 3; ++number) {
    std::vector<std::string> texts;
    Numbers places;
    for (std::uint32_t i = 0; i < all.texts.size(); ++i)
      if (all.numbers[i] == number) {
        texts.push_back(all.texts[i]);
        places.push_back(i);
      }
    const Numbers kept = deduplicated(texts, settings).kept;
    for (std::size_t i = 0; i < kept.size(); ++i) apart[places[i]] = places[kept[i]];
  }
  const Numbers alone = deduplicated(all.texts, settings).kept;
  settings.groups.within = all.numbers;
  for (const unsigned threads : {1u, 3u}) EXPECT_EQ(deduplicated(all.texts, settings, threads).kept, apart);
  EXPECT_NE(alone, apart);
}

TEST(TextGroups, AcrossComparesTextsWithOtherNumbersAlone) {
  const Numbered all;
  DedupSettings settings;
  settings.groups.across = all.numbers;
  const Answer answer = deduplicated(all.texts, settings);
  EXPECT_GT(answer.pairs.size(), 10u);
  for (const SimilarTexts& pair : answer.pairs) EXPECT_NE(all.numbers[pair.a], all.numbers[pair.b]);
  for (std::size_t i = 0; i < answer.kept.size(); ++i)
    EXPECT_TRUE(answer.kept[i] == i || all.numbers[answer.kept[i]] != all.numbers[i]);
}

TEST(TextGroups, OneTextStaysForEachNumber) {
  testing::Random random(23);
  const std::string text = random_text(random, 200);
  const Numbers numbers = {0, 0, 7, 7, 0};
  DedupSettings settings;
  settings.groups.keep_each = numbers;
  const Numbers kept = deduplicated({text, text, text, text, text}, settings).kept;
  Numbers stay;
  for (std::uint32_t i = 0; i < kept.size(); ++i)
    if (kept[i] == i) stay.push_back(i);
  EXPECT_THAT(stay, ::testing::ElementsAre(0, 2));
}

TEST(TextGroups, AnotherThresholdKeepsToThem) {
  const Numbered all;
  const Context context;
  for (const TextGroups& groups : {TextGroups{.within = all.numbers}, TextGroups{.across = all.numbers},
                                   TextGroups{.keep_each = all.numbers}}) {
    DedupSettings settings;
    settings.groups = groups;
    const std::vector<std::string_view> texts(all.texts.begin(), all.texts.end());
    const auto decisions = deduplicate(context, texts, settings);
    ASSERT_TRUE(decisions);
    const auto again = decisions->rethreshold("", 0);
    ASSERT_TRUE(again);
    EXPECT_TRUE(std::ranges::equal(again->kept(), decisions->kept()));
  }
}

TEST(TextGroups, ThereIsANumberForEachText) {
  const Numbers numbers = {0, 1};
  for (const TextGroups& groups :
       {TextGroups{.within = numbers}, TextGroups{.across = numbers}, TextGroups{.keep_each = numbers}}) {
    DedupSettings settings;
    settings.groups = groups;
    const std::vector<std::string_view> texts = {"a text", "b text", "c text"};
    const auto decisions = deduplicate(texts, settings);
    ASSERT_FALSE(decisions);
    EXPECT_EQ(decisions.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(decisions.error().message, ::testing::HasSubstr("2 values for 3 texts"));
  }
}

}  // namespace
}  // namespace leitong
