// Text to normal forms, n-grams of code points and words, in bytes of text per second, beside ICU, utf8proc
// and OpenCC on the same texts. LEITONG_BENCH_TEXT=FILE takes the texts from a file, one a line; without it
// they are random Han text and random English-like words.
#include <benchmark/benchmark.h>
#include <unicode/brkiter.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/utext.h>
#include <utf8proc.h>

#include <memory>

#include "bench_texts.hpp"
#include "feature/rolling.hpp"
#include "feature/shingles.hpp"
#include "text/normalise.hpp"
#include "text/phrase_simplifier.hpp"
#include "text/words.hpp"

namespace leitong {
namespace {

/// Runs `work` on every text and counts bytes.
template <class Work>
void add(const std::string& name, const std::string& kind, Work work) {
  benchmark::RegisterBenchmark((name + '/' + kind).c_str(), [kind, work](benchmark::State& state) {
    std::size_t bytes = 0;
    for (auto _ : state) {
      for (const std::string& text : bench::texts_of(kind)) {
        work(text);
        bytes += text.size();
      }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  });
}

void add_own(const std::string& kind, Simd level) {
  const std::string simd = '/' + std::string(simd_name(level));
  static const Normaliser normaliser;
  static const Normaliser simplifier({.simplify = true});
  static PodVector<char> bytes;
  static PodVector<char32_t> points;
  static PodVector<std::uint64_t> hashes;
  static PodVector<std::uint32_t> shingles;
  static PodVector<Unit> units;
  add("normalise" + simd, kind, [level](const std::string& text) { normaliser(text, bytes, level); });
  add("normalise_simplify" + simd, kind,
      [level](const std::string& text) { simplifier(text, bytes, level); });
  add("normalise+ngrams_5" + simd, kind, [level](const std::string& text) {
    normaliser(text, points, level);
    rolling_ngrams(std::span<const char32_t>(points), {}, hashes, level);
    benchmark::DoNotOptimize(hashes.data());
  });
  add("units+shingles" + simd, kind, [level](const std::string& text) {
    to_units(text, units, level);
    shingle_hashes(units, shingles, level);
    benchmark::DoNotOptimize(shingles.data());
  });
}

void add_words(const std::string& kind) {
  static PodVector<std::uint64_t> words, hashes;
  add("words", kind, [](const std::string& text) {
    std::size_t count = 0;
    for_each_word(text, [&](const Word&) { ++count; });
    benchmark::DoNotOptimize(count);
  });
  add("words+ngrams_3", kind, [](const std::string& text) {
    word_hashes(text, nullptr, 0, words);
    rolling_ngrams(std::span<const std::uint64_t>(words), {.n = 3}, hashes);
    benchmark::DoNotOptimize(hashes.data());
  });
}

void add_peers(const std::string& kind) {
  static UErrorCode error = U_ZERO_ERROR;
  static const icu::Normalizer2* const casefold = icu::Normalizer2::getNFKCCasefoldInstance(error);
  static std::string normal;
  add("peer_icu_nfkc_casefold", kind, [](const std::string& text) {
    normal.clear();
    icu::StringByteSink<std::string> sink(&normal);
    casefold->normalizeUTF8(0, text, sink, nullptr, error);
  });
  add("peer_utf8proc_nfkc_casefold", kind, [](const std::string& text) {
    std::free(utf8proc_NFKC_Casefold(reinterpret_cast<const utf8proc_uint8_t*>(text.c_str())));
  });
  add("peer_icu_words", kind, [](const std::string& text) {
    static const std::unique_ptr<icu::BreakIterator> breaks(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
    UText wrapped = UTEXT_INITIALIZER;
    utext_openUTF8(&wrapped, text.data(), static_cast<std::int64_t>(text.size()), &error);
    breaks->setText(&wrapped, error);
    std::size_t count = 0;
    while (breaks->next() != icu::BreakIterator::DONE) count += breaks->getRuleStatus() >= UBRK_WORD_NUMBER;
    benchmark::DoNotOptimize(count);
    utext_close(&wrapped);
  });
  static const auto phrases = PhraseSimplifier::open();
  if (phrases) add("peer_opencc_t2s", kind, [](const std::string& text) { normal = *(*phrases)(text); });
}

}  // namespace
}  // namespace leitong

int main(int argc, char** argv) {
  using namespace leitong;
  const bool from_file = std::getenv("LEITONG_BENCH_TEXT") != nullptr;
  for (const char* kind :
       from_file ? std::vector<const char*>{"file"} : std::vector<const char*>{"han", "latin"}) {
    for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
      if (level <= simd_level()) add_own(kind, level);
    add_words(kind);
    add_peers(kind);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
