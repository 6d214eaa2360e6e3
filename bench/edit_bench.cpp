// Edit distance: unrelated texts and edited copies, with and without a cutoff.
#include "similarity/edit.hpp"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace {

using Symbols = std::vector<std::uint32_t>;

struct Pair {
  Symbols a, b;
};

/// Two texts over 3,000 symbols, about the number in use in Chinese; every symbol of `b` is another one with
/// probability `changed`.
Pair make_pair(std::size_t length, double changed) {
  std::mt19937 random(42);
  std::bernoulli_distribution change(changed);
  const auto symbol = [&] { return static_cast<std::uint32_t>(0x4E00 + random() % 3000); };
  Pair pair;
  for (std::size_t i = 0; i < length; ++i) {
    pair.a.push_back(symbol());
    pair.b.push_back(change(random) ? symbol() : pair.a.back());
  }
  // The ends differ, so that trimming them does not do the work.
  pair.b.front() = pair.b.back() = 1;
  return pair;
}

void run(benchmark::State& state, double changed, bool with_cutoff) {
  const auto length = static_cast<std::size_t>(state.range(0));
  const Pair pair = make_pair(length, changed);
  const std::size_t cutoff = with_cutoff ? length / 10 : SIZE_MAX;
  for (auto _ : state) benchmark::DoNotOptimize(leitong::edit_distance(pair.a, pair.b, cutoff));
  const auto cells = static_cast<double>(length) * static_cast<double>(length);
  state.counters["cells"] = benchmark::Counter(cells, benchmark::Counter::kIsIterationInvariantRate);
}

void unrelated(benchmark::State& state) { run(state, 1, false); }
void unrelated_cutoff_tenth(benchmark::State& state) { run(state, 1, true); }
void copies_5_percent(benchmark::State& state) { run(state, .05, false); }
void copies_5_percent_cutoff_tenth(benchmark::State& state) { run(state, .05, true); }

BENCHMARK(unrelated)->Arg(50)->Arg(1000)->Arg(20000);
BENCHMARK(unrelated_cutoff_tenth)->Arg(50)->Arg(1000)->Arg(20000);
BENCHMARK(copies_5_percent)->Arg(50)->Arg(1000)->Arg(20000);
BENCHMARK(copies_5_percent_cutoff_tenth)->Arg(50)->Arg(1000)->Arg(20000);

}  // namespace

BENCHMARK_MAIN();
