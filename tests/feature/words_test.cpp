#include "feature/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace leitong {
namespace {

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

TEST(Words, WordlikeIsTwoCharactersWithALetterOrDigit) {
  EXPECT_TRUE(is_wordlike("ab"));
  EXPECT_TRUE(is_wordlike("\xE9\x9B\xB7\xE5\x90\x8C"));
  EXPECT_FALSE(is_wordlike("\xE9\x9B\xB7")) << "one character of three bytes";
  EXPECT_FALSE(is_wordlike("--"));
  EXPECT_FALSE(is_wordlike(""));
}

TEST(Words, StopWordsAndSymbolsAreNoTerms) {
  const auto path = std::filesystem::temp_directory_path() / ("leitong_words_" + std::to_string(getpid()));
  std::ofstream(path) << "the\nand\n";
  const auto words = WordList::load(std::make_shared<SpaceSegmenter>(), path);
  std::filesystem::remove(path);
  ASSERT_TRUE(words.has_value());
  PodVector<Occurrence> terms;
  words->terms("the echo -- and thunder x echo", TermHash::xxh3, terms);
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_EQ(terms[0].id, term_hash(TermHash::xxh3, "echo"));
  EXPECT_EQ(terms[1].id, term_hash(TermHash::xxh3, "thunder"));
  EXPECT_EQ(terms[2].id, terms[0].id);
  terms.clear();
  words->terms("echo", TermHash::fnv1a, terms);
  EXPECT_EQ(terms[0].id, term_hash(TermHash::xxh3, "echo"));
  EXPECT_EQ(terms[0].hash, term_hash(TermHash::fnv1a, "echo"));
}

TEST(Words, AMissingListIsNamed) {
  const auto words = WordList::load(std::make_shared<SpaceSegmenter>(), "/no/such/stop_words");
  ASSERT_FALSE(words.has_value());
  EXPECT_NE(words.error().message.find("/no/such/stop_words"), std::string::npos);
}

}  // namespace
}  // namespace leitong
