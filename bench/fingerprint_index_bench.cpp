// Measures an index of fingerprints: random ones are added in batches, then as many are asked about, half of
// them neighbours of what is held. Prints one JSON object.
//
//   fingerprint_index_bench [--rows N] [--checks N] [--distance N] [--batch N] [--threads N] [--place PLACE]
#include <fmt/core.h>
#include <sys/resource.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "leitong/online.hpp"

namespace leitong::bench {
namespace {

using Clock = std::chrono::steady_clock;

template <class T>
T value(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(1);
}

struct Options {
  std::size_t rows = 1'000'000, checks = 200'000, batch = 1000;
  unsigned distance = 3, threads = 1;
  std::string place;
};

double seconds_of_processor() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Calls work(first, last) for batches of [0, n). Returns the seconds of the clock and of this process's
/// processor.
template <class Work>
std::pair<double, double> timed(std::size_t n, std::size_t batch, Work work) {
  const auto begun = Clock::now();
  const double used = seconds_of_processor();
  for (std::size_t first = 0; first < n; first += batch) work(first, std::min(n, first + batch));
  return {std::chrono::duration<double>(Clock::now() - begun).count(), seconds_of_processor() - used};
}

int run(const Options& options) {
  const Context context({.threads = options.threads});
  online::Settings settings{.durability = online::Durability::none, .scheme = "simhash"};
  settings.params = {"features=chars", "distance=" + std::to_string(options.distance)};
  online::Index index = value(online::Index::open(context, options.place, settings));
  std::mt19937_64 random(1);
  std::vector<hamming::Fingerprint128> rows(options.rows);
  for (auto& row : rows) row.low = random();
  const auto [add_seconds, add_used] =
      timed(rows.size(), options.batch, [&](std::size_t first, std::size_t last) {
        std::vector<std::string> ids;
        std::vector<online::Text> texts;
        for (std::size_t i = first; i < last; ++i) ids.push_back(std::to_string(i));
        for (std::size_t i = first; i < last; ++i)
          texts.push_back({.id = ids[i - first], .text = {}, .fingerprint = rows[i]});
        value(index.check_and_add(texts));
      });
  std::vector<hamming::Fingerprint128> asked(options.checks);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i].low = i % 2 == 0 ? random() : rows[random() % rows.size()].low;
    if (i % 2 == 1)
      for (unsigned bits = 0; bits < options.distance; ++bits)
        asked[i].low ^= std::uint64_t{1} << random() % 64;
  }
  std::size_t near = 0;
  const auto [seconds, used] = timed(asked.size(), options.batch, [&](std::size_t first, std::size_t last) {
    for (const auto& answer : value(index.check(std::span(asked).subspan(first, last - first))))
      near += answer.verdict == online::Verdict::near;
  });
  const online::Figures figures = value(index.figures());
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto rate = [](std::size_t n, double time) { return static_cast<double>(n) / time; };
  fmt::print("{}\n", nlohmann::ordered_json{{"rows", options.rows},
                                            {"distance", options.distance},
                                            {"adds_a_second", rate(options.rows, add_seconds)},
                                            {"adds_a_second_of_processor", rate(options.rows, add_used)},
                                            {"checks_a_second", rate(options.checks, seconds)},
                                            {"checks_a_second_of_processor", rate(options.checks, used)},
                                            {"near", near},
                                            {"checks", options.checks},
                                            {"new", figures.fresh},
                                            {"fingerprint_bytes", figures.fingerprint_bytes.value_or(0)},
                                            {"store_bytes", figures.store_bytes.value_or(0)},
                                            {"segment_bytes", figures.segment_bytes.value_or(0)},
                                            {"peak_kb", usage.ru_maxrss}}
                         .dump());
  return 0;
}

}  // namespace
}  // namespace leitong::bench

int main(int argc, char** argv) {
  leitong::bench::Options options;
  CLI::App app("Measures an index of fingerprints.");
  app.add_option("--rows", options.rows);
  app.add_option("--checks", options.checks);
  app.add_option("--distance", options.distance);
  app.add_option("--batch", options.batch);
  app.add_option("--threads", options.threads);
  app.add_option("--place", options.place);
  CLI11_PARSE(app, argc, argv);
  return leitong::bench::run(options);
}
