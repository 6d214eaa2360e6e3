#include "text/packed_units.hpp"

#include <algorithm>
#include <array>

#include "base/kernel_families.hpp"
#include "text/packed_units_kernel.hpp"

namespace leitong {
namespace {

constexpr bool is_paired(std::uint32_t c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// The code of the pair whose second letter is this one; 0 if there is no such pair.
std::uint32_t code_with(Unit unit, std::uint32_t second) {
  const std::uint32_t first = (unit ^ second * kSecondFactor) >> kFirstShift & kFirstMask;
  if (!is_paired(first) || pair_unit(first, second) != unit) return 0;
  return kCodes + kSeconds * number_of_first(first) + (second == 0 ? 0 : number_of_first(second) + 1);
}

// All pairs by their codes.
constexpr auto kPairs = [] {
  std::array<Unit, std::size_t{kFirsts} * kSeconds> pairs{};
  for (std::uint32_t first = 0; first < kFirsts; ++first)
    for (std::uint32_t second = 0; second < kSeconds; ++second)
      pairs[kSeconds * first + second] = pair_unit(first_of(first), second_of(second));
  return pairs;
}();

// The word of a unit; kEscape if it has none.
std::uint32_t word_of(Unit unit) {
  if (unit <= UINT16_MAX) return is_code(unit) ? kEscape : unit;
  const std::uint32_t at = unit >> kSecondShift & 0xFF;
  if (const std::uint32_t code = code_with(unit, kSecondLetters.likely[at]); code != 0) return code;
  const std::uint32_t code = code_with(unit, kSecondLetters.other[at]);
  return code != 0 ? code : kEscape;
}

struct Kernels {
  PackKernel pack;
  UnpackKernel unpack;
};

Kernels kernels_of(Simd level) {
  LEITONG_RETURN_KERNEL(level, (Kernels{pack_scalar, unpack_scalar}), (Kernels{pack_avx2, unpack_avx2}),
                        (Kernels{pack_avx512, unpack_avx512}));
}

}  // namespace

std::size_t pack_scalar(const Unit* units, std::size_t count, std::uint16_t* words) {
  std::size_t i = 0;
  for (; i < count; ++i) {
    const std::uint32_t word = word_of(units[i]);
    if (word == kEscape) break;
    words[i] = static_cast<std::uint16_t>(word);
  }
  return i;
}

std::size_t unpack_scalar(const std::uint16_t* words, std::size_t count, Unit* units) {
  std::size_t i = 0;
  for (; i < count && words[i] != kEscape; ++i)
    units[i] = is_code(words[i]) ? kPairs[words[i] - kCodes] : words[i];
  return i;
}

void pack_units(std::span<const Unit> units, PodVector<std::uint16_t>& words) {
  pack_units(units, words, simd_level());
}

void pack_units(std::span<const Unit> units, PodVector<std::uint16_t>& words, Simd level) {
  const PackKernel pack = kernels_of(level).pack;
  const std::size_t begin = words.size();
  words.resize_for_overwrite(begin + 3 * units.size());
  std::uint16_t* out = words.data() + begin;
  for (std::size_t i = 0; i < units.size();) {
    std::size_t packed = pack(units.data() + i, units.size() - i, out);
    packed += pack_scalar(units.data() + i + packed, std::min(units.size() - i - packed, kPackedBlock),
                          out + packed);
    out += packed;
    i += packed;
    if (i == units.size() || word_of(units[i]) != kEscape) continue;
    *out++ = kEscape;
    *out++ = static_cast<std::uint16_t>(units[i]);
    *out++ = static_cast<std::uint16_t>(units[i++] >> 16);
  }
  words.resize_for_overwrite(static_cast<std::size_t>(out - words.data()));
}

void unpack_units(const std::uint16_t* words, std::size_t count, PodVector<Unit>& units) {
  unpack_units(words, count, units, simd_level());
}

void unpack_units(const std::uint16_t* words, std::size_t count, PodVector<Unit>& units, Simd level) {
  const UnpackKernel unpack = kernels_of(level).unpack;
  units.resize_for_overwrite(count);
  Unit* const out = units.data();
  for (std::size_t i = 0; i < count;) {
    std::size_t unpacked = unpack(words, count - i, out + i);
    unpacked +=
        unpack_scalar(words + unpacked, std::min(count - i - unpacked, kPackedBlock), out + i + unpacked);
    words += unpacked;
    i += unpacked;
    if (i == count || *words != kEscape) continue;
    out[i++] = words[1] | static_cast<Unit>(words[2]) << 16;
    words += 3;
  }
}

}  // namespace leitong
