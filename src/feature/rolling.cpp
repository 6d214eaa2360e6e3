#include "feature/rolling.hpp"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/hash.hpp"
#include "base/utf8.hpp"
#include "text/words.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15u;
constexpr std::uint64_t kElementFactor = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kLengthFactor = 0x165667B19E3779F9u;

std::uint64_t power(std::uint64_t base, std::size_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

/// Neighbouring code points become unlike, in their low bits too.
std::uint64_t element(std::uint64_t x, std::uint64_t seed) {
  const std::uint64_t product = (x ^ seed) * kElementFactor;
  return product ^ product >> 32;
}

template <class T>
void roll(std::span<const T> elements, const NgramParams& params, PodVector<std::uint64_t>& hashes) {
  hashes.clear();
  if (elements.empty()) return;
  const std::size_t n = std::min(params.n, elements.size());
  const std::uint64_t seed = params.seed;
  const std::uint64_t leaving = power(kBase, n);
  const std::uint64_t length = kLengthFactor * n;
  hashes.resize_for_overwrite(elements.size() - n + 1);
  std::uint64_t* out = hashes.data();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum = sum * kBase + element(elements[i], seed);
  *out++ = mix64(sum + length);
  for (std::size_t i = n; i < elements.size(); ++i) {
    sum = sum * kBase + (element(elements[i], seed) - element(elements[i - n], seed) * leaving);
    *out++ = mix64(sum + length);
  }
}

}  // namespace

void rolling_ngrams(std::span<const char32_t> points, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes) {
  roll(points, params, hashes);
}

void rolling_ngrams(std::span<const std::uint64_t> words, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes) {
  roll(words, params, hashes);
}

void word_hashes(std::string_view utf8, const Segmenter* chinese, std::uint64_t seed,
                 PodVector<std::uint64_t>& hashes) {
  hashes.clear();
  const auto add = [&](std::string_view word) {
    hashes.push_back(XXH3_64bits_withSeed(word.data(), word.size(), seed));
  };
  for_each_word(utf8, [&](const Word& word) {
    if (word.kind != WordKind::han) {
      add(word.text);
    } else if (chinese != nullptr) {
      chinese->segment(word.text, add);
    } else {
      for (std::size_t at = 0; at < word.text.size();) {
        const std::size_t length = decode_utf8(word.text, at).length;
        add(word.text.substr(at, length));
        at += length;
      }
    }
  });
}

}  // namespace leitong
