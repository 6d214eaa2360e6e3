// Segmentation, and text to SimHash, beside cppjieba in one run.
//
//   segment_bench TEXTS.jsonl[.zst].. [--repeats N]  ->  JSON on stdout
//
// Texts go in batches of 150 KB, both programs and all kernels by turns on each; a batch counts with its
// quickest repeat, since other jobs can only make one slower. What is compared is compared for equality
// first.
#include <fmt/core.h>
#include <simdjson.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cppjieba/Jieba.hpp>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/byte_stream.hpp"
#include "feature/keywords.hpp"
#include "feature/terms.hpp"
#include "signature/simhash.hpp"
#include "text/jieba_cutter.hpp"
#include "text/segment/model_store.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr std::size_t kBatchBytes = 150'000;
constexpr std::size_t kTop = 20;
/// cppjieba is slow, and so its least is found sooner.
constexpr int kReferenceRepeats = 3;

using Texts = std::vector<std::string>;
using Batch = std::span<const std::string>;
/// Works on a batch; returns something that depends on every result.
using Work = std::function<std::uint64_t(Batch)>;

Result<Texts> read_texts(const std::string& path) {
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path));
  auto stored = std::make_unique<StoredBytes>(std::move(file), nullptr);
  LEITONG_ASSIGN(const std::string_view beginning, stored->peek());
  const auto bytes = make_decoder(compression_of_content(beginning, path), std::move(stored));
  std::string all;
  std::vector<char> buffer(1 << 20);
  for (;;) {
    LEITONG_ASSIGN(const std::size_t n, bytes->read(buffer.data(), buffer.size()));
    if (n == 0) break;
    all.append(buffer.data(), n);
  }
  Texts texts;
  simdjson::ondemand::parser parser;
  const simdjson::padded_string json(all);
  simdjson::ondemand::document_stream records =
      parser.iterate_many(json, std::max<std::size_t>(json.size(), 1U << 20));
  for (auto record : records) texts.emplace_back(std::string_view(record["text"]));
  return texts;
}

std::vector<Batch> batches_of(const Texts& texts) {
  std::vector<Batch> batches;
  for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
    for (std::size_t bytes = 0; end < texts.size() && bytes < kBatchBytes; ++end) bytes += texts[end].size();
    batches.push_back(Batch(texts).subspan(begin, end - begin));
  }
  return batches;
}

struct Contender {
  std::string name;
  Work work;
  bool is_reference = false;
};

/// Processor time of this thread: what it waited for others doesn't count.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds of each contender, the sum of its least per batch.
std::vector<double> race(const std::vector<Contender>& contenders, const std::vector<Batch>& batches,
                         int repeats) {
  std::vector<double> sums(contenders.size());
  std::uint64_t sink = 0;
  for (const Batch batch : batches) {
    std::vector<double> least(contenders.size(), 1e9);
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        if (contenders[i].is_reference && repeat >= kReferenceRepeats) continue;
        const double begin = thread_seconds();
        sink += contenders[i].work(batch);
        least[i] = std::min(least[i], thread_seconds() - begin);
      }
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) sums[i] += least[i];
  }
  if (sink == 0) fmt::print(stderr, "nothing was cut\n");
  return sums;
}

enum class Job { mix, dictionary, full, search, joined_mix, simhash };
struct JobName {
  Job job;
  std::string_view name;
};
constexpr JobName kJobs[] = {{Job::mix, "mix"},           {Job::joined_mix, "mix, joined by line feeds"},
                             {Job::dictionary, "no HMM"}, {Job::full, "full"},
                             {Job::search, "search"},     {Job::simhash, "top-20 TF-IDF, SimHash"}};

/// The 64-bit SimHash of cppjieba's keywords, as yanyiwu/simhash adds it up, with the same hash of words.
std::uint64_t reference_simhash(const cppjieba::Jieba& jieba, const std::string& text) {
  std::vector<cppjieba::KeywordExtractor::Word> keywords;
  jieba.extractor.Extract(text, keywords, kTop);
  double sums[64] = {};
  for (const auto& keyword : keywords) {
    const std::uint64_t hash = word_hash(keyword.word);
    for (int bit = 0; bit < 64; ++bit) sums[bit] += (hash >> bit & 1) ? keyword.weight : -keyword.weight;
  }
  std::uint64_t result = 0;
  for (int bit = 0; bit < 64; ++bit) result |= std::uint64_t{sums[bit] > 0} << bit;
  return result;
}

Work reference_work(const cppjieba::Jieba& jieba, Job job) {
  return [&jieba, job](Batch batch) {
    std::uint64_t sum = 0;
    std::vector<cppjieba::Word> words;
    for (const std::string& text : batch) {
      switch (job) {
        case Job::mix:
        case Job::joined_mix:
        case Job::dictionary:
          jieba.Cut(text, words, job != Job::dictionary);
          break;
        case Job::full:
          jieba.CutAll(text, words);
          break;
        case Job::search:
          jieba.CutForSearch(text, words);
          break;
        case Job::simhash:
          sum += reference_simhash(jieba, text);
          break;
      }
      sum += words.size();
    }
    return sum;
  };
}

Work own_work(const std::shared_ptr<const SegmentModel>& model, Simd level, Job job) {
  if (job == Job::simhash) {
    auto terms = std::make_shared<TermExtractor>(TermExtractor::open(model, level).value());
    auto scratch = std::make_shared<TermScratch>();
    return [terms, scratch](Batch batch) {
      std::uint64_t sum = 0;
      PodVector<Feature> features;
      for (const std::string& text : batch) {
        terms->top(text, kTop, *scratch, features);
        sum += simhash(features).value_or(0);
      }
      return sum;
    };
  }
  auto scratch = std::make_shared<CutScratch>();
  return [cutter = JiebaCutter(model, level), scratch, job](Batch batch) {
    static std::string joined;
    static PodVector<std::uint32_t> starts;
    static PodVector<Token> tokens;
    std::uint64_t sum = 0;
    if (job == Job::joined_mix) {
      joined.clear();
      for (const std::string& text : batch) joined.append(text).push_back('\n');
      starts.clear();
      cutter.cut(joined, true, *scratch, starts);
      return std::uint64_t{starts.size()};
    }
    for (const std::string& text : batch) {
      starts.clear();
      tokens.clear();
      if (job == Job::full)
        cutter.cut_full(text, *scratch, tokens);
      else if (job == Job::search)
        cutter.cut_for_search(text, true, *scratch, tokens);
      else
        cutter.cut(text, job == Job::mix, *scratch, starts);
      sum += starts.size() + tokens.size();
    }
    return sum;
  };
}

/// Both must count the same tokens; the tests compare them one by one.
bool agree(const std::vector<Contender>& contenders, Batch batch, Job job) {
  if (job == Job::simhash || job == Job::joined_mix) return true;
  const std::uint64_t expected = contenders[0].work(batch);
  return std::all_of(contenders.begin(), contenders.end(),
                     [&](const Contender& contender) { return contender.work(batch) == expected; });
}

Result<nlohmann::ordered_json> measure(const std::vector<std::string>& paths, int repeats) {
  LEITONG_ASSIGN(auto model, open_segment_model());  // compiled, if it wasn't yet
  std::chrono::duration<double> open_seconds{1e9};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    LEITONG_ASSIGN(model, open_segment_model());
    open_seconds =
        std::min(open_seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin));
  }
  LEITONG_ASSIGN(const JiebaFiles files, chosen_files({}));
  const auto load_begin = std::chrono::steady_clock::now();
  const cppjieba::Jieba jieba(files.words.string(), files.model.string(), "/dev/null", files.idf.string(),
                              files.stop_words.string());
  const std::chrono::duration<double> load_seconds = std::chrono::steady_clock::now() - load_begin;

  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const std::string& path : paths) {
    LEITONG_ASSIGN(const Texts texts, read_texts(path));
    const auto batches = batches_of(texts);
    std::size_t bytes = 0;
    for (const std::string& text : texts) bytes += text.size();
    for (const auto& [job, name] : kJobs) {
      std::vector<Contender> contenders = {{"cppjieba", reference_work(jieba, job), true}};
      for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
        if (level <= simd_level())
          contenders.push_back({std::string(simd_name(level)), own_work(model, level, job)});
      if (!agree(contenders, batches.front(), job))
        return fail(ErrorCode::corrupt, fmt::format("{}: {} differs from cppjieba", path, name));
      const auto seconds = race(contenders, batches, repeats);
      nlohmann::ordered_json row = {
          {"texts", path.substr(path.rfind('/') + 1)}, {"job", name}, {"bytes", bytes}};
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        row[contenders[i].name + "_mb_s"] = static_cast<double>(bytes) / 1e6 / seconds[i];
        if (i > 0) row[contenders[i].name + "_times"] = seconds[0] / seconds[i];
      }
      fmt::print(stderr, "{}\n", row.dump());
      rows.push_back(std::move(row));
    }
  }
  return nlohmann::ordered_json{{"rows", std::move(rows)},
                                {"model_bytes", model->file().size()},
                                {"model_open_ms", 1e3 * open_seconds.count()},
                                {"cppjieba_load_ms", 1e3 * load_seconds.count()}};
}

}  // namespace
}  // namespace leitong

int main(int argc, char** argv) {
  CLI::App app("Segmentation beside cppjieba: MB/s of text and how many times as fast, one thread.");
  std::vector<std::string> paths;
  int repeats = 7;
  app.add_option("texts", paths, "JSONL with a text a record, also compressed")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--repeats", repeats, "Runs of each batch; the quickest counts")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const auto report = leitong::measure(paths, repeats);
  if (!report) {
    fmt::print(stderr, "segment_bench: {}\n", report.error().message);
    return 1;
  }
  fmt::print("{}\n", report->dump(1));
  return 0;
}
