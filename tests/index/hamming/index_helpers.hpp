// Rows to search, and a slow search of them.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "index/hamming/source.hpp"

namespace leitong::hamming {

template <Fingerprint F>
F random_fingerprint(std::mt19937_64& random) {
  if constexpr (kWords<F> == 1)
    return random();
  else
    return {random(), random()};
}

/// `base` with `flips` random bits among the lowest `width` flipped (the same one may be hit twice).
template <Fingerprint F>
F near(F base, unsigned flips, std::mt19937_64& random, unsigned width = kBits<F>) {
  for (unsigned i = 0; i < flips; ++i) base = base ^ single_bit<F>(static_cast<unsigned>(random() % width));
  return base;
}

/// Rows of several kinds: random ones, near ones, equal ones, skewed ones; ids in no order.
template <Fingerprint F>
std::vector<Row<F>> random_rows(std::size_t count, std::mt19937_64& random) {
  std::vector<Row<F>> rows;
  const F centre = random_fingerprint<F>(random);
  while (rows.size() < count) {
    F fingerprint = random_fingerprint<F>(random);
    const std::uint64_t kind = random() % 8;
    if (kind >= 2 && !rows.empty()) {
      const F old = rows[random() % rows.size()].fingerprint;
      fingerprint = kind < 5    ? near(old, 1 + static_cast<unsigned>(random() % 6), random)
                    : kind == 5 ? old
                                : near(centre, static_cast<unsigned>(random() % 12), random, 20);
    }
    rows.push_back({fingerprint, random() % 4 == 0 ? random() : random() % 1000});
  }
  return rows;
}

template <Fingerprint F>
bool rank_before(const Hit<F>& x, const Hit<F>& y) {
  if (x.query != y.query) return x.query < y.query;
  if (x.distance != y.distance) return x.distance < y.distance;
  if (x.id != y.id) return x.id < y.id;
  return x.fingerprint < y.fingerprint;
}

/// All rows within `most` of each query, the near ones first; each row once.
template <Fingerprint F>
std::vector<Hit<F>> search_slowly(std::vector<Row<F>> rows, const std::vector<F>& queries, unsigned most) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<Hit<F>> hits;
  for (std::uint32_t q = 0; q < queries.size(); ++q)
    for (const Row<F>& row : rows)
      if (const unsigned d = distance(row.fingerprint, queries[q]); d <= most)
        hits.push_back({row.fingerprint, row.id, q, d});
  std::sort(hits.begin(), hits.end(), rank_before<F>);
  return hits;
}

/// Queries near rows, equal to rows, and anywhere.
template <Fingerprint F>
std::vector<F> random_queries(const std::vector<Row<F>>& rows, std::size_t count, std::mt19937_64& random) {
  std::vector<F> queries;
  for (std::size_t i = 0; i < count; ++i)
    queries.push_back(i % 5 == 0 || rows.empty() ? random_fingerprint<F>(random)
                                                 : near(rows[random() % rows.size()].fingerprint,
                                                        static_cast<unsigned>(random() % 6), random));
  return queries;
}

template <Fingerprint F>
void PrintTo(const Hit<F>& hit, std::ostream* out) {
  *out << "{query " << hit.query << ", id " << hit.id << ", distance " << hit.distance << "}";
}

}  // namespace leitong::hamming
