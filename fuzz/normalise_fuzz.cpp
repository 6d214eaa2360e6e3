// Normal forms: every kernel gives the bytes of the slow implementation under every option, rolling n-gram
// hashes equal their definition, and words are in order inside the text.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/record_fields.hpp"
#include "require.hpp"
#include "seeds.hpp"
#include "text/normalise.hpp"
#include "text/words.hpp"
#include "valid_part.hpp"

LEITONG_FUZZ_SEEDS("Plain WORDS, 123 and more of them to fill a block of sixty-four  bytes or two",
                   "漢字と仮名、 한글 ｶﾞ mixed", "e\xcc\x81\xe2\x80\x8b\xcc\xa3\xef\xac\x81",
                   "\xef\xb7\xba\xe0\xb8\x81\xe0\xb8\xb8\xe0\xb9\x88", "\xe1\x84\x80\xe1\x85\xa1")

namespace {

using leitong::NormaliseOptions;
using leitong::Normaliser;
using leitong::PodVector;
using leitong::Simd;

const std::vector<Normaliser>& normalisers() {
  static const std::vector<Normaliser> all = [] {
    std::vector<Normaliser> made;
    for (const bool on : {false, true})
      for (const auto punctuation :
           {leitong::Punctuation::keep, leitong::Punctuation::fold, leitong::Punctuation::space})
        made.emplace_back(NormaliseOptions{on, on, on, punctuation, on});
    made.emplace_back(NormaliseOptions{.run_space_together = false});
    return made;
  }();
  return all;
}

void check(const Normaliser& normaliser, std::string_view text) {
  PodVector<char> slow, fast;
  std::vector<leitong::NormalisedRun> runs;
  const auto expected = normaliser.with_places(text, slow, runs);
  require(leitong::find_invalid_utf8({slow.data(), slow.size()}) == std::string_view::npos);
  for (const auto& run : runs)
    require(run.original.begin < run.original.end && run.original.end <= text.size());
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (level > leitong::simd_level()) break;
    const auto result = normaliser(text, fast, level);
    require(std::equal(fast.begin(), fast.end(), slow.begin(), slow.end()));
    require(result.read == expected.read && result.cut_marks == expected.cut_marks);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = valid_part({reinterpret_cast<const char*>(data), size});
  for (const Normaliser& normaliser : normalisers()) check(normaliser, text);

  const char* at = text.data();
  leitong::for_each_word(text, [&](const leitong::Word& word) {
    require(word.text.data() >= at && !word.text.empty());
    at = word.text.data() + word.text.size();
  });
  require(at <= text.data() + text.size());
  return 0;
}
