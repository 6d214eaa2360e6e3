#include "index/hamming/join/kernels.hpp"

#include <gtest/gtest.h>

#include "index/hamming/join_helpers.hpp"

namespace leitong::hamming {
namespace {

template <class F>
class HammingKernels : public ::testing::Test {};
using Widths = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingKernels, Widths);

std::vector<Simd> levels() {
  std::vector<Simd> all;
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
    if (level <= simd_level()) all.push_back(level);
  return all;
}

template <Fingerprint F>
std::uint64_t digit_of(F value, F mask) {
  std::uint64_t digit = 0;
  unsigned at = 0;
  for (unsigned i = 0; i < kBits<F>; ++i) {
    if ((mask & single_bit<F>(i)) == F{}) continue;
    if ((value & single_bit<F>(i)) != F{}) digit |= std::uint64_t{1} << at;
    ++at;
  }
  return digit;
}

/// At most `bits` bits, anywhere.
template <Fingerprint F>
F random_mask(unsigned bits, std::mt19937_64& random) {
  F mask{};
  for (unsigned i = 0; i < bits; ++i) mask = mask | single_bit<F>(static_cast<unsigned>(random() % kBits<F>));
  return mask;
}

TYPED_TEST(HammingKernels, CountGroupAndSelectByTheDigit) {
  using F = TypeParam;
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const auto values = crowd(random() % 200, ~F{}, 3, random);
    const F mask = random_mask<F>(static_cast<unsigned>(random() % 9), random);
    const std::size_t digits = std::size_t{1} << count_ones(mask);
    const std::uint64_t low = random() % digits, high = low + random() % (digits - low + 1);
    std::vector<std::uint64_t> counts(digits);
    std::vector<F> selected;
    for (const F value : values) {
      ++counts[digit_of(value, mask)];
      if (digit_of(value, mask) >= low && digit_of(value, mask) < high) selected.push_back(value);
    }
    std::vector<F> grouped = values;
    std::stable_sort(grouped.begin(), grouped.end(),
                     [&](F x, F y) { return digit_of(x, mask) < digit_of(y, mask); });
    for (const Simd level : levels()) {
      const Kernels& kernel = kernels<F>(level);
      std::vector<std::uint64_t> counted(digits);
      kernel.count(as_words(values.data()), values.size(), as_words(&mask), counted.data());
      ASSERT_EQ(counted, counts) << simd_name(level);
      std::vector<F> out(values.size() + 1);
      out.resize(kernel.select(as_words(values.data()), values.size(), as_words(&mask), low, high,
                               as_words(out.data())));
      ASSERT_EQ(out, selected) << simd_name(level);
      std::vector<std::uint32_t> begins(digits + 2);
      out.resize(values.size());
      kernel.group(as_words(values.data()), values.size(), as_words(&mask), digits, begins.data(),
                   as_words(out.data()));
      ASSERT_EQ(out, grouped) << simd_name(level);
      for (std::size_t d = 0; d < digits; ++d) ASSERT_EQ(begins[d + 1] - begins[d], counts[d]);
    }
  }
}

TYPED_TEST(HammingKernels, PairsAndScanFindWhatPopulationCountsSay) {
  using F = TypeParam;
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 30'000; ++trial) {
    const auto values = crowd(random() % 40, ~F{}, static_cast<unsigned>(random() % 10), random);
    const auto most = static_cast<unsigned>(random() % 12);
    // Two buckets, cut anywhere, and perhaps one that is too large.
    const auto cut = static_cast<std::uint32_t>(random() % (values.size() + 1));
    const std::uint32_t begins[] = {0, cut, static_cast<std::uint32_t>(values.size())};
    const auto largest = static_cast<std::uint32_t>(random() % 3 == 0 ? values.size() / 2 : values.size());
    std::vector<RowPair> expected;
    std::size_t reached = 0;
    for (; reached < 2 && begins[reached + 1] - begins[reached] <= std::max(largest, 1u); ++reached)
      for (std::uint32_t a = begins[reached]; a < begins[reached + 1]; ++a)
        for (std::uint32_t b = a + 1; b < begins[reached + 1]; ++b)
          if (distance(values[a], values[b]) <= most) expected.push_back({a, b, 0});
    sort_pairs(expected);
    for (const Simd level : levels()) {
      const Kernels& kernel = kernels<F>(level);
      std::vector<PairHit> hits(values.size() * values.size() + 1);
      std::size_t first = 0;
      const std::size_t found = kernel.pairs_in_buckets(as_words(values.data()), begins, first, 2, most,
                                                        largest, hits.data(), hits.size());
      std::vector<RowPair> pairs;
      for (std::size_t i = 0; i < found; ++i) pairs.push_back({hits[i].a, hits[i].b, 0});
      sort_pairs(pairs);
      ASSERT_EQ(first, reached) << simd_name(level);
      ASSERT_EQ(pairs, expected) << simd_name(level) << " distance " << most;
      if (values.empty()) continue;
      std::vector<std::uint32_t> near(values.size()), expected_near;
      near.resize(kernel.scan(as_words(values.data()), values.size(), as_words(&values[cut % values.size()]),
                              most, near.data()));
      for (std::uint32_t i = 0; i < values.size(); ++i)
        if (distance(values[i], values[cut % values.size()]) <= most) expected_near.push_back(i);
      ASSERT_EQ(near, expected_near) << simd_name(level);
    }
  }
}

}  // namespace
}  // namespace leitong::hamming
