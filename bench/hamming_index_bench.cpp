// How fast the Hamming index answers, fills and takes changes, on uniform fingerprints with planted
// near-duplicates. Prints one JSON object a line. Everything runs on one thread unless it says otherwise, and
// times are processor times, the best of several turns.
#include <fmt/core.h>
#include <tbb/global_control.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <tuple>
#include <vector>

#include "base/hash.hpp"
#include "base/huge_array.hpp"
#include "hamming_search_peers.hpp"
#include "index/hamming/join/kernels.hpp"
#include "index/hamming/search/hamming_index.hpp"
#include "index/hamming/search/memory_rows.hpp"
#include "index/hamming/search/search_plan.hpp"
#include "planted_fingerprints.hpp"

using namespace leitong;
using namespace leitong::hamming;

namespace {

/// The processor seconds of this thread: other jobs on the machine affect them only through caches and
/// memory.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::uint64_t flipped(std::uint64_t x, std::uint64_t random, unsigned bits) {
  for (unsigned i = 0; i < bits; ++i, random = mix64(random + 1)) x ^= std::uint64_t{1} << (random & 63);
  return x;
}

/// Every other query lies within `distance` bits of a fingerprint.
std::uint64_t query_at(std::uint64_t i, std::uint64_t n, unsigned distance) {
  const std::uint64_t random = mix64(11 * i + 5000000007ull);
  if (i % 2 == 1) return mix64(random + 77);
  return flipped(bench::planted_fingerprint(random % n), mix64(random + 1),
                 static_cast<unsigned>(random >> 40) % (distance + 1));
}

struct Options {
  double n = 1e6, queries = 2e5, inserts = 1e6, pace = 1e12, check = 0;
  unsigned distance = 3, turns = 3;
  std::string plan, write, file;
  double most_bytes = 1e9;
  std::uint32_t changes = 1u << 16;
};

void must(const Result<void>& result) {
  if (result) return;
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(1);
}

void print(const nlohmann::ordered_json& line) {
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

/// The plan and its tables for these rows.
std::pair<std::string, std::vector<TableShape<Fingerprint64>>> plan_for(const RowSource<Fingerprint64>& rows,
                                                                        const Options& options) {
  const auto sample = take_sample<Fingerprint64>(rows).value();
  const auto plan = options.plan.empty() ? choose_search_plan<Fingerprint64>(rows.size(), options.distance,
                                                                             options.most_bytes, sample)
                                         : named_plan<Fingerprint64>(options.plan, options.distance);
  return {plan->name, level_shapes(*plan, rows.size(), sample.order).value()};
}

std::vector<std::uint64_t> queries_of(const Options& options) {
  std::vector<std::uint64_t> queries(static_cast<std::size_t>(options.queries));
  for (std::uint64_t i = 0; i < queries.size(); ++i)
    queries[i] = query_at(i, static_cast<std::uint64_t>(options.n), options.distance);
  return queries;
}

std::vector<std::uint64_t> read_file(const std::string& path) {
  std::vector<std::uint64_t> fingerprints(std::filesystem::file_size(path) / 8);
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(fingerprints.data()),
            static_cast<std::streamsize>(8 * fingerprints.size()));
  return fingerprints;
}

/// As queries_of(), but each within `distance` bits of one of the fingerprints, or twice as far, as other
/// fingerprints of the same kind would be.
std::vector<std::uint64_t> queries_near(const std::vector<std::uint64_t>& fingerprints,
                                        const Options& options) {
  std::vector<std::uint64_t> queries(static_cast<std::size_t>(options.queries));
  for (std::uint64_t i = 0; i < queries.size(); ++i) {
    const std::uint64_t random = mix64(11 * i + 5000000007ull);
    const unsigned most = i % 2 == 1 ? 4 * options.distance : options.distance;
    queries[i] = flipped(fingerprints[random % fingerprints.size()], mix64(random + 1),
                         static_cast<unsigned>(random >> 40) % (most + 1));
  }
  return queries;
}

/// The fingerprints of the bench, made as they are read: 1e9 of them take no memory.
class MadeRows final : public RowSource<Fingerprint64> {
 public:
  explicit MadeRows(std::uint64_t size) : size_(size) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  Result<void> read(std::uint64_t first, std::uint64_t count,
                    std::vector<Row<Fingerprint64>>& rows) const override {
    for (std::uint64_t i = first; i < first + count; ++i) rows.push_back({bench::planted_fingerprint(i), i});
    return {};
  }

 private:
  std::uint64_t size_;
};

bool in_order(const Hit<Fingerprint64>& x, const Hit<Fingerprint64>& y) {
  return std::tie(x.query, x.distance, x.id) < std::tie(y.query, y.distance, y.id);
}

/// Compares what the index finds for the first queries with a scan of all rows. Rows are read once, in blocks
/// that stay in the nearest cache while all queries are compared with them.
void check_by_scan(const RowSource<Fingerprint64>& rows, const Snapshot<Fingerprint64>& snapshot,
                   std::span<const std::uint64_t> queries, unsigned distance) {
  constexpr std::uint64_t kBlock = 2048;
  const Kernels& kernel = kernels<Fingerprint64>(simd_level());
  std::vector<Row<Fingerprint64>> block;
  std::vector<std::uint64_t> values;
  std::vector<std::uint32_t> near(kBlock);
  std::vector<Hit<Fingerprint64>> expected, found;
  const double start = thread_seconds();
  for (std::uint64_t first = 0; first < rows.size(); first += kBlock) {
    block.clear();
    must(rows.read(first, std::min(kBlock, rows.size() - first), block));
    values.clear();
    for (const auto& row : block) values.push_back(row.fingerprint);
    for (std::uint32_t q = 0; q < queries.size(); ++q) {
      const std::size_t hits = kernel.scan(values.data(), values.size(), &queries[q], distance, near.data());
      for (const std::uint32_t at : std::span(near).first(hits))
        expected.push_back(
            {values[at], block[at].id, q, hamming::distance(values[at], std::uint64_t{queries[q]})});
    }
  }
  const double seconds = thread_seconds() - start;
  Snapshot<Fingerprint64>::Scratch scratch;
  must(snapshot.search(queries, distance, HitRule::all, scratch, found));
  std::sort(expected.begin(), expected.end(), in_order);
  std::sort(found.begin(), found.end(), in_order);
  if (found != expected) {
    fmt::print(stderr, "the index finds {} rows near {} queries, a scan {}, and not the same\n", found.size(),
               queries.size(), expected.size());
    std::exit(1);
  }
  print({{"what", "check"}, {"queries", queries.size()}, {"hits", found.size()}, {"scan_seconds", seconds}});
}

/// Batches, and single queries; then, if wanted, the check.
void bench_search(const RowSource<Fingerprint64>& rows, const std::vector<std::uint64_t>& queries,
                  const Options& options) {
  const std::uint64_t n = rows.size();
  const auto [plan, shapes] = plan_for(rows, options);
  double start = thread_seconds();
  auto image = build_level<Fingerprint64>(rows, shapes, options.distance);
  const double build = thread_seconds() - start;
  const Snapshot<Fingerprint64> snapshot(std::make_shared<const Level<Fingerprint64>>(std::move(*image)));
  const auto& level = *snapshot.stack().levels[0];
  std::vector<Hit<Fingerprint64>> hits;
  Snapshot<Fingerprint64>::Scratch scratch;
  for (const std::size_t batch : {std::size_t{1024}, std::size_t{1}}) {
    double best = 1e9;
    std::size_t found = 0;
    for (unsigned turn = 0; turn < options.turns; ++turn) {
      found = 0;
      start = thread_seconds();
      for (std::size_t first = 0; first < queries.size(); first += batch) {
        hits.clear();
        const auto some = std::span(queries).subspan(first, std::min(batch, queries.size() - first));
        must(snapshot.search(some, options.distance, HitRule::all, scratch, hits));
        found += hits.size();
      }
      best = std::min(best, thread_seconds() - start);
    }
    print({{"what", "search"},
           {"plan", plan},
           {"n", n},
           {"k", options.distance},
           {"batch", batch},
           {"kernels", simd_name(simd_level())},
           {"queries_per_second", std::round(static_cast<double>(queries.size()) / best)},
           {"hits", found},
           {"build_ns", build / options.n * 1e9},
           {"table_bytes", static_cast<double>(level.table_bytes()) / options.n},
           {"id_bytes", static_cast<double>(level.id_bytes()) / options.n}});
  }
  if (options.check > 0)
    check_by_scan(rows, snapshot,
                  std::span(queries).first(std::min(queries.size(), static_cast<std::size_t>(options.check))),
                  options.distance);
}

/// The limits of the machine: reads cache lines in order and at random, with as many reads at once as it
/// allows, from memory of huge pages. A query cannot be faster than its lines.
void bench_limits() {
  for (const std::size_t megabytes : {8, 32, 256, 2048}) {
    HugeArray<std::uint64_t> memory(megabytes << 17);
    for (std::size_t i = 0; i < memory.size(); i += 512) memory[i] = i;
    constexpr std::size_t kAtOnce = 64, kRounds = 20000;
    std::size_t places[kAtOnce];
    std::uint64_t random = 1, sum = 0;
    double best = 1e9, in_order = 1e9;
    for (unsigned turn = 0; turn < 5; ++turn) {
      double start = thread_seconds();
      for (std::size_t i = 0; i < memory.size(); ++i) sum += memory[i];
      in_order = std::min(in_order, (thread_seconds() - start) / static_cast<double>(memory.size() / 8));
      start = thread_seconds();
      for (std::size_t round = 0; round < kRounds; ++round) {
        for (std::size_t& place : places) {
          random += 0x9E3779B97F4A7C15ull;
          place = mix64(random) & (memory.size() - 1);
          __builtin_prefetch(&memory[place]);
        }
        for (const std::size_t place : places) sum += memory[place];
      }
      best = std::min(best, (thread_seconds() - start) / (kAtOnce * kRounds));
    }
    print({{"what", "lines"},
           {"megabytes", megabytes},
           {"ns_random", best * 1e9},
           {"ns_in_order", in_order * 1e9},
           {"sum", sum & 1}});
  }
}

/// Queries alone, and at the same time as a writer. Merges and the writer have threads of their own.
void bench_changes(const Options& options) {
  const auto n = static_cast<std::uint64_t>(options.n);
  const std::vector<std::uint64_t> queries = queries_of(options);
  const auto index =
      HammingIndex<Fingerprint64>::open({.distance = options.distance, .changes_in_memory = options.changes})
          .value();
  std::vector<Row<Fingerprint64>> rows;
  const auto insert = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t first = begin; first < end; first += 1024) {
      rows.clear();
      (void)MadeRows(end).read(first, std::min<std::uint64_t>(1024, end - first), rows);
      must(index->insert(rows));
    }
  };
  insert(0, n);
  must(index->merge());
  std::vector<Hit<Fingerprint64>> hits;
  Snapshot<Fingerprint64>::Scratch scratch;
  std::size_t next = 0;
  const auto search_some = [&] {
    hits.clear();
    if (next + 1024 > queries.size()) next = 0;
    must(index->snapshot().search(std::span(queries).subspan(next, 1024), options.distance, HitRule::all,
                                  scratch, hits));
    next += 1024;
  };
  double alone = 1e9;
  for (unsigned turn = 0; turn < options.turns; ++turn) {
    const double start = thread_seconds();
    for (int i = 0; i < 100; ++i) search_some();
    alone = std::min(alone, (thread_seconds() - start) / 102400);
  }
  std::atomic<bool> done{false};
  double writer_seconds = 0, wall_seconds = 0;
  const std::uint64_t merged = index->figures().merged_rows;
  std::thread writer([&] {
    const double start = thread_seconds();
    const auto wall = std::chrono::steady_clock::now();
    const auto inserts = static_cast<std::uint64_t>(options.inserts);
    for (std::uint64_t first = 0; first < inserts; first += 1024) {
      insert(n + first, n + std::min<std::uint64_t>(first + 1024, inserts));
      std::this_thread::sleep_until(wall +
                                    std::chrono::duration<double>(static_cast<double>(first) / options.pace));
    }
    writer_seconds = thread_seconds() - start;
    wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    done = true;
  });
  const double start = thread_seconds();
  std::uint64_t batches = 0, levels = 0;
  for (; !done; ++batches) {
    search_some();
    levels += index->figures().levels;
  }
  const double beside = (thread_seconds() - start) / (1024 * static_cast<double>(batches));
  writer.join();
  const IndexFigures figures = index->figures();
  print({{"what", "changes"},
         {"n", n},
         {"inserts", options.inserts},
         {"inserts_per_second", std::round(options.inserts / wall_seconds)},
         {"writer_ns", writer_seconds / options.inserts * 1e9},
         {"merged_rows_per_insert", static_cast<double>(figures.merged_rows - merged) / options.inserts},
         {"queries_per_second_alone", std::round(1 / alone)},
         {"queries_per_second_beside", std::round(1 / beside)},
         {"mean_levels", static_cast<double>(levels) / static_cast<double>(batches)}});
}

/// What peers/hamming_faiss.py computes of the same hits.
std::uint64_t digest(const bench::Hits& hits) {
  std::uint64_t sum = 0;
  for (const auto& hit : hits)
    sum += ((hit.query + 1ull) * 0x9E3779B97F4A7C15ull ^ hit.id * 0xD6E8FEB86659FD93ull) + hit.distance;
  return sum;
}

constexpr std::size_t kChecked = 200;

template <class Peer>
void measure_peer(const char* name, const std::vector<std::uint64_t>& fingerprints,
                  const std::vector<std::uint64_t>& queries, const Options& options) {
  double start = thread_seconds();
  const Peer peer(fingerprints);
  const double build = thread_seconds() - start;
  bench::Hits hits;
  for (std::uint32_t q = 0; q < kChecked; ++q) peer.search(queries[q], q, options.distance, hits);
  // Uses other queries, each once: repeated ones would find their buckets in the cache.
  bench::Hits ignored;
  std::size_t asked = 0;
  double seconds = 0;
  for (start = thread_seconds(); seconds < 1 && kChecked + asked < queries.size(); ++asked) {
    peer.search(queries[kChecked + asked], 0, options.distance, ignored);
    if (asked % 64 == 63) seconds = thread_seconds() - start;
  }
  seconds = thread_seconds() - start;
  print({{"what", "peer"},
         {"name", name},
         {"n", fingerprints.size()},
         {"k", options.distance},
         {"queries_per_second", std::round(static_cast<double>(asked) / seconds)},
         {"build_ns", build / options.n * 1e9},
         {"bytes", peer.bytes()},
         {"checked", kChecked},
         {"hits", hits.size()},
         {"digest", std::to_string(digest(hits))}});
}

/// What the index finds, what simpler programs find, and the data with which others can find the same.
void bench_peers(const Options& options) {
  const auto n = static_cast<std::uint64_t>(options.n);
  const std::vector<std::uint64_t> queries = queries_of(options);
  std::vector<std::uint64_t> fingerprints(n);
  for (std::uint64_t i = 0; i < n; ++i) fingerprints[i] = bench::planted_fingerprint(i);
  const MadeRows rows(n);
  auto image = build_level<Fingerprint64>(rows, plan_for(rows, options).second, options.distance);
  const Snapshot<Fingerprint64> snapshot(std::make_shared<const Level<Fingerprint64>>(std::move(*image)));
  bench::Hits hits;
  Snapshot<Fingerprint64>::Scratch scratch;
  must(snapshot.search(std::span(queries).first(kChecked), options.distance, HitRule::all, scratch, hits));
  print({{"what", "answer"},
         {"name", "leitong"},
         {"n", n},
         {"k", options.distance},
         {"checked", kChecked},
         {"hits", hits.size()},
         {"digest", std::to_string(digest(hits))}});
  measure_peer<bench::LinearScan>("linear scan", fingerprints, queries, options);
  if (options.distance <= 3)
    measure_peer<bench::FourHashMaps>("four hash maps", fingerprints, queries, options);
  const auto write = [&](const char* name, const std::vector<std::uint64_t>& words) {
    std::ofstream(std::filesystem::path(options.write) / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(8 * words.size()));
  };
  write("fingerprints.u64", fingerprints);
  write("queries.u64", queries);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Speed of the Hamming index."};
  Options options;
  bool changes = false, limits = false;
  app.add_option("-n", options.n, "fingerprints");
  app.add_option("-k", options.distance, "distance");
  app.add_option("--queries", options.queries, "queries");
  app.add_option("--plan", options.plan, "plan (the index's own choice)");
  app.add_option("--bytes", options.most_bytes, "bytes of tables a fingerprint, at most");
  app.add_option("--file", options.file, "raw fingerprints to hold instead");
  app.add_option("--check", options.check, "so many queries have to find what a scan finds");
  app.add_option("--turns", options.turns, "turns, of which the best counts");
  app.add_option(
         "--write", options.write,
         "measure simpler programs instead, and write the data to this folder for peers/hamming_faiss.py")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--changes", changes, "measure insertions beside queries instead");
  app.add_flag("--limits", limits, "measure what random access to memory costs on this machine instead");
  app.add_option("--inserts", options.inserts, "how many of them");
  app.add_option("--pace", options.pace, "insertions a second at most");
  app.add_option("--changes-in-memory", options.changes, "size of the mutable level");
  CLI11_PARSE(app, argc, argv);
  if (!options.write.empty()) {
    bench_peers(options);
    return 0;
  }
  if (limits) {
    bench_limits();
    return 0;
  }
  if (changes) {
    bench_changes(options);
    return 0;
  }
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  if (options.file.empty()) {
    bench_search(MadeRows(static_cast<std::uint64_t>(options.n)), queries_of(options), options);
    return 0;
  }
  const std::vector<std::uint64_t> fingerprints = read_file(options.file);
  options.n = static_cast<double>(fingerprints.size());
  bench_search(NumberedRows<Fingerprint64>(fingerprints), queries_near(fingerprints, options), options);
}
