#include "index/hamming/search/split_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace leitong::hamming {
namespace {

constexpr std::size_t kSampled = 2048;
/// The cost of a visit to a bucket, in comparisons.
constexpr double kTableVisit = 32;

struct Bit {
  unsigned number;
  std::uint32_t minority;  // number of fingerprints in the sample that have the rarer value
};

/// The bits of `free` that divide the fingerprints, the most even ones first.
template <Fingerprint F>
std::vector<Bit> dividing_bits(std::span<const F> fingerprints, F free) {
  const std::size_t step = std::max<std::size_t>(1, fingerprints.size() / kSampled);
  std::vector<Bit> bits;
  for (unsigned i = 0; i < kBits<F>; ++i) {
    if ((single_bit<F>(i) & free) == F{}) continue;
    std::uint32_t set = 0, sampled = 0;
    for (std::size_t j = 0; j < fingerprints.size(); j += step, ++sampled)
      set += static_cast<std::uint32_t>(word(fingerprints[j], i / 64) >> i % 64 & 1);
    if (const std::uint32_t minority = std::min(set, sampled - set); minority > 0)
      bits.push_back({i, minority});
  }
  std::stable_sort(bits.begin(), bits.end(), [](Bit x, Bit y) { return x.minority > y.minority; });
  return bits;
}

/// The comparisons of a search in a table, on average over searches for its own fingerprints.
template <Fingerprint F>
double comparisons(std::span<const F> fingerprints, const TableShape<F>& shape) {
  const TableCode<F> code(shape);
  std::vector<std::uint32_t> sizes(std::size_t{1} << shape.key_bits());
  for (const F fingerprint : fingerprints) ++sizes[code.encode(fingerprint).key];
  double sum = 0;
  for (const std::uint32_t size : sizes) sum += static_cast<double>(size) * size;
  return sum / static_cast<double>(fingerprints.size());
}

}  // namespace

template <Fingerprint F>
std::vector<TableShape<F>> split_shapes(std::span<const F> fingerprints, F free, unsigned distance) {
  const std::vector<Bit> bits = dividing_bits(fingerprints, free);
  const unsigned tables = distance + 1;
  if (bits.size() < tables) return {};
  const auto wanted = static_cast<unsigned>(std::bit_width(fingerprints.size() / 6));
  std::vector<TableShape<F>> shapes(tables);
  for (std::size_t i = 0; i < bits.size() && i / tables < wanted; ++i) {
    // Bits are dealt back and forth, so that every share gets some of the best bits.
    const std::size_t at = i / tables % 2 == 0 ? i % tables : tables - 1 - i % tables;
    shapes[at].mask = shapes[at].mask | single_bit<F>(bits[i].number);
  }
  double cost = 0;
  for (const TableShape<F>& shape : shapes) cost += kTableVisit + comparisons(fingerprints, shape);
  if (cost > static_cast<double>(fingerprints.size()) / 2) return {};
  return shapes;
}

template std::vector<TableShape<Fingerprint64>> split_shapes(std::span<const Fingerprint64>, Fingerprint64,
                                                             unsigned);
template std::vector<TableShape<Fingerprint128>> split_shapes(std::span<const Fingerprint128>, Fingerprint128,
                                                              unsigned);

}  // namespace leitong::hamming
