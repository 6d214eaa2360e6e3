#include <algorithm>
#include <array>
#include <bit>

#include "signature/simhash_levels_kernel.hpp"

namespace leitong {
namespace {

/// For each value of a byte, the bytes of a word that its bits select.
using ByteMasks = std::array<std::uint64_t, 256>;
constexpr ByteMasks make_byte_masks() {
  ByteMasks masks{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0; bit < 8; ++bit)
      if (byte >> bit & 1) masks[byte] |= std::uint64_t{0xff} << 8 * bit;
  return masks;
}
constexpr ByteMasks kByteMasks = make_byte_masks();

/// 64 sums of 16 bits, with bit p of all of them in plane p: one addition of words adds to all 64.
constexpr unsigned kPlanes = 16;
using Planes = std::array<std::uint64_t, kPlanes>;

/// For each weight, the planes to which its hash is added.
constexpr auto kPlanesOfWeight = [] {
  std::array<std::array<std::uint64_t, 4>, 16> masks{};
  for (unsigned weight = 0; weight < 16; ++weight)
    for (unsigned plane = 0; plane < 4; ++plane)
      masks[weight][plane] = 0 - std::uint64_t{weight >> plane & 1};
  return masks;
}();

constexpr std::size_t kTogether = 4;

/// Adds one input of the value 2^plane. How far a carry goes cannot be predicted, so the next few planes are
/// always processed.
template <unsigned kPlane>
[[gnu::always_inline]] inline void carry_up(Planes& planes, std::uint64_t carry) {
  constexpr unsigned kAlways = 4;
  for (unsigned plane = kPlane; plane < kPlane + kAlways; ++plane) {
    const std::uint64_t next = planes[plane] & carry;
    planes[plane] ^= carry;
    carry = next;
  }
  for (unsigned plane = kPlane + kAlways; carry != 0 && plane < kPlanes; ++plane) {
    const std::uint64_t next = planes[plane] & carry;
    planes[plane] ^= carry;
    carry = next;
  }
}

/// Adds `carried`, of the value 2^plane, and in the planes below `width` the features' own bits, two at a
/// time; then the carries of these.
template <unsigned kWidth, unsigned kPlane, std::size_t kCarried>
[[gnu::always_inline]] inline void add(Planes& planes, const std::uint64_t* hashes,
                                       const std::uint8_t* weights,
                                       const std::array<std::uint64_t, kCarried>& carried) {
  if constexpr (kPlane >= kWidth && kCarried == 1) {
    carry_up<kPlane>(planes, carried[0]);
  } else {
    constexpr std::size_t kOwn = kPlane < kWidth ? kTogether : 0, kInputs = kCarried + kOwn;
    std::array<std::uint64_t, kInputs> inputs;
    for (std::size_t i = 0; i < kCarried; ++i) inputs[i] = carried[i];
    if constexpr (kOwn > 0)
      for (std::size_t i = 0; i < kOwn; ++i)
        inputs[kCarried + i] = hashes[i] & kPlanesOfWeight[weights[i]][kPlane];
    std::array<std::uint64_t, (kInputs + 1) / 2> carry;
    std::uint64_t sum = planes[kPlane];
    for (std::size_t i = 0; i + 1 < kInputs; i += 2) {
      const std::uint64_t half = sum ^ inputs[i];
      carry[i / 2] = (sum & inputs[i]) | (half & inputs[i + 1]);
      sum = half ^ inputs[i + 1];
    }
    if constexpr (kInputs % 2 == 1) {
      carry[kInputs / 2] = sum & inputs[kInputs - 1];
      sum ^= inputs[kInputs - 1];
    }
    planes[kPlane] = sum;
    add<kWidth, kPlane + 1>(planes, hashes, weights, carry);
  }
}

template <unsigned kWidth>
std::uint32_t add_all(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                      Planes& planes) {
  std::uint32_t all = 0;
  std::size_t i = 0;
  for (; i + kTogether <= count; i += kTogether) {
    add<kWidth, 0>(planes, hashes + i, weights + i, std::array<std::uint64_t, 0>{});
    for (std::size_t j = 0; j < kTogether; ++j) all += weights[i + j];
  }
  if (i == count) return all;
  std::array<std::uint64_t, kTogether> last_hashes{};
  std::array<std::uint8_t, kTogether> last_weights{};
  for (std::size_t j = 0; i + j < count; ++j) {
    last_hashes[j] = hashes[i + j];
    last_weights[j] = weights[i + j];
    all += weights[i + j];
  }
  add<kWidth, 0>(planes, last_hashes.data(), last_weights.data(), std::array<std::uint64_t, 0>{});
  return all;
}

}  // namespace

// Eight sums of eight bits in a word, so that one addition serves eight bits of the hash.
void levels_scalar(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                   std::size_t run, std::uint32_t* ones) noexcept {
  for (std::size_t i = 0; i < count;) {
    const std::size_t end = std::min(count, i + run);
    std::array<std::uint64_t, 8> sums{};
    for (; i < end; ++i) {
      const std::uint64_t weight = weights[i] * 0x0101010101010101ULL;
      for (unsigned byte = 0; byte < 8; ++byte)
        sums[byte] += kByteMasks[hashes[i] >> 8 * byte & 0xff] & weight;
    }
    for (unsigned bit = 0; bit < 64; ++bit) ones[bit] += sums[bit / 8] >> 8 * (bit % 8) & 0xff;
  }
}

// Compares twice the weights of the ones with all weights, plane by plane from the top.
LevelSigns few_levels_scalar(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                             unsigned width) noexcept {
  Planes ones;
#pragma GCC unroll 16  // otherwise memory is filled in a slower way
  for (std::uint64_t& plane : ones) plane = 0;
  const auto adder = width <= 1 ? add_all<1> : width == 2 ? add_all<2> : width == 3 ? add_all<3> : add_all<4>;
  const std::uint32_t all = adder(hashes, weights, count, ones);
  std::uint64_t greater = 0, equal = ~std::uint64_t{0};
  for (auto plane = static_cast<unsigned>(std::bit_width(all)); plane-- > 0;) {
    const std::uint64_t half = 0 - std::uint64_t{all >> 1 >> plane & 1};
    greater |= equal & ones[plane] & ~half;
    equal &= ~(ones[plane] ^ half);
  }
  return {{greater, all % 2 == 0 ? equal : 0}, all};
}

}  // namespace leitong
