// Token for token what cppjieba makes of the same text with the same dictionaries: real texts and hostile
// ones, all modes, all kernels. cppjieba is built here from its package, as the reference and for nothing
// else.
#include <gtest/gtest.h>

#ifdef LEITONG_HAVE_CPPJIEBA

#include <cppjieba/Jieba.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/data_folder.hpp"
#include "corpus/byte_stream.hpp"
#include "text/jieba_cutter.hpp"
#include "text/random_text.hpp"
#include "text/sample_text.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUserWords =
    "云计算\n雷同 900 zz\n韩玉鉴赏\n蓝翔 nz\n区块链 10 nz\n的 3 uj\n龘 5 n\n🙂雷 7 x\nA股 50 n\nhttps:// 9 "
    "n\n"
    "\xF0\xA0\x80\x80\xF0\xA0\x80\x81 4 n\n1.5倍 8 m\n我们的未来 5000000 l\n";

enum class Mode { dictionary, mix, full, search };
constexpr Mode kModes[] = {Mode::dictionary, Mode::mix, Mode::full, Mode::search};

std::vector<Simd> levels() {
  std::vector<Simd> all;
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
    if (level <= simd_level()) all.push_back(level);
  return all;
}

struct Peers {
  std::unique_ptr<const cppjieba::Jieba> reference;
  std::shared_ptr<const SegmentModel> model;
};

/// Both with jieba's dictionaries and these user words. The model is compiled once for all tests.
Peers make_peers(std::string_view user_words) {
  const fs::path cache = fs::path(LEITONG_BINARY).parent_path() / "test-cache";
  fs::create_directories(cache);
  ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  const fs::path user = cache / ("user-" + std::to_string(user_words.size()));
  if (!fs::exists(user)) std::ofstream(user, std::ios::binary) << user_words;
  const ModelChoice choice{.user = {user}};
  const auto files = chosen_files(choice);
  EXPECT_TRUE(files.has_value()) << files.error().message;
  auto model = open_segment_model(choice);
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return {std::make_unique<const cppjieba::Jieba>(files->words.string(), files->model.string(), user.string(),
                                                  files->idf.string(), files->stop_words.string()),
          *model};
}

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

/// Compares all modes and kernels on one text; false after a difference, so that one is enough.
bool same(const Peers& peers, const std::string& text) {
  for (const Mode mode : kModes) {
    const auto expected = reference_cut(*peers.reference, text, mode);
    for (const Simd level : levels()) {
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

/// The texts of a collection of the developers', or none.
std::vector<std::string> texts_of(const std::string& name) {
  const std::string path = LEITONG_SOURCE_DIR "/../shared/data/" + name + ".docs.jsonl.zst";
  if (!fs::exists(path)) return {};
  auto file = ReadFile::open(path);
  auto stored = std::make_unique<StoredBytes>(std::move(*file), nullptr);
  const auto bytes = make_decoder(Compression::zstd, std::move(stored));
  std::string all;
  std::vector<char> buffer(1 << 20);
  for (std::size_t n = 1; n > 0;) {
    n = bytes->read(buffer.data(), buffer.size()).value();
    all.append(buffer.data(), n);
  }
  std::vector<std::string> texts;
  for (std::size_t at = 0, end; at < all.size(); at = end + 1) {
    end = all.find('\n', at);
    texts.push_back(nlohmann::json::parse(all.substr(at, end - at))["text"].get<std::string>());
  }
  return texts;
}

class RealTexts : public testing::TestWithParam<const char*> {};

// A sample, since cppjieba is slow; LEITONG_TEST_ALL=1 takes every document.
TEST_P(RealTexts, AreCutAsByCppjieba) {
  const auto texts = texts_of(GetParam());
  if (texts.empty()) GTEST_SKIP() << "the developers' texts aren't here";
  const Peers peers = make_peers({});
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  constexpr std::size_t kSampled = 2'000'000;
  const std::size_t step = std::getenv("LEITONG_TEST_ALL") ? 1 : 1 + bytes / kSampled;
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

/// Texts against the rules: dictionary words in any order, ASCII of all kinds between them, all planes.
class HostileTexts {
 public:
  explicit HostileTexts(unsigned seed) : random_(seed) {
    std::ifstream file(find_data_file("dict/jieba.dict.utf8").value());
    for (std::string line; std::getline(file, line);) words_.push_back(line.substr(0, line.find(' ')));
    std::istringstream user{std::string(kUserWords)};
    for (std::string line; std::getline(user, line);) user_words_.push_back(line.substr(0, line.find(' ')));
  }

  std::string next() {
    std::string text;
    const unsigned kind = random_() % 4;
    for (std::size_t n = 1 + random_() % 60; n > 0; --n) {
      if (kind != 3 && random_() % 3) text += words_[random_() % words_.size()];
      if (random_() % 3 == 0) text += kPieces[random_() % std::size(kPieces)];
      if (random_() % 8 == 0) text += user_words_[random_() % user_words_.size()];
      if (kind == 1) append_utf8(0x4E00 + random_() % (random_() % 2 ? 20902 : 2000), text);
      if (kind == 2 && random_() % 4 == 0) text += random_text(random_, 1);
      if (kind == 3) append_utf8(0x4E00 + random_() % 300, text);
    }
    return text;
  }

 private:
  static constexpr std::string_view kPieces[] = {
      "C++",
      "c#",
      "AT&T",
      "T恤",
      "B超",
      "卡拉OK",
      "，",
      "。",
      " ",
      "\t",
      "\n",
      "1.5",
      "...",
      "a1.b2",
      "：",
      "《",
      "》",
      "ｘ",
      "😀",
      "é",
      "\u00A0",
      "\r\n",
      "A",
      "9",
      "，。",
      "!",
      "\x7f",
      "\u3000",
      "1",
      ".",
      "a",
      "-",
      "http://x.y/z?a=1",
      "1.5倍",
      "\U00020000",
      "的",
      "了",
      "—",
      "…",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "1.2.3.4.5.6.7.8.9.0.1.2.3.4.5.6.7.8.9.0.1.2.3.4.5.6.7.8.9.0.1.2"};
  std::mt19937 random_;
  std::vector<std::string> words_, user_words_;
};

TEST(JiebaIdentity, HostileTextsWithoutUserWords) {
  const Peers peers = make_peers({});
  HostileTexts texts(1);
  for (int i = 0; i < 3000; ++i)
    if (!same(peers, texts.next())) return;
}

TEST(JiebaIdentity, HostileTextsWithUserWords) {
  const Peers peers = make_peers(kUserWords);
  HostileTexts texts(2);
  for (int i = 0; i < 3000; ++i)
    if (!same(peers, texts.next())) return;
}

TEST(JiebaIdentity, LongHostileTexts) {
  const Peers peers = make_peers(kUserWords);
  HostileTexts texts(3);
  for (int i = 0; i < 20; ++i) {
    std::string text;
    while (text.size() < 20'000) text += texts.next();
    if (!same(peers, text)) return;
  }
}

TEST(JiebaIdentity, RandomScripts) {
  const Peers peers = make_peers(kUserWords);
  std::mt19937 random(4);
  ASSERT_TRUE(same(peers, std::string(kSampleText)));
  for (int i = 0; i < 1000; ++i)
    if (!same(peers, random_text(random, 1 + i % 40))) return;
}

TEST(JiebaIdentity, Tags) {
  const Peers peers = make_peers(kUserWords);
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
