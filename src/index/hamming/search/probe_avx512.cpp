#include "index/hamming/search/probe_bmi.hpp"

namespace leitong::hamming {
namespace {

/// For each size of entries: the source of each of the 64 bytes, so that each entry has a lane of kLane
/// bytes.
template <unsigned kLane>
struct Spread {
  alignas(64) u8 from[kLane + 1][64];
  u64 kept[kLane + 1];

  constexpr Spread() : from{}, kept{} {
    for (unsigned size = 1; size <= kLane; ++size)
      for (unsigned byte = 0; byte < 64; ++byte) {
        const unsigned within = byte % kLane;
        if (within >= size) continue;
        from[size][byte] = static_cast<u8>(byte / kLane * size + within);
        kept[size] |= u64{1} << byte;
      }
  }
};
constexpr Spread<8> kSpread64;
constexpr Spread<16> kSpread128;

struct Avx512 : Bmi {
  template <bool kCoded, class Hit>
  static void scan(const ProbeTable& table, const Probe<u64>& probe, int limit, const Hit& hit) {
    const std::size_t size = table.entry_bytes;
    const __m512i order = _mm512_load_si512(kSpread64.from[size]);
    const __mmask64 kept = kSpread64.kept[size];
    const __m512i base = _mm512_set1_epi64(static_cast<long long>(probe.base));
    const __m512i most = _mm512_set1_epi64(limit);
    const auto difference_of = [&](const u8* from, __m512i bytes) {
      __m512i value = _mm512_maskz_permutexvar_epi8(kept, bytes, _mm512_loadu_si512(from));
      if constexpr (kCoded) {
        const __m512i syndrome = _mm512_srli_epi64(value, 33);
        const __m512i bit = _mm512_srli_epi64(_mm512_sllv_epi64(_mm512_set1_epi64(1), syndrome), 1);
        value = _mm512_or_si512(_mm512_and_si512(value, _mm512_set1_epi64((1ll << 33) - 1)),
                                _mm512_slli_epi64(bit, 33));
      }
      return _mm512_xor_si512(value, base);
    };
    const auto near_lanes = [&](__m512i difference) -> u32 {
      return _mm512_cmple_epi64_mask(_mm512_popcnt_epi64(difference), most);
    };
    const auto report = [&](u32 begin, u32 near, __m512i first, __m512i second) {
      u64 differences[16];
      _mm512_storeu_si512(differences, first);
      _mm512_storeu_si512(differences + 8, second);
      for (; near != 0; near &= near - 1) {
        const auto lane = static_cast<u32>(__builtin_ctz(near));
        hit(begin + lane, differences[lane]);
      }
    };
    const u8* entry = table.entries + u64{probe.begin} * size;
    if (const u32 count = probe.end - probe.begin; count <= 8) {
      // The cache line after the bucket was not prefetched, so a bucket within one line is read as that line.
      const auto offset = static_cast<u32>(reinterpret_cast<std::uintptr_t>(entry) % 64);
      const u32 shift = offset + count * size <= 64 ? offset : 0;
      const __m512i difference =
          difference_of(entry - shift, _mm512_add_epi8(order, _mm512_set1_epi8(static_cast<char>(shift))));
      const u32 near = _bzhi_u32(near_lanes(difference), count);
      if (near != 0) [[unlikely]]
        report(probe.begin, near, difference, difference);
      return;
    }
    // Two vectors at a time for every size of bucket: most buckets then take one iteration, which the branch
    // predictor learns.
    for (u32 i = probe.begin; i < probe.end; i += 16, entry += 16 * size) {
      const __m512i first = difference_of(entry, order);
      const __m512i second = difference_of(entry + 8 * size, order);
      const u32 near =
          _bzhi_u32(near_lanes(first) | near_lanes(second) << 8, probe.end - i < 16 ? probe.end - i : 16);
      if (near != 0) [[unlikely]]
        report(i, near, first, second);
    }
  }

  template <bool kCoded, class Hit>
  static void scan(const ProbeTable& table, const Probe<u128>& probe, int limit, const Hit& hit) {
    if constexpr (kCoded) {
      scan_words<true, Avx512>(table, probe, limit, hit);
    } else {
      const std::size_t size = table.entry_bytes;
      const __m512i order = _mm512_load_si512(kSpread128.from[size]);
      const __mmask64 kept = kSpread128.kept[size];
      const __m512i base =
          _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&probe.base)));
      const __m512i most = _mm512_set1_epi64(limit);
      const auto difference_of = [&](const u8* from) {
        return _mm512_xor_si512(_mm512_maskz_permutexvar_epi8(kept, order, _mm512_loadu_si512(from)), base);
      };
      const auto near_lanes = [&](__m512i difference) -> u32 {  // two equal bits for each entry
        const __m512i halves = _mm512_popcnt_epi64(difference);
        const __m512i sums = _mm512_add_epi64(halves, _mm512_shuffle_epi32(halves, _MM_PERM_BADC));
        return _mm512_cmple_epi64_mask(sums, most);
      };
      const u8* entry = table.entries + u64{probe.begin} * size;
      for (u32 i = probe.begin; i < probe.end; i += 8, entry += 8 * size) {
        const __m512i first = difference_of(entry);
        const __m512i second = difference_of(entry + 4 * size);
        u32 near = (near_lanes(first) | near_lanes(second) << 8) & 0x5555;
        near = _bzhi_u32(near, probe.end - i < 8 ? 2 * (probe.end - i) : 16);
        if (near == 0) [[likely]]
          continue;
        u128 differences[8];
        _mm512_storeu_si512(differences, first);
        _mm512_storeu_si512(differences + 4, second);
        for (; near != 0; near &= near - 1) {
          const auto lane = static_cast<u32>(__builtin_ctz(near)) / 2;
          hit(i + lane, differences[lane]);
        }
      }
    }
  }
};

}  // namespace

template <Fingerprint F>
const ProbeKernels<F>& probe_kernels_avx512() noexcept {
  return kProbeKernels<Avx512, F>;
}
template const ProbeKernels<Fingerprint64>& probe_kernels_avx512() noexcept;
template const ProbeKernels<Fingerprint128>& probe_kernels_avx512() noexcept;

}  // namespace leitong::hamming
