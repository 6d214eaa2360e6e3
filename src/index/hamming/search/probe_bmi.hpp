// Shared by the kernels for AVX2 and AVX-512: gathers and scatters bits with one instruction a word (BMI2).
// Internal linkage: see probe_loops.hpp.
#pragma once

#include <immintrin.h>

#include "index/hamming/search/probe_loops.hpp"

namespace leitong::hamming {
namespace {

struct Bmi {
  static int ones(u64 x) { return static_cast<int>(_mm_popcnt_u64(x)); }
  static u32 information(u32 word) { return _pext_u32(word, 0x7fff7f74u); }
  static u32 syndrome(u32 word) {
    const auto parity = [](u32 x) { return static_cast<u32>(_mm_popcnt_u32(x)) & 1; };
    return parity(word & 0x55555555u) | parity(word & 0x66666666u) << 1 | parity(word & 0x78787878u) << 2 |
           parity(word & 0x7f807f80u) << 3 | parity(word & 0x7fff8000u) << 4;
  }

  static u32 block(const ProbeTable& table, u64 x) { return static_cast<u32>(_pext_u64(x, table.mask[0])); }
  static u64 rest(const ProbeTable& table, u64 x) { return _pext_u64(x, ~table.mask[0]); }
  static u64 unite(const ProbeTable& table, u32 block, u64 rest) {
    return _pdep_u64(block, table.mask[0]) | _pdep_u64(rest, ~table.mask[0]);
  }

  static u32 block(const ProbeTable& table, u128 x) {
    const u64 high = _pext_u64(static_cast<u64>(x >> 64), table.mask[1]);
    return static_cast<u32>(_pext_u64(static_cast<u64>(x), table.mask[0]) | high << ones(table.mask[0]));
  }
  static u128 rest(const ProbeTable& table, u128 x) {
    const u128 high = _pext_u64(static_cast<u64>(x >> 64), ~table.mask[1]);
    return _pext_u64(static_cast<u64>(x), ~table.mask[0]) | high << (64 - ones(table.mask[0]));
  }
  static u128 unite(const ProbeTable& table, u32 block, u128 rest) {
    const u64 low = _pdep_u64(block, table.mask[0]) | _pdep_u64(static_cast<u64>(rest), ~table.mask[0]);
    const u64 high = _pdep_u64(u64{block} >> ones(table.mask[0]), table.mask[1]) |
                     _pdep_u64(static_cast<u64>(rest >> (64 - ones(table.mask[0]))), ~table.mask[1]);
    return low | u128{high} << 64;
  }
};

}  // namespace
}  // namespace leitong::hamming
