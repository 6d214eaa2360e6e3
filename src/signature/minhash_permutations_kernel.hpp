// The loop of minhash_permutations(), compiled for each instruction set. Internal to src/signature; see
// text/units_kernel.hpp for the rules of such files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong {

/// minima[k] = the least of hash(elements[i]) * factors[k] + terms[k], for `count` a multiple of 16.
using MinhashKernel = void (*)(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
                               const std::uint32_t* terms, std::size_t count, std::uint32_t* minima) noexcept;

void minhash_scalar(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
                    const std::uint32_t* terms, std::size_t count, std::uint32_t* minima) noexcept;
void minhash_avx2(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
                  const std::uint32_t* terms, std::size_t count, std::uint32_t* minima) noexcept;
void minhash_avx512(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
                    const std::uint32_t* terms, std::size_t count, std::uint32_t* minima) noexcept;

namespace {

/// MurmurHash3's 32-bit finaliser. It is needed because shingle hashes come from a linear function, and the
/// permutations are linear, too.
inline std::uint32_t mixed(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ x >> 16;
}

}  // namespace
}  // namespace leitong
