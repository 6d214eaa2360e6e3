// Segmentation: every kernel cuts where the plain loops cut, tokens cover the text in order, and a text that
// is cut between separators has the tokens of the whole text.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "feature/keywords.hpp"
#include "require.hpp"
#include "seeds.hpp"
#include "segment_model.hpp"
#include "text/jieba_cutter.hpp"
#include "valid_part.hpp"

LEITONG_FUZZ_SEEDS("打雷回声，甲乙丙丁。雷同 C++ AT&T 1.5.2 a1b2", "一二三四五六七八九十的T恤",
                   "\xF0\xA0\x80\x80雷🙂é", "....1.2 a.b9 的的的\n\t，。")

namespace {

using leitong::PodVector;
using Starts = PodVector<std::uint32_t>;

bool same(const Starts& a, const Starts& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto model = leitong::fuzz::open_model(leitong::fuzz::model_bytes()).value();
  static leitong::CutScratch scratch;
  std::string text = valid_part({reinterpret_cast<const char*>(data), size});
  // Sometimes long enough for several blocks and chunks.
  if (size > 0 && data[0] % 8 == 0)
    while (text.size() < 6000 && !text.empty()) text += text;

  for (const bool hmm : {false, true}) {
    Starts plain;
    leitong::JiebaCutter(model, leitong::Simd::scalar).cut(text, hmm, scratch, plain);
    require(text.empty() == plain.empty() && (plain.empty() || plain[0] == 0));
    require(std::is_sorted(plain.begin(), plain.end(), std::less_equal<>()));
    require(plain.empty() || plain.back() < text.size());
    for (const auto level : {leitong::Simd::avx2, leitong::Simd::avx512}) {
      if (level > leitong::simd_level()) break;
      Starts fast;
      leitong::JiebaCutter(model, level).cut(text, hmm, scratch, fast);
      require(same(plain, fast));
    }
    // Joined with itself by a line feed, it is cut as before.
    Starts twice;
    leitong::JiebaCutter(model).cut(text + "\n" + text, hmm, scratch, twice);
    require(twice.size() == 2 * plain.size() + 1);
  }
  const leitong::JiebaCutter cutter(model);
  PodVector<leitong::Token> tokens;
  cutter.cut_full(text, scratch, tokens);
  cutter.cut_for_search(text, true, scratch, tokens);
  for (const auto& token : tokens) require(token.begin < token.end && token.end <= text.size());

  static leitong::KeywordScratch keyword_scratch;
  std::vector<leitong::Keyword> keywords;
  static const auto extractor = leitong::KeywordExtractor::open(model).value();
  extractor.extract(text, 5, keyword_scratch, keywords);
  require(std::is_sorted(keywords.begin(), keywords.end(),
                         [](const auto& a, const auto& b) { return a.weight > b.weight; }));
  return 0;
}
