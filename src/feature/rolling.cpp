#include "feature/rolling.hpp"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/utf8.hpp"
#include "feature/kernels.hpp"
#include "text/words.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kElementFactor = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kLengthFactor = 0x165667B19E3779F9u;

/// Hashes made at once: their arrays stay in the nearest caches.
constexpr std::size_t kBlock = 1024;

/// Neighbouring code points become unlike, in their low bits too.
std::uint64_t element(std::uint64_t x, std::uint64_t seed) {
  const std::uint64_t product = (x ^ seed) * kElementFactor;
  return product ^ product >> 32;
}

template <class T>
void roll(std::span<const T> elements, const NgramParams& params, PodVector<std::uint64_t>& hashes,
          Simd level) {
  hashes.clear();
  if (elements.empty()) return;
  const auto kernel = feature_kernels(level).ngrams;
  const std::size_t n = std::min(params.n, elements.size());
  const std::size_t count = elements.size() - n + 1;
  hashes.resize_for_overwrite(count + n);
  PodVector<std::uint64_t> space;
  const std::size_t room = std::min(count, kBlock) + n;
  space.resize_for_overwrite(2 * room);
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t size = std::min(kBlock, count - begin);
    for (std::size_t i = 0; i < size + n - 1; ++i) space[i] = element(elements[begin + i], params.seed);
    kernel(space.data(), size, n, kLengthFactor * n, space.data() + room, hashes.data() + begin);
  }
  hashes.resize_for_overwrite(count);
}

}  // namespace

void rolling_ngrams(std::span<const char32_t> points, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes) {
  roll(points, params, hashes, simd_level());
}
void rolling_ngrams(std::span<const char32_t> points, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes, Simd level) {
  roll(points, params, hashes, level);
}

void rolling_ngrams(std::span<const std::uint64_t> words, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes) {
  roll(words, params, hashes, simd_level());
}
void rolling_ngrams(std::span<const std::uint64_t> words, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes, Simd level) {
  roll(words, params, hashes, level);
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
