// Compares searches in levels of any tables, with every instruction set, with a comparison of every row.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "index/hamming/search/level.hpp"
#include "index/hamming/search/memory_rows.hpp"
#include "require.hpp"

namespace {

using namespace leitong;
using namespace leitong::hamming;

/// A byte of the input is a fingerprint's first or its difference to the one before it, so that they are
/// close.
template <Fingerprint F>
void check(unsigned distance, std::size_t plan_number, const std::uint8_t* data, std::size_t size) {
  const auto names = plan_names<F>(distance, 8);
  const auto plan = named_plan<F>(names[plan_number % names.size()], distance);
  std::vector<Row<F>> rows;
  F last{};
  for (std::size_t i = 0; i + 1 < size; i += 2) {
    last = last ^ single_bit<F>(data[i] % kBits<F>) ^ single_bit<F>(data[i + 1] % kBits<F>);
    rows.push_back({last, data[i]});
  }
  std::vector<F> queries;
  for (const Row<F>& row : rows)
    if (queries.size() < kGroupQueries) queries.push_back(row.fingerprint ^ single_bit<F>(row.id % kBits<F>));
  const auto shapes = level_shapes(*plan, rows.size());
  if (!shapes || queries.empty()) return;
  Level<F> level(std::move(*build_level<F>(RowSpan<F>(rows), *shapes, distance)));

  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<Hit<F>> truth;
  for (std::uint32_t q = 0; q < queries.size(); ++q)
    for (const Row<F>& row : rows)
      if (const unsigned d = hamming::distance(row.fingerprint, queries[q]); d <= distance)
        truth.push_back({row.fingerprint, row.id, q, d});
  const auto in_order = [](const Hit<F>& x, const Hit<F>& y) {
    return x.query != y.query ? x.query < y.query : Row<F>{x.fingerprint, x.id} < Row<F>{y.fingerprint, y.id};
  };
  std::sort(truth.begin(), truth.end(), in_order);
  for (const Simd simd : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (simd > simd_level()) continue;
    level.use_kernels(simd);
    std::vector<std::int16_t> limits(queries.size(), static_cast<std::int16_t>(distance));
    std::vector<Hit<F>> hits;
    typename Level<F>::Scratch scratch;
    require(level.search(queries, limits, HitRule::all, scratch, hits).has_value());
    std::sort(hits.begin(), hits.end(), in_order);
    require(hits == truth);
  }
}

}  // namespace

// The first bytes are the width, the distance and the plan.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3 || size > 4000) return 0;
  const unsigned distance = data[1] % 11;
  if (data[0] % 2 == 0)
    check<Fingerprint64>(distance, data[2], data + 3, size - 3);
  else
    check<Fingerprint128>(distance, data[2], data + 3, size - 3);
  return 0;
}
