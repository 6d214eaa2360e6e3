// Compares edit distance in bit-parallel stripes with the textbook's table, with and without a cutoff.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "require.hpp"
#include "similarity/edit.hpp"

namespace {

using Text = std::vector<std::uint32_t>;

std::size_t by_table(const Text& a, const Text& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

// The first byte is the cutoff, the second says where the first text ends; a byte is a code point, so letters
// repeat.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 700) return 0;
  const std::size_t cutoff = data[0];
  const std::uint8_t* begin = data + 2;
  const std::uint8_t* end = data + size;
  const std::uint8_t* middle = begin + std::min<std::size_t>(std::size_t{data[1]} * 2, end - begin);
  const Text a(begin, middle), b(middle, end);

  const std::size_t truth = by_table(a, b);
  require(leitong::edit_distance(a, b) == truth);
  const auto within = leitong::edit_distance(a, b, cutoff);
  require(within.has_value() == (truth <= cutoff) && within.value_or(truth) == truth);

  const std::size_t longer = std::max(a.size(), b.size());
  const double similarity = longer == 0 ? 1 : 1 - static_cast<double>(truth) / static_cast<double>(longer);
  require(leitong::edit_similarity(a, b) == similarity);
  const double at_least = data[0] / 255.0;
  const double bounded = leitong::edit_similarity(a, b, at_least);
  require(bounded == similarity || (bounded == 0 && similarity < at_least));
  return 0;
}
