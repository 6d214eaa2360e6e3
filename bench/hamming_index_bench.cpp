// How fast the Hamming index answers, fills and takes changes, on uniform fingerprints with planted
// near-duplicates. Prints one JSON object a line. Everything runs on one thread unless it says otherwise, and
// times are processor times, the best
// of several turns.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <ctime>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/hash.hpp"
#include "index/hamming/level.hpp"
#include "index/hamming/memory_rows.hpp"

using namespace leitong;
using namespace leitong::hamming;

namespace {

/// Seconds that this thread has computed: what else runs on the machine takes no part in them, but for
/// caches and memory.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::uint64_t flipped(std::uint64_t x, std::uint64_t random, unsigned bits) {
  for (unsigned i = 0; i < bits; ++i, random = mix64(random + 1)) x ^= std::uint64_t{1} << (random & 63);
  return x;
}

/// Every tenth fingerprint lies within 3 bits of one of the nine before it.
std::uint64_t fingerprint_at(std::uint64_t i) {
  if (i % 10 != 9) return mix64(2 * i + 1);
  const std::uint64_t random = mix64(7 * i + 3);
  return flipped(mix64(2 * (i - 9 + random % 9) + 1), mix64(random + 5),
                 1 + static_cast<unsigned>(random >> 32) % 3);
}

/// Every other query lies within `distance` bits of a fingerprint.
std::uint64_t query_at(std::uint64_t i, std::uint64_t n, unsigned distance) {
  const std::uint64_t random = mix64(11 * i + 5000000007ull);
  if (i % 2 == 1) return mix64(random + 77);
  return flipped(fingerprint_at(random % n), mix64(random + 1),
                 static_cast<unsigned>(random >> 40) % (distance + 1));
}

struct Options {
  double n = 1e6, queries = 2e5;
  unsigned distance = 3, turns = 3;
  std::string plan = "blocks4";
};

void bench_search(const Options& options) {
  const auto n = static_cast<std::uint64_t>(options.n);
  std::vector<std::uint64_t> fingerprints(n), queries(static_cast<std::size_t>(options.queries));
  for (std::uint64_t i = 0; i < n; ++i) fingerprints[i] = fingerprint_at(i);
  for (std::uint64_t i = 0; i < queries.size(); ++i) queries[i] = query_at(i, n, options.distance);
  const auto plan = named_plan<Fingerprint64>(options.plan, options.distance).value();
  double start = thread_seconds();
  auto image = build_level<Fingerprint64>(NumberedRows<Fingerprint64>(fingerprints),
                                          level_shapes(plan, n).value(), options.distance);
  const double build = thread_seconds() - start;
  const Level<Fingerprint64> level(std::move(*image));
  Level<Fingerprint64>::Scratch scratch;
  std::vector<Hit<Fingerprint64>> hits;
  for (const std::size_t group : {kGroupQueries, std::size_t{1}}) {
    double best = 1e9;
    std::size_t found = 0;
    for (unsigned turn = 0; turn < options.turns; ++turn) {
      found = 0;
      start = thread_seconds();
      for (std::size_t first = 0; first < queries.size(); first += group) {
        const auto some = std::span(queries).subspan(first, std::min(group, queries.size() - first));
        std::array<std::int16_t, kGroupQueries> limits;
        limits.fill(static_cast<std::int16_t>(options.distance));
        hits.clear();
        if (!level.search(some, std::span(limits).first(some.size()), HitRule::all, scratch, hits)) return;
        found += hits.size();
      }
      best = std::min(best, thread_seconds() - start);
    }
    const nlohmann::ordered_json line{{"plan", options.plan},
                                      {"n", n},
                                      {"k", options.distance},
                                      {"group", group},
                                      {"kernels", simd_name(simd_level())},
                                      {"queries_per_second", static_cast<double>(queries.size()) / best},
                                      {"hits", found},
                                      {"build_ns", build / options.n * 1e9},
                                      {"table_bytes", static_cast<double>(level.table_bytes()) / options.n},
                                      {"id_bytes", static_cast<double>(level.id_bytes()) / options.n}};
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"speed of the Hamming index"};
  Options options;
  app.add_option("-n", options.n, "fingerprints");
  app.add_option("-k", options.distance, "distance");
  app.add_option("--queries", options.queries, "queries");
  app.add_option("--plan", options.plan, "plan");
  app.add_option("--turns", options.turns, "turns of which the best counts");
  CLI11_PARSE(app, argc, argv);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  bench_search(options);
}
