// cppjieba and our own segmentation side by side, and the texts that they are compared on. Only for tests
// that are built with cppjieba (LEITONG_HAVE_CPPJIEBA).
#pragma once

#include <gtest/gtest.h>

#include <cppjieba/Jieba.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/cpu.hpp"
#include "io/byte_stream.hpp"
#include "io/data_folder.hpp"
#include "test_places.hpp"
#include "text/random_text.hpp"
#include "text/segment/model_store.hpp"

namespace leitong::test {

namespace fs = std::filesystem;

inline constexpr std::string_view kUserWords =
    "云计算\n雷同 900 zz\n韩玉鉴赏\n蓝翔 nz\n区块链 10 nz\n的 3 uj\n龘 5 n\n🙂雷 7 x\nA股 50 n\nhttps:// 9 "
    "n\n"
    "\xF0\xA0\x80\x80\xF0\xA0\x80\x81 4 n\n1.5倍 8 m\n我们的未来 5000000 l\n";

/// The kernels that this machine runs.
inline std::vector<Simd> levels() {
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
inline Peers make_peers(std::string_view user_words) {
  const fs::path cache = fs::path(LEITONG_BINARY).parent_path() / "test-cache";
  fs::create_directories(cache);
  ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  const fs::path user = cache / ("user-" + std::to_string(user_words.size()));
  if (!fs::exists(user)) std::ofstream(user, std::ios::binary) << user_words;
  const ModelChoice choice{{.user = {user}}};
  const auto files = chosen_files(choice);
  EXPECT_TRUE(files.has_value()) << files.error().message;
  auto model = open_segment_model(choice);
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return {std::make_unique<const cppjieba::Jieba>(files->words.string(), files->model.string(), user.string(),
                                                  files->idf.string(), files->stop_words.string()),
          *model};
}

/// The texts of a set on developers' machines, or none.
inline std::vector<std::string> texts_of(const std::string& name) {
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

/// Compares one text in so many: a megabyte or so, since cppjieba is slow; all with LEITONG_TEST_ALL=1.
inline std::size_t sample_step(const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return std::getenv("LEITONG_TEST_ALL") ? 1 : 1 + bytes / 1'000'000;
}

/// All code points in order, with words between them: about 4 MB in texts of 16 KB.
inline std::vector<std::string> every_code_point() {
  std::vector<std::string> texts;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c % 4096 == 0) texts.emplace_back("雷同");
    if (c % 64 == 0) texts.back() += c % 128 == 0 ? "我们的未来echo" : "，云计算";
    if (c < 0xD800 || c > 0xDFFF) append_utf8(c, texts.back());
  }
  return texts;
}

/// Texts that do not follow the rules: dictionary words in any order, ASCII of all kinds between them, all
/// planes.
class HostileTexts {
 public:
  explicit HostileTexts(unsigned seed) : random_(seed) {
    std::ifstream file(find_data_file({}, "dict/jieba.dict.utf8").value());
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
      if (kind == 1) {
        const auto any = random_();  // a statement of its own: operands have no order
        append_utf8(0x4E00 + any % (random_() % 2 ? 20902 : 2000), text);
      }
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

}  // namespace leitong::test
