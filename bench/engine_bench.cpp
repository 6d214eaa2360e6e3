// Text in memory to clusters on one core: the engine without files. Kernels by
// LEITONG_SIMD=scalar|avx2|avx512.
//
//   engine_bench CORPUS.jsonl [--repeats N] [--threads N]  ->  JSON on stdout
//
// The quickest of the repeats counts, since other jobs can only make one
// slower; all are in the output.
#include <fmt/core.h>
#include <simdjson.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.hpp"
#include "leitong/dedup.hpp"

namespace {

std::deque<std::string> read_texts(const std::string& path) {
  std::deque<std::string> texts;
  simdjson::ondemand::parser parser;
  const simdjson::padded_string json = simdjson::padded_string::load(path);
  // A batch must hold the largest record.
  simdjson::ondemand::document_stream records =
      parser.iterate_many(json, std::max<std::size_t>(json.size(), 1U << 20));
  for (auto record : records) texts.emplace_back(std::string_view(record["text"]));
  return texts;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Text in memory to clusters: MB/s and seconds by stage.");
  std::string path;
  int repeats = 7;
  unsigned threads = 1;
  leitong::DedupSettings settings{.measure_recall = false};
  app.add_option("corpus", path, "JSONL with id and text")->required()->check(CLI::ExistingFile);
  app.add_option("--repeats", repeats, "Runs; the quickest counts")->check(CLI::PositiveNumber);
  app.add_option("--threads", threads, "Threads");
  app.add_option("--method", settings.method, "A method's name");
  CLI11_PARSE(app, argc, argv);

  const std::deque<std::string> owned = read_texts(path);
  const std::vector<std::string_view> texts(owned.begin(), owned.end());
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();

  std::vector<double> seconds, cpu_seconds;
  std::optional<leitong::Decisions> best;
  const leitong::Context context({.threads = threads});
  for (int run = 0; run < repeats; ++run) {
    const std::clock_t cpu_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    auto result = leitong::deduplicate(context, texts, settings);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    cpu_seconds.push_back(static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC);
    if (!result) {
      fmt::print(stderr, "engine_bench: {}\n", result.error().message);
      return 1;
    }
    if (seconds.empty() || took < *std::min_element(seconds.begin(), seconds.end()))
      best = *std::move(result);
    seconds.push_back(took);
  }

  const double least = *std::min_element(seconds.begin(), seconds.end());
  const nlohmann::ordered_json report = {
      {"corpus", path},
      {"documents", texts.size()},
      {"text_bytes", bytes},
      {"simd", leitong::simd_name(leitong::simd_level())},
      {"threads", threads},
      {"seconds", least},
      {"all_seconds", seconds},
      {"cpu_seconds", *std::min_element(cpu_seconds.begin(), cpu_seconds.end())},
      {"mb_per_second", static_cast<double>(bytes) / 1e6 / least},
      {"pairs", best->pairs().value().size()},
      {"kept", best->size() - best->removed()},
      {"stage_seconds", std::vector<std::pair<std::string, double>>(best->stage_seconds().begin(),
                                                                    best->stage_seconds().end())}};
  fmt::print("{}\n", report.dump(1));
  return 0;
}
