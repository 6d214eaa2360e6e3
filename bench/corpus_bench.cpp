// Reading and writing records: bytes a second on one core, from the page cache.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>

#include "corpus/corpus.hpp"
#include "io/output_file.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

/// A folder of inputs that is removed when the program ends.
const fs::path& folder() {
  struct Folder {
    fs::path path = fs::temp_directory_path() / ("leitong-bench-" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
  };
  static const Folder made;
  return made.path;
}

enum class Shape { plain, line_feeds, escaped };

/// 64 MB of records with texts of 5 kB: without escapes, with a line feed every 80 bytes, or all of it as
/// \uXXXX.
const std::string& records(Shape shape) {
  static std::string made[3];
  std::string& lines = made[static_cast<int>(shape)];
  std::mt19937 random(1);
  for (std::size_t id = 0; lines.size() < (64u << 20); ++id) {
    const std::string number = std::to_string(id);
    lines.append("{\"id\": \"doc-")
        .append(number)
        .append("\", \"url\": \"http://example.org/")
        .append(number);
    lines.append("\", \"text\": \"");
    for (int i = 0; i < 62; ++i) {
      if (shape == Shape::escaped) {
        for (int j = 0; j < 13; ++j) {
          lines.append("\\u");
          lines += "4567"[random() % 4];
          lines += "89abcdef"[random() % 8];
          lines.append("2f");
        }
        continue;
      }
      for (int j = 0; j < 10; ++j) lines.append("word").append(std::to_string(1000 + random() % 1000));
      if (shape == Shape::line_feeds) lines += "\\n";
    }
    lines += "\"}\n";
  }
  return lines;
}

std::string write_input(const std::string& name, const std::string& bytes) {
  const fs::path path = folder() / name;
  if (fs::exists(path)) return path.string();
  auto out = OutputFile::create(path, true);
  if (!out || !(*out)->write(bytes) || !(*out)->commit()) std::abort();
  return path.string();
}

std::unique_ptr<Corpus> open(const std::string& path) {
  InputOptions options;
  options.paths = {path};
  static const Context context({.work_folder = folder()});
  return std::move(*Corpus::open(options, RunContext(context)));
}

std::uint64_t stream(Corpus& corpus) {
  const auto scratch = corpus.new_scratch();
  std::uint64_t bytes = 0;
  while (true) {
    auto batch = corpus.next_batch();
    if (!batch || *batch == nullptr) return bytes;
    corpus.parse(**batch, *scratch, [&](const DocumentText& document) { bytes += document.text.size(); });
    if (!corpus.commit(**batch)) std::abort();
  }
}

void stream_jsonl(benchmark::State& state, Shape shape, const std::string& ending) {
  const std::string& bytes = records(shape);
  const std::string path =
      write_input(std::to_string(static_cast<int>(shape)).append(".jsonl").append(ending), bytes);
  for (auto _ : state) benchmark::DoNotOptimize(stream(*open(path)));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}
BENCHMARK_CAPTURE(stream_jsonl, plain, Shape::plain, "");
BENCHMARK_CAPTURE(stream_jsonl, line_feeds, Shape::line_feeds, "");
BENCHMARK_CAPTURE(stream_jsonl, all_escaped, Shape::escaped, "");
BENCHMARK_CAPTURE(stream_jsonl, gzip, Shape::plain, ".gz");
BENCHMARK_CAPTURE(stream_jsonl, zstd, Shape::plain, ".zst");

/// Only cutting into batches, which one thread has to do.
void cut_batches(benchmark::State& state) {
  const std::string& bytes = records(Shape::plain);
  const std::string path = write_input("0.jsonl", bytes);
  for (auto _ : state) {
    const auto corpus = open(path);
    while (true) {
      const auto batch = corpus->next_batch();
      if (!batch || *batch == nullptr) break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}
BENCHMARK(cut_batches);

void read_at_random(benchmark::State& state, const std::string& ending) {
  const auto corpus = open(write_input(std::string("0.jsonl").append(ending), records(Shape::plain)));
  stream(*corpus);
  const auto scratch = corpus->new_scratch();
  std::mt19937 random(1);
  std::int64_t bytes = 0;
  for (auto _ : state) {
    const auto document = corpus->read(static_cast<DocId>(random() % corpus->size()), *scratch);
    bytes += static_cast<std::int64_t>(document->text.size());
  }
  state.SetBytesProcessed(bytes);
}
BENCHMARK_CAPTURE(read_at_random, plain, "");
BENCHMARK_CAPTURE(read_at_random, spooled, ".zst");

/// Leaves out every eighth record.
void copy_kept(benchmark::State& state) {
  const auto corpus = open(write_input("0.jsonl", records(Shape::plain)));
  stream(*corpus);
  std::int64_t bytes = 0;
  for (auto _ : state) {
    const auto copied = corpus->copy_kept([](DocId document) { return document % 8 != 0; },
                                          [&](std::string_view piece) -> Result<void> {
                                            bytes += static_cast<std::int64_t>(piece.size());
                                            return {};
                                          });
    if (!copied) std::abort();
  }
  state.SetBytesProcessed(bytes);
}
BENCHMARK(copy_kept);

}  // namespace
}  // namespace leitong

BENCHMARK_MAIN();
