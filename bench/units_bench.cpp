// Text to units, shingles, keys and sets, in bytes of text per second, for each kernel family; and
// intersections per element. LEITONG_BENCH_TEXT=FILE takes the texts from a file, one a line; without it they
// are random Han text and random English-like words.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "bench_texts.hpp"
#include "feature/shingles.hpp"
#include "feature/winnow.hpp"
#include "similarity/intersect.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

using bench::Texts;
using bench::texts_of;

/// Runs `work` on the units of every text and counts bytes of text.
template <class Work>
void over_texts(benchmark::State& state, const Texts& texts, Simd level, Work work) {
  PodVector<Unit> units;
  std::size_t bytes = 0;
  for (auto _ : state) {
    for (const std::string& text : texts) {
      to_units(text, units, level);
      work(units);
      bytes += text.size();
    }
  }
  benchmark::DoNotOptimize(units.data());
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void register_text(const std::string& kind, Simd level) {
  const auto add = [&](const char* name, auto work) {
    benchmark::RegisterBenchmark(
        (std::string(name) + '/' + kind + '/' + std::string(simd_name(level))).c_str(),
        [kind, level, work](benchmark::State& state) { over_texts(state, texts_of(kind), level, work); });
  };
  add("units", [](const PodVector<Unit>&) {});
  add("units+shingles", [level](const PodVector<Unit>& units) {
    static PodVector<std::uint32_t> hashes;
    shingle_hashes(units, hashes, level);
    benchmark::DoNotOptimize(hashes.data());
  });
  for (const std::size_t window : {4u, 32u}) {
    const std::size_t k = window == 4 ? 6 : 12;
    add(window == 4 ? "units+winnow_6_4" : "units+winnow_12_32",
        [level, window, k](const PodVector<Unit>& units) {
          static WinnowScratch scratch;
          static PodVector<std::uint64_t> keys;
          keys.clear();
          winnow(units, k, window, scratch, keys, level);
          benchmark::DoNotOptimize(keys.data());
        });
  }
}

std::vector<Unit> random_units(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<Unit> units(count);
  for (Unit& unit : units) unit = 0x4E00 + random() % 5000;
  return units;
}

void shingle_set_of(benchmark::State& state) {
  const auto units = random_units(static_cast<std::size_t>(state.range(0)));
  PodVector<std::uint32_t> set;
  PodVector<std::uint32_t> scratch;
  for (auto _ : state) {
    shingle_set(units, set, scratch);
    benchmark::DoNotOptimize(set.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(units.size()) *
                          static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(shingle_set_of)
    ->Name("shingle_set")
    ->Arg(32)
    ->Arg(88)
    ->Arg(300)
    ->Arg(1400)
    ->Arg(6400)
    ->Arg(20'000)
    ->Arg(100'000)
    ->Arg(2'000'000);

// Two texts with a common half.
void intersect(benchmark::State& state, Simd level) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::vector<Unit> units = random_units(size + size / 2);
  PodVector<std::uint32_t> a;
  PodVector<std::uint32_t> b;
  PodVector<std::uint32_t> scratch;
  shingle_set(std::span(units).first(size), a, scratch);
  shingle_set(std::span(units).last(size), b, scratch);
  for (auto _ : state) benchmark::DoNotOptimize(intersection_size(a, b, level));
  state.SetItemsProcessed(static_cast<std::int64_t>(a.size() + b.size()) *
                          static_cast<std::int64_t>(state.iterations()));
}

}  // namespace
}  // namespace leitong

int main(int argc, char** argv) {
  using namespace leitong;
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (level > simd_level()) continue;
    register_text("han", level);
    if (std::getenv("LEITONG_BENCH_TEXT") == nullptr) register_text("latin", level);
    for (const int size : {88, 1400, 6400, 20'000})
      benchmark::RegisterBenchmark((std::string("intersect/") + std::string(simd_name(level))).c_str(),
                                   [level](benchmark::State& state) { intersect(state, level); })
          ->Arg(size);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
