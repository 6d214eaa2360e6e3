// Digits with one instruction for each word.
#pragma once

#include <immintrin.h>

#include "index/hamming/join/kernel_loops.hpp"

namespace leitong::hamming {
namespace {

template <unsigned W>
class Bmi2Extractor {
 public:
  explicit Bmi2Extractor(const u64* mask) noexcept {
    for (unsigned i = 0; i < W; ++i) mask_[i] = mask[i];
    low_bits_ = static_cast<unsigned>(__builtin_popcountll(mask[0]));
  }
  u64 operator()(const u64* value) const noexcept {
    u64 digit = _pext_u64(value[0], mask_[0]);
    if constexpr (W == 2) {
      // A full low word would shift by 64, but digits are shorter.
      digit |= _pext_u64(value[1], mask_[1]) << low_bits_;
    }
    return digit;
  }

 private:
  u64 mask_[W];
  unsigned low_bits_;
};

}  // namespace
}  // namespace leitong::hamming
