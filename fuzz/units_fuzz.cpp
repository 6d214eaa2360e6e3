// Text to units, shingles, their sets and winnowed keys: every kernel family gives the bits of the scalar
// one, and units lie in order at places inside the text.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "feature/shingles.hpp"
#include "feature/winnow.hpp"
#include "require.hpp"
#include "seeds.hpp"
#include "text/units.hpp"
#include "valid_part.hpp"

LEITONG_FUZZ_SEEDS("plain words, 123 and more of them to fill a block of sixty-four bytes or two",
                   "漢字と仮名、 한글 mixed with latin", "e\xcc\x81\xef\xac\x81\xe2\x80\x8b\xef\xbc\xa1",
                   "\xf0\xa0\x80\x80\xe1\x84\x80\xe1\x85\xa1")

namespace {

using leitong::PodVector;
using leitong::Simd;
using leitong::Unit;

template <class T>
bool same(const PodVector<T>& a, const PodVector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = valid_part({reinterpret_cast<const char*>(data), size});

  PodVector<Unit> units;
  leitong::to_units(text, units, Simd::scalar);
  PodVector<Unit> placed;
  std::vector<leitong::ByteRange> places;
  leitong::to_units_with_places(text, placed, places);
  require(same(units, placed) && places.size() == units.size());
  for (const auto& place : places) require(place.begin < place.end && place.end <= text.size());

  PodVector<std::uint32_t> hashes;
  leitong::shingle_hashes(units, hashes, Simd::scalar);
  PodVector<std::uint64_t> keys;
  leitong::WinnowScratch scratch;
  leitong::winnow(units, 6, 4, scratch, keys, Simd::scalar);
  leitong::winnow(units, 12, 16, scratch, keys, Simd::scalar);
  PodVector<std::uint32_t> set;
  PodVector<std::uint32_t> space;
  leitong::shingle_set(units, set, space, Simd::scalar);
  require(std::is_sorted(set.begin(), set.end(), std::less_equal<>()));

  for (Simd level : {Simd::avx2, Simd::avx512}) {
    if (level > leitong::simd_level()) break;
    PodVector<Unit> fast_units;
    leitong::to_units(text, fast_units, level);
    require(same(units, fast_units));
    PodVector<std::uint32_t> fast_hashes;
    leitong::shingle_hashes(units, fast_hashes, level);
    require(same(hashes, fast_hashes));
    PodVector<std::uint64_t> fast_keys;
    leitong::winnow(units, 6, 4, scratch, fast_keys, level);
    leitong::winnow(units, 12, 16, scratch, fast_keys, level);
    require(same(keys, fast_keys));
    PodVector<std::uint32_t> fast_set;
    leitong::shingle_set(units, fast_set, space, level);
    require(same(set, fast_set));
  }
  return 0;
}
