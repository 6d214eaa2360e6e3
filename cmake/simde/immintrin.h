// What the AVX2 kernels call, for processors that are not x86-64 (LEITONG_SIMDE): the vectors of simde, and
// bits of whole numbers, for which simde has no functions. Only *_avx2.cpp are compiled with this folder.
#pragma once

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>

inline int _mm_popcnt_u32(unsigned x) { return __builtin_popcount(x); }
inline long long _mm_popcnt_u64(unsigned long long x) { return __builtin_popcountll(x); }

/// The bits of x under the mask, side by side.
inline unsigned long long _pext_u64(unsigned long long x, unsigned long long mask) {
  unsigned long long bits = 0;
  for (unsigned place = 0; mask != 0; mask &= mask - 1, ++place)
    bits |= (x >> __builtin_ctzll(mask) & 1) << place;
  return bits;
}
/// The lowest bits of x, one at each place of the mask.
inline unsigned long long _pdep_u64(unsigned long long x, unsigned long long mask) {
  unsigned long long bits = 0;
  for (; mask != 0; mask &= mask - 1, x >>= 1) bits |= (x & 1) << __builtin_ctzll(mask);
  return bits;
}
inline unsigned _pext_u32(unsigned x, unsigned mask) { return static_cast<unsigned>(_pext_u64(x, mask)); }
inline unsigned _pdep_u32(unsigned x, unsigned mask) { return static_cast<unsigned>(_pdep_u64(x, mask)); }
