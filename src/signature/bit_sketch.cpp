#include "leitong/bit_sketch.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "base/hash.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kMap = 0x27220a95fe1dbf5bULL;

template <class Put>
void throw_into(std::span<const std::uint64_t> ones, std::span<std::uint64_t> words, const Put& put) {
  std::fill(words.begin(), words.end(), 0);
  const std::uint64_t bits = 64 * words.size();
  for (const std::uint64_t one : ones) {
    const std::uint64_t bit = mix64(one ^ kMap) % bits;
    put(words[bit / 64], std::uint64_t{1} << bit % 64);
  }
}

}  // namespace

void bdr_sketch(std::span<const std::uint64_t> ones, std::span<std::uint64_t> words) noexcept {
  throw_into(ones, words, [](std::uint64_t& word, std::uint64_t bit) { word ^= bit; });
}

void bin_sketch(std::span<const std::uint64_t> ones, std::span<std::uint64_t> words) noexcept {
  throw_into(ones, words, [](std::uint64_t& word, std::uint64_t bit) { word |= bit; });
}

std::size_t sketch_distance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
  assert(a.size() == b.size());
  std::size_t distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += static_cast<std::size_t>(std::popcount(a[i] ^ b[i]));
  return distance;
}

double bdr_distance(std::size_t sketch_distance, std::size_t bits) noexcept {
  const auto n = static_cast<double>(bits);
  const double rest = 1 - 2 * static_cast<double>(sketch_distance) / n;
  return rest <= 0 ? HUGE_VAL : std::log(rest) / std::log1p(-2 / n);
}

double bin_sketch_ones(std::size_t sketch_ones, std::size_t bits) noexcept {
  const auto n = static_cast<double>(bits);
  const double rest = 1 - static_cast<double>(sketch_ones) / n;
  return rest <= 0 ? HUGE_VAL : std::log(rest) / std::log1p(-1 / n);
}

double bin_sketch_jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
  assert(a.size() == b.size() && !a.empty());
  std::size_t of_a = 0, of_b = 0, either = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    of_a += static_cast<std::size_t>(std::popcount(a[i]));
    of_b += static_cast<std::size_t>(std::popcount(b[i]));
    either += static_cast<std::size_t>(std::popcount(a[i] | b[i]));
  }
  const std::size_t bits = 64 * a.size();
  if (either == bits) return static_cast<double>(of_a + of_b - either) / static_cast<double>(either);
  const double all = bin_sketch_ones(either, bits);
  if (all == 0) return 1;
  return std::clamp((bin_sketch_ones(of_a, bits) + bin_sketch_ones(of_b, bits) - all) / all, 0.0, 1.0);
}

}  // namespace leitong
