// The Hamming join beside what people write instead: the hash maps of tutorials, and comparing everything.
// One line of JSON a run; bench/hamming runs it in many ways and draws the table.
#include <fmt/core.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <CLI/CLI.hpp>
#include <bit>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/huge_array.hpp"
#include "index/hamming/fingerprint_file.hpp"
#include "index/hamming/join/join.hpp"
#include "planted_fingerprints.hpp"

namespace {

using namespace leitong;
using namespace leitong::hamming;

struct Settings {
  std::uint64_t size = 1'000'000;
  unsigned distance = 3, repeat = 1;
  int threads = 1;
  std::string engine = "leitong", plan, simd, file, write;
  std::uint64_t memory = 0;
  bool edges = false;
};

struct Figures {
  double seconds = 0, cpu_seconds = 0;
  std::uint64_t pairs = 0, checksum = 0;  // of (a, b, distance), in any order
  nlohmann::ordered_json details;

  void add(const RowPair& pair) {
    ++pairs;
    checksum += mix64(pair.a * 0x9E3779B97F4A7C15ULL ^ mix64(pair.b) ^ pair.distance);
  }
};

double cpu_now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Figures run_leitong(const Source<Fingerprint64>& source, const Settings& settings) {
  Figures figures;
  JoinOptions options;
  options.distance = settings.distance;
  options.plan = settings.plan;
  options.memory = settings.memory;
  const Context context;
  for (Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
    if (simd_name(level) == settings.simd) options.simd = level;
  auto joined = join(JoinInput<Fingerprint64>{source}, options, context);
  if (!joined) {
    fmt::print(stderr, "{}\n", joined.error().message);
    std::exit(1);
  }
  const RowPairsFn add = [&](std::span<const RowPair> pairs) -> Result<void> {
    for (const RowPair& pair : pairs) figures.add(pair);
    return {};
  };
  const auto listed = settings.edges ? joined->for_each_edge(add) : joined->for_each_pair(add);
  if (!listed) std::exit(1);
  const JoinFigures& did = joined->figures();
  figures.details = {
      {"plan", did.plan},
      {"table_seconds", did.table_seconds},
      {"bind_seconds", did.bind_seconds},
      {"compared_each", static_cast<double>(did.compare.compared) / static_cast<double>(settings.size)},
      {"splits", did.compare.splits}};
  return figures;
}

/// The method of tutorials: k + 1 hash maps from a block to the rows that have it. For each row, candidates
/// are looked up among the earlier rows, and a pair counts in the first block that it shares.
Figures run_hash_maps(std::span<const std::uint64_t> values, const Settings& settings) {
  Figures figures;
  const auto blocks = cut_into_blocks<Fingerprint64>(~std::uint64_t{0}, settings.distance + 1);
  std::vector<std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>> maps(blocks.size());
  for (std::uint32_t row = 0; row < values.size(); ++row)
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      auto& rows = maps[i][values[row] & blocks[i]];
      for (const std::uint32_t other : rows) {
        const std::uint64_t difference = values[row] ^ values[other];
        const auto bits = static_cast<unsigned>(std::popcount(difference));
        if (bits > settings.distance) continue;
        std::size_t first = 0;
        while ((difference & blocks[first]) != 0) ++first;
        if (first == i) figures.add({other, row, bits});
      }
      rows.push_back(row);
    }
  return figures;
}

Figures run_scan(std::span<const std::uint64_t> values, const Settings& settings) {
  Figures figures;
  const Kernels& kernel = kernels<Fingerprint64>(simd_level());
  std::vector<std::uint32_t> hits(values.size());
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const auto rest = values.subspan(i + 1);
    const std::size_t found =
        kernel.scan(rest.data(), rest.size(), &values[i], settings.distance, hits.data());
    for (std::size_t hit = 0; hit < found; ++hit)
      figures.add({i, i + 1 + hits[hit], distance(values[i], rest[hits[hit]])});
  }
  return figures;
}

int give_up(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return 1;
}

int write_file(const Settings& settings) {
  std::ofstream file(settings.write, std::ios::binary);
  std::vector<std::uint64_t> block;
  for (std::uint64_t i = 0; i < settings.size;) {
    block.clear();
    for (; i < settings.size && block.size() < 65536; ++i) block.push_back(bench::planted_fingerprint(i));
    file.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size() * 8));
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"written", settings.size}}.dump());
  return file.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  double size = 1e6;
  CLI::App app{
      "Self-join of uniform 64-bit fingerprints with 10 % planted near-duplicates; one line of JSON"};
  app.add_option("-n,--size", size, "fingerprints");
  app.add_option("-k,--distance", settings.distance, "bits that may differ");
  app.add_option("--engine", settings.engine, "leitong, hash-maps (of tutorials) or scan (everything)");
  app.add_option("--plan", settings.plan, "a named plan instead of the planner's");
  app.add_option("--simd", settings.simd, "scalar, avx2 or avx512");
  app.add_option("--threads", settings.threads);
  app.add_option("--memory", settings.memory, "bytes that the join may use");
  app.add_option("--file", settings.file, "raw fingerprints to join, which are not held");
  app.add_option("--write", settings.write, "write the fingerprints to this file and join nothing");
  app.add_flag("--edges", settings.edges, "list pairs of different fingerprints and not of all their rows");
  app.add_option("--repeat", settings.repeat, "runs; the least time counts");
  CLI11_PARSE(app, argc, argv);
  settings.size = static_cast<std::uint64_t>(size);
  if (settings.simd.empty()) settings.simd = simd_name(simd_level());

  if (!settings.write.empty()) return write_file(settings);
  HugeArray<std::uint64_t> values(settings.file.empty() ? settings.size : 0);
  for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = bench::planted_fingerprint(i);
  const std::span<const std::uint64_t> input = std::as_const(values).span();
  FingerprintFile<Fingerprint64> file{std::make_unique<MemorySource<Fingerprint64>>(input), {}};
  if (!settings.file.empty()) {
    auto opened = open_fingerprints<Fingerprint64>(settings.file, FileFormat::raw);
    if (!opened) return give_up(opened.error());
    file = *std::move(opened);
    settings.size = file.source->size();
  }

  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(settings.threads));
  tbb::task_arena arena(settings.threads);
  Figures best;
  for (unsigned i = 0; i < settings.repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpu_now();
    Figures figures;
    arena.execute([&] {
      figures = settings.engine == "leitong"     ? run_leitong(*file.source, settings)
                : settings.engine == "hash-maps" ? run_hash_maps(input, settings)
                                                 : run_scan(input, settings);
    });
    figures.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    figures.cpu_seconds = cpu_now() - cpu;
    if (i == 0 || figures.seconds < best.seconds) best = figures;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  nlohmann::ordered_json row = {{"engine", settings.engine},
                                {"size", settings.size},
                                {"distance", settings.distance},
                                {"threads", settings.threads},
                                {"simd", settings.simd},
                                {"seconds", best.seconds},
                                {"cpu_seconds", best.cpu_seconds},
                                {"pairs", best.pairs},
                                {"checksum", fmt::format("{:016x}", best.checksum)},
                                {"peak_bytes", static_cast<std::uint64_t>(usage.ru_maxrss) * 1024},
                                {"input_bytes", settings.size * 8}};
  if (best.details.is_object()) row.update(best.details);
  fmt::print("{}\n", row.dump());
}
