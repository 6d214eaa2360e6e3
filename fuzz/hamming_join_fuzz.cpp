// Compares the Hamming join, with every kernel, plan and both widths, with an exhaustive comparison.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

#include "index/hamming/join/join.hpp"
#include "require.hpp"

namespace {

using namespace leitong;
using namespace leitong::hamming;

using Pair = std::tuple<std::uint64_t, std::uint64_t, unsigned>;

template <Fingerprint F>
void check(const std::vector<F>& values, const JoinOptions& options) {
  std::vector<Pair> expected, found;
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = a + 1; b < values.size(); ++b)
      if (const unsigned bits = distance(values[a], values[b]); bits <= options.distance)
        expected.emplace_back(a, b, bits);
  const MemorySource<F> source{std::span<const F>(values)};
  static const leitong::Context context;
  auto joined = join(JoinInput<F>{source}, options, context);
  require(joined.has_value());
  require(joined
              ->for_each_pair([&](std::span<const RowPair> pairs) -> Result<void> {
                for (const RowPair& pair : pairs) found.emplace_back(pair.a, pair.b, pair.distance);
                return {};
              })
              .has_value());
  std::sort(found.begin(), found.end());
  require(found == expected);
}

/// A fingerprint differs from the one before it in a few bits, which bytes name, or is all its own bytes.
template <Fingerprint F>
std::vector<F> values_of(const std::uint8_t* data, std::size_t size) {
  std::vector<F> values;
  F value{};
  while (size > 0) {
    const std::size_t flips = *data & 15;
    const bool whole = flips > 11;
    ++data;
    --size;
    if (whole && size >= sizeof(F)) {
      std::memcpy(&value, data, sizeof(F));
      data += sizeof(F);
      size -= sizeof(F);
    } else {
      for (std::size_t i = 0; i < flips && size > 0; ++i, ++data, --size)
        value = value ^ single_bit<F>(*data % kBits<F>);
    }
    values.push_back(value);
  }
  return values;
}

}  // namespace

// The first bytes choose distance, kernels, plan and width.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4 || size > 2000) return 0;
  JoinOptions options;
  options.distance = data[0] % (kMaxDistance + 1);
  options.simd = static_cast<Simd>(data[1] % (static_cast<unsigned>(simd_level()) + 1));
  const auto names = plan_names<Fingerprint64>(options.distance, 24);
  if (const std::size_t plan = data[2] % (names.size() + 1); plan < names.size()) options.plan = names[plan];
  if (data[3] % 2 == 0) {
    check(values_of<Fingerprint64>(data + 4, size - 4), options);
  } else {
    check(values_of<Fingerprint128>(data + 4, size - 4), options);
  }
  return 0;
}
