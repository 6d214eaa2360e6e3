// No memory is allocated for a word, nor for a text once the working space has grown to the largest.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "feature/keywords.hpp"
#include "feature/terms.hpp"
#include "feature/words.hpp"
#include "signature/simhash.hpp"
#include "text/segment/small_dictionary.hpp"

// Sanitizers have an allocator of their own, and outside of glibc there is no other name for it.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::size_t allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
}

namespace leitong {
namespace {

class Allocations : public test::SmallDictionary {
 protected:
  /// Counts allocations in a second pass over the same texts. Some of these are long and have many words that
  /// are in no dictionary.
  template <class Work>
  static void expect_none_again(const Work& work) {
    std::vector<std::string> texts;
    for (int i = 0; i < 60; ++i) {
      std::string text = "回声定位，雷同 echo the thunder гром ";
      for (int n = 0; n < i * i; ++n)
        text += "雷声甲乙。word" + std::to_string(n % 700) + (n % 50 == 0 ? "\n" : " ");
      texts.push_back(std::move(text));
    }
    const std::size_t before = allocations;
    for (const std::string& text : texts) work(text);
    EXPECT_GT(allocations, before) << "nothing was counted";
    const std::size_t grown = allocations;
    for (const std::string& text : texts) work(text);
    EXPECT_EQ(allocations, grown);
  }
};

TEST_F(Allocations, OfTextToSimhashAreNone) {
  const auto terms = TermExtractor::open(*model(files()));
  TermScratch scratch;
  PodVector<Feature> features;
  expect_none_again([&](std::string_view text) {
    terms->top(text, 20, scratch, features);
    ASSERT_TRUE(simhash(features).has_value());
  });
}

TEST_F(Allocations, OfKeywordsAreNone) {
  const auto keywords = KeywordExtractor::open(*model(files()));
  KeywordScratch scratch;
  std::vector<Keyword> found;
  expect_none_again([&](std::string_view text) { keywords->extract(text, 20, scratch, found); });
}

TEST_F(Allocations, OfTermsInOrderAreNone) {
  const auto words = WordList::open(*model(files()));
  WordSpace space;
  PodVector<Occurrence> occurrences;
  expect_none_again([&](std::string_view text) {
    occurrences.clear();
    words->terms(text, TermHash::xxh3, space, occurrences);
  });
}

}  // namespace
}  // namespace leitong

#else

TEST(Allocations, NeedGlibcsAllocator) { GTEST_SKIP() << "this build has another allocator"; }

#endif
