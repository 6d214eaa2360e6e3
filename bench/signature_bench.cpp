// One signature at a time, features given: what a feature, a shingle or a key costs on one core. Each kernel
// family that the machine has is a row.
#include <benchmark/benchmark.h>

#include <array>
#include <random>
#include <vector>

#include "leitong/bloom.hpp"
#include "leitong/feature.hpp"
#include "signature/minhash.hpp"
#include "signature/p_simhash.hpp"
#include "signature/simhash.hpp"

namespace leitong {
namespace {

constexpr std::size_t kValues = 128;

std::vector<std::uint64_t> hashes(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> values(count);
  for (auto& value : values) value = random();
  return values;
}

void count_items(benchmark::State& state, std::size_t each) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * each));
}

void simhash_of_floats(benchmark::State& state) {
  std::vector<Feature> features;
  for (const std::uint64_t value : hashes(static_cast<std::size_t>(state.range(0))))
    features.push_back({value, static_cast<float>(value % 100)});
  for (auto _ : state) benchmark::DoNotOptimize(simhash(features));
  count_items(state, features.size());
}

std::vector<std::uint32_t> shingles(benchmark::State& state) {
  std::vector<std::uint32_t> values;
  for (const std::uint64_t value : hashes(static_cast<std::size_t>(state.range(0))))
    values.push_back(static_cast<std::uint32_t>(value));
  return values;
}

void permutations(benchmark::State& state, Simd level) {
  const auto elements = shingles(state);
  std::array<std::uint32_t, kValues> signature;
  for (auto _ : state) {
    minhash_permutations(elements, signature, level);
    benchmark::DoNotOptimize(signature);
  }
}

void one_permutation(benchmark::State& state) {
  const auto elements = shingles(state);
  std::array<std::uint32_t, kValues> signature;
  for (auto _ : state) {
    minhash_one_permutation(elements, signature);
    benchmark::DoNotOptimize(signature);
  }
}

void fast_similarity(benchmark::State& state) {
  const auto elements = shingles(state);
  std::array<MinhashValue, kValues> signature;
  MinhashScratch scratch;
  for (auto _ : state) {
    minhash(elements, scratch, signature);
    benchmark::DoNotOptimize(signature);
  }
}

template <class Filter>
void filter_insert_and_look_up(benchmark::State& state) {
  const auto keys = static_cast<std::uint64_t>(state.range(0));
  auto filter = Filter::create(keys);
  std::uint64_t key = 0, found = 0;
  for (auto _ : state) {
    filter->insert(key % keys);
    found += filter->contains(key * 7 % keys) ? 1 : 0;
    ++key;
  }
  benchmark::DoNotOptimize(found);
  count_items(state, 2);
  state.counters["bytes"] = static_cast<double>(filter->bytes());
}

void register_all() {
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (level > simd_level()) continue;
    const std::string name(simd_name(level));
    benchmark::RegisterBenchmark(("minhash, permutations, " + name).c_str(),
                                 [level](auto& state) { permutations(state, level); })
        ->Arg(100)
        ->Arg(500)
        ->Arg(2000);
  }
  benchmark::RegisterBenchmark("simhash, float weights", simhash_of_floats)->Arg(20)->Arg(100)->Arg(1000);
  benchmark::RegisterBenchmark("minhash, one permutation", one_permutation)->Arg(100)->Arg(500)->Arg(2000);
  benchmark::RegisterBenchmark("minhash, fast similarity", fast_similarity)->Arg(100)->Arg(500)->Arg(2000);
  benchmark::RegisterBenchmark("bloom, 12 bits a key", filter_insert_and_look_up<BloomFilter>)
      ->Arg(20'000)
      ->Arg(100'000'000);
  benchmark::RegisterBenchmark("counting bloom, 6 bytes a key",
                               filter_insert_and_look_up<CountingBloomFilter>)
      ->Arg(20'000)
      ->Arg(100'000'000);
}

}  // namespace
}  // namespace leitong

int main(int argc, char** argv) {
  leitong::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
