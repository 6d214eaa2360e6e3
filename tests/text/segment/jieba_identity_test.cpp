// The same tokens as cppjieba for the same text with the same dictionaries: real and hostile texts, all
// modes, all kernels. cppjieba is built here from its package, only as the reference.
#include <gtest/gtest.h>

#ifdef LEITONG_HAVE_CPPJIEBA

#include <random>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "text/jieba_cutter.hpp"
#include "text/random_text.hpp"
#include "text/sample_text.hpp"
#include "text/segment/cppjieba_peer.hpp"

namespace leitong {
namespace {

using test::HostileTexts;
using test::kUserWords;
using test::Peers;

enum class Mode { dictionary, mix, full, search };
constexpr Mode kModes[] = {Mode::dictionary, Mode::mix, Mode::full, Mode::search};

std::vector<Token> reference_cut(const cppjieba::Jieba& jieba, const std::string& text, Mode mode) {
  std::vector<cppjieba::Word> words;
  switch (mode) {
    case Mode::dictionary:
    case Mode::mix:
      jieba.Cut(text, words, mode == Mode::mix);
      break;
    case Mode::full:
      jieba.CutAll(text, words);
      break;
    case Mode::search:
      jieba.CutForSearch(text, words);
      break;
  }
  std::vector<Token> tokens;
  for (const auto& word : words)
    tokens.push_back({word.offset, word.offset + static_cast<std::uint32_t>(word.word.size())});
  return tokens;
}

std::vector<Token> cut(const JiebaCutter& cutter, const std::string& text, Mode mode) {
  static CutScratch scratch;
  PodVector<Token> tokens;
  if (mode == Mode::full) {
    cutter.cut_full(text, scratch, tokens);
  } else if (mode == Mode::search) {
    cutter.cut_for_search(text, true, scratch, tokens);
  } else {
    PodVector<std::uint32_t> starts;
    cutter.cut(text, mode == Mode::mix, scratch, starts);
    starts.push_back(static_cast<std::uint32_t>(text.size()));
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) tokens.push_back({starts[i], starts[i + 1]});
  }
  return {tokens.begin(), tokens.end()};
}

/// Compares all modes and kernels on one text; returns false after a difference, so that one is reported.
bool same(const Peers& peers, const std::string& text) {
  for (const Mode mode : kModes) {
    const auto expected = reference_cut(*peers.reference, text, mode);
    for (const Simd level : test::levels()) {
      const auto tokens = cut(JiebaCutter(peers.model, level), text, mode);
      if (tokens == expected) continue;
      const auto difference = std::mismatch(tokens.begin(), tokens.end(), expected.begin(), expected.end());
      const std::size_t place = difference.second == expected.end() ? text.size() : difference.second->begin;
      ADD_FAILURE() << "mode " << static_cast<int>(mode) << ", " << simd_name(level) << ", " << tokens.size()
                    << " tokens for " << expected.size() << ", from byte " << place << " of:\n"
                    << text.substr(0, 3000);
      return false;
    }
  }
  return true;
}

class RealTexts : public testing::TestWithParam<const char*> {};

TEST_P(RealTexts, AreCutAsByCppjieba) {
  const auto texts = test::texts_of(GetParam());
  if (texts.empty()) GTEST_SKIP() << "the developers' texts aren't here";
  const Peers peers = test::make_peers({});
  const std::size_t step = test::sample_step(texts);
  for (std::size_t i = 0; i < texts.size(); i += step)
    if (!same(peers, texts[i])) return;
}

INSTANTIATE_TEST_SUITE_P(Collections, RealTexts,
                         testing::Values("lctt-revisions-zh", "poem-editions-zh", "broadcast-items-zh",
                                         "article-extractions-en", "pawsx-scrambled-zh"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(JiebaIdentity, HostileTextsWithoutUserWords) {
  const Peers peers = test::make_peers({});
  HostileTexts texts(1);
  for (int i = 0; i < 1500; ++i)
    if (!same(peers, texts.next())) return;
}

TEST(JiebaIdentity, HostileTextsWithUserWords) {
  const Peers peers = test::make_peers(kUserWords);
  HostileTexts texts(2);
  for (int i = 0; i < 1500; ++i)
    if (!same(peers, texts.next())) return;
}

TEST(JiebaIdentity, LongHostileTexts) {
  const Peers peers = test::make_peers(kUserWords);
  HostileTexts texts(3);
  for (int i = 0; i < 20; ++i) {
    std::string text;
    while (text.size() < 20'000) text += texts.next();
    if (!same(peers, text)) return;
  }
}

TEST(JiebaIdentity, RandomScripts) {
  const Peers peers = test::make_peers(kUserWords);
  std::mt19937 random(4);
  ASSERT_TRUE(same(peers, std::string(kSampleText)));
  for (int i = 0; i < 1000; ++i)
    if (!same(peers, random_text(random, 1 + i % 40))) return;
}

TEST(JiebaIdentity, EveryCodePoint) {
  const Peers peers = test::make_peers(kUserWords);
  const auto texts = test::every_code_point();
  const std::size_t step = std::getenv("LEITONG_TEST_ALL") ? 1 : 3;
  for (std::size_t i = 0; i < texts.size(); i += step)
    if (!same(peers, texts[i])) return;
}

// One fixed number for all tokens: if a sanitizer's build and a release build both pass, they cut alike. A
// mistake of a compiler in one of them once prevented this.
TEST(JiebaIdentity, EveryBuildCutsAlike) {
  const Peers peers = test::make_peers(kUserWords);
  std::vector<std::string> texts = test::every_code_point();
  HostileTexts hostile(6);
  for (int i = 0; i < 2000; ++i) texts.push_back(hostile.next());
  constexpr std::uint64_t kFrozen[] = {15899755663190303471u, 5649526206684381221u, 3974989420401513409u,
                                       2840042925688944715u};
  for (const Mode mode : kModes) {
    for (const Simd level : test::levels()) {
      const JiebaCutter cutter(peers.model, level);
      std::uint64_t digest = 0;
      for (const std::string& text : texts)
        for (const Token& token : cut(cutter, text, mode))
          digest = mix64(digest ^ (std::uint64_t{token.begin} << 32 | token.end));
      EXPECT_EQ(digest, kFrozen[static_cast<std::size_t>(mode)])
          << "mode " << static_cast<int>(mode) << ", " << simd_name(level);
    }
  }
}

TEST(JiebaIdentity, Tags) {
  const Peers peers = test::make_peers(kUserWords);
  const JiebaCutter cutter(peers.model);
  HostileTexts texts(5);
  for (int i = 0; i < 300; ++i) {
    const std::string text = texts.next();
    for (const Token& token : cut(cutter, text, Mode::mix)) {
      const std::string word = text.substr(token.begin, token.end - token.begin);
      ASSERT_EQ(cutter.tag(word), peers.reference->LookupTag(word)) << word;
    }
  }
}

}  // namespace
}  // namespace leitong

#else

TEST(JiebaIdentity, NeedsCppjieba) { GTEST_SKIP() << "cppjieba isn't here; ./dev setup fetches it"; }

#endif
