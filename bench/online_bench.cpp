// Measures the online index on documents of a JSONL file (id, text): speed, bytes, and its verdicts beside
// those of the batch. Prints one JSON object.
//
//   online_bench FILE.jsonl [--order SEED] [--mode new|all] [--batch N] [--threads N] [--durability LEVEL]
//     [--place DIR] [--scheme NAME [--param NAME=VALUE]..] [--checks N [--callers N]] [--verdicts
//     [--first-decision] [--list]] [--truth FILE.tsv] [--pairs FILE.tsv] [--twice] [--tenths]
//
// --mode new: check_and_add(), where only texts that are new stand for themselves; all: check(), then add(),
// so that each text is compared with every earlier one. --verdicts runs the batch on the same texts, the
// first of each family staying, and counts where the two differ. --truth: id, tab, cluster; ids in no row are
// alone. --pairs: each text that is seen, and its match. --twice: the texts are added and removed first, so
// that the index knows their templates. --checks: so many of the last documents are not added; when the
// others are there, --callers threads ask about these, and calls of one batch each are timed.
#include <fmt/core.h>
#include <sys/resource.h>
#include <time.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "leitong/dedup.hpp"
#include "leitong/online.hpp"

namespace leitong::bench {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::string file, mode = "new", durability = "none", place, truth, pairs, scheme;
  std::vector<std::string> params;
  std::uint64_t order = 0;
  std::size_t batch = 1000, limit = 0, checks = 0;
  unsigned threads = 1, callers = 1;
  bool verdicts = false, twice = false, tenths = false, list = false, first_decision = false;
};

struct Documents {
  std::vector<std::string> ids, texts;
};

template <class T>
T value(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(1);
}

Documents read(const Options& options) {
  Documents documents;
  std::ifstream in(options.file);
  for (std::string line; std::getline(in, line);) {
    const nlohmann::json record = nlohmann::json::parse(line);
    documents.ids.push_back(record.at("id"));
    documents.texts.push_back(record.at("text"));
    if (documents.ids.size() == options.limit) break;
  }
  if (options.order == 0) return documents;
  std::vector<std::size_t> order(documents.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(options.order);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  Documents shuffled;
  for (const std::size_t i : order) {
    shuffled.ids.push_back(std::move(documents.ids[i]));
    shuffled.texts.push_back(std::move(documents.texts[i]));
  }
  return shuffled;
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::uint64_t bytes_in(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

/// Pairs of one cluster in both partitions, and in each.
struct Agreement {
  double both = 0, found = 0, true_ones = 0;
  [[nodiscard]] double f1() const { return found + true_ones == 0 ? 1 : 2 * both / (found + true_ones); }
};

Agreement agreement(const std::vector<std::uint32_t>& clusters, const std::vector<std::uint32_t>& truth) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> both;
  std::unordered_map<std::uint32_t, double> found, true_ones;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    ++both[{clusters[i], truth[i]}];
    ++found[clusters[i]];
    ++true_ones[truth[i]];
  }
  const auto pairs = [](double n) { return n * (n - 1) / 2; };
  Agreement result;
  for (const auto& [key, n] : both) result.both += pairs(n);
  for (const auto& [key, n] : found) result.found += pairs(n);
  for (const auto& [key, n] : true_ones) result.true_ones += pairs(n);
  return result;
}

std::vector<std::uint32_t> read_truth(const std::string& path, const std::vector<std::string>& ids) {
  std::unordered_map<std::string, std::string> cluster_of;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) cluster_of.emplace(line.substr(0, tab), line.substr(tab + 1));
  }
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> truth;
  for (const std::string& id : ids) {
    const auto found = cluster_of.find(id);
    const std::string name = found == cluster_of.end() ? "\t" + id : found->second;
    truth.push_back(numbers.emplace(name, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return truth;
}

/// Adds and removes the texts, so that the index knows their templates.
void learn(online::Index& index, const Options& options, const std::vector<std::string>& names,
           const std::vector<std::string>& documents) {
  for (std::size_t first = 0; first < names.size(); first += options.batch) {
    std::vector<online::Text> texts;
    for (std::size_t i = first; i < std::min(first + options.batch, names.size()); ++i)
      texts.push_back({names[i], documents[i]});
    value(index.check_and_add(texts));
  }
  for (const std::string& name : names) value(index.remove(name));
}

/// Checks the texts in batches, with one call each, by several threads at once. Returns the seconds of each
/// call.
std::vector<double> check(online::Index& index, const Options& options, std::span<const std::string> texts) {
  std::vector<double> seconds((texts.size() + options.batch - 1) / options.batch);
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> callers;
  for (unsigned i = 0; i < options.callers; ++i)
    callers.emplace_back([&] {
      for (std::size_t call = next++; call < seconds.size(); call = next++) {
        const auto some = texts.subspan(call * options.batch);
        const std::vector<std::string_view> asked(
            some.begin(), some.begin() + static_cast<std::ptrdiff_t>(std::min(options.batch, some.size())));
        const auto begin = std::chrono::steady_clock::now();
        value(index.check(asked));
        seconds[call] = seconds_since(begin);
      }
    });
  callers.clear();
  return seconds;
}

int run(const Options& options) {
  const Documents documents = read(options);
  const std::size_t count = documents.ids.size() - std::min(options.checks, documents.ids.size());
  std::uint64_t text_bytes = 0;
  for (const std::string& text : documents.texts) text_bytes += text.size();
  const Context context({.threads = options.threads});
  online::Settings settings;
  settings.durability = options.durability == "sync"       ? online::Durability::sync
                        : options.durability == "everysec" ? online::Durability::everysec
                                                           : online::Durability::none;
  settings.scheme = options.scheme;
  settings.params = options.params;
  // The ids of documents may repeat; those of an index may not.
  std::vector<std::string> names(count);
  for (std::size_t i = 0; i < count; ++i) names[i] = fmt::format("{}", i);

  std::vector<online::Verdict> verdicts;
  std::vector<std::uint32_t> family(count);
  std::vector<double> tenths;
  std::uint64_t refused_as_template = 0;
  online::Figures figures;
  std::ofstream pairs;
  if (!options.pairs.empty()) {
    pairs.open(options.pairs);
    pairs << "id_a\tid_b\tmeasure\n";
  }
  double seconds = 0, cpu = 0, checking_seconds = 0, checking_cpu = 0;
  std::vector<double> check_seconds;  // of each call
  {
    auto index = value(online::Index::open(context, options.place, settings));
    if (options.twice) learn(index, options, names, documents.texts);
    const auto begin = std::chrono::steady_clock::now();
    const double cpu_begin = processor_seconds();
    auto tenth = begin;
    for (std::size_t first = 0; first < count; first += options.batch) {
      const std::size_t last = std::min(first + options.batch, count);
      std::vector<online::Text> texts;
      for (std::size_t i = first; i < last; ++i) texts.push_back({names[i], documents.texts[i]});
      std::vector<online::Answer> answers;
      if (options.mode == "new") {
        answers = value(index.check_and_add(texts));
      } else {
        for (std::size_t i = first; i < last; ++i) {
          const std::vector<std::string_view> one = {documents.texts[i]};
          answers.push_back(std::move(value(index.check(one))[0]));
          value(index.add({&texts[i - first], 1}));
        }
      }
      for (std::size_t i = first; i < last; ++i) {
        const online::Answer& answer = answers[i - first];
        verdicts.push_back(answer.verdict);
        refused_as_template += answer.refused_as_template;
        family[i] = static_cast<std::uint32_t>(i);
        for (const online::SharedPart& part : answer.parts)
          if (pairs.is_open())
            pairs << fmt::format("{}\t{}\t{}\n", documents.ids[std::stoul(part.id)], documents.ids[i],
                                 part.measure);
        if (!answer.match) continue;
        const std::size_t match = std::stoul(answer.match->id);
        family[i] = family[match];
        if (pairs.is_open())
          pairs << fmt::format("{}\t{}\t{}\n", documents.ids[match], documents.ids[i], answer.match->measure);
      }
      while (tenths.size() < 10 && last * 10 >= count * (tenths.size() + 1)) {
        tenths.push_back(seconds_since(tenth) * 1e6 / (static_cast<double>(count) / 10));
        tenth = std::chrono::steady_clock::now();
      }
    }
    seconds = seconds_since(begin);
    cpu = processor_seconds() - cpu_begin;
    const auto checking = std::chrono::steady_clock::now();
    const double checking_cpu_begin = processor_seconds();
    check_seconds = check(index, options, std::span(documents.texts).subspan(count));
    checking_seconds = seconds_since(checking);
    checking_cpu = processor_seconds() - checking_cpu_begin;
    figures = value(index.figures());
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  ordered_json out = {{"texts", count},
                      {"mean_bytes", text_bytes / std::max<std::size_t>(1, count)},
                      {"mode", options.mode},
                      {"order", options.order},
                      {"batch_size", options.batch},
                      {"threads", options.threads},
                      {"durability", options.place.empty() ? "memory" : options.durability},
                      {"seconds", seconds},
                      {"cpu_seconds", cpu},
                      {"texts_a_second", static_cast<double>(count) / seconds},
                      {"postings", figures.postings.value_or(0)},
                      {"full_keys", figures.full_keys},
                      {"checked_twice", figures.checked_twice},
                      {"bounded_candidates", figures.bounded_candidates},
                      {"refused_as_template", refused_as_template},
                      {"peak_bytes", static_cast<std::uint64_t>(usage.ru_maxrss) << 10}};
  if (options.tenths) out["microseconds_by_tenth"] = tenths;
  if (!check_seconds.empty()) {
    out["check_cpu_microseconds"] = checking_cpu * 1e6 / static_cast<double>(documents.texts.size() - count);
    out["checks_a_second"] = static_cast<double>(documents.texts.size() - count) / checking_seconds;
    std::sort(check_seconds.begin(), check_seconds.end());
    for (const std::size_t percent : {50U, 99U})
      out[fmt::format("check_p{}_microseconds", percent)] =
          check_seconds[(check_seconds.size() - 1) * percent / 100] * 1e6;
  }
  if (!options.place.empty()) {
    if (options.place.find("://") == std::string::npos) out["disk_bytes"] = bytes_in(options.place);
    out["segment_bytes"] = figures.segment_bytes.value_or(0);
    const auto begin = std::chrono::steady_clock::now();
    value(online::Index::open(context, options.place, settings));
    out["open_seconds"] = seconds_since(begin);
  }
  if (options.verdicts) {
    const std::vector<std::string_view> texts(documents.texts.begin(), documents.texts.end());
    const auto begin = std::chrono::steady_clock::now();
    DedupSettings batch_settings{.keep = Keep::first, .measure_recall = false};
    if (options.first_decision) batch_settings.template_text = TemplateText::counted;
    const Decisions batch = value(deduplicate(context, texts, batch_settings));
    out["batch_seconds"] = seconds_since(begin);
    std::vector<char> seen(count);
    if (options.mode == "new") {
      for (std::uint32_t i = 0; i < count; ++i) seen[i] = !batch.stays(i);
    } else {
      const auto mark = [&](const SimilarTexts& pair) -> Result<void> {
        seen[pair.b] = 1;
        return {};
      };
      if (!batch.for_each_pair(mark)) return 1;
    }
    std::size_t agree = 0, missed = 0, extra = 0, batch_seen = 0, copies = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool of_index = verdicts[i] == online::Verdict::exact || verdicts[i] == online::Verdict::near;
      copies += verdicts[i] == online::Verdict::exact;
      batch_seen += seen[i] != 0;
      agree += of_index == (seen[i] != 0);
      missed += seen[i] != 0 && !of_index;
      extra += seen[i] == 0 && of_index;
    }
    const auto share = [](std::size_t part, std::size_t whole) {
      return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(1, whole));
    };
    out["batch_seen"] = batch_seen;
    out["copies"] = copies;
    out["agreement"] = share(agree, count);
    out["found"] = 1 - share(missed, batch_seen - std::min(batch_seen, copies));
    out["missed"] = share(missed, count);
    out["extra"] = share(extra, count);
    if (options.list) {
      std::string of_batch, of_index;
      for (std::size_t i = 0; i < count; ++i) {
        of_batch += seen[i] != 0 ? '1' : '0';
        of_index += verdicts[i] == online::Verdict::fresh ? '0' : '1';
      }
      out["batch"] = of_batch;
      out["online"] = of_index;
    }
    if (!options.truth.empty()) {
      const std::vector<std::uint32_t> truth = read_truth(options.truth, documents.ids);
      out["f1"] = agreement(family, truth).f1();
      out["batch_f1"] = agreement({batch.kept().begin(), batch.kept().end()}, truth).f1();
    }
  }
  fmt::print("{}\n", out.dump());
  return 0;
}

}  // namespace
}  // namespace leitong::bench

int main(int argc, char** argv) {
  CLI::App app("measures the online index");
  leitong::bench::Options options;
  app.add_option("FILE", options.file)->required();
  app.add_option("--order", options.order, "seed of a random order; 0: as in the file");
  app.add_option("--mode", options.mode)->check(CLI::IsMember({"new", "all"}));
  app.add_option("--batch", options.batch)->check(CLI::PositiveNumber);
  app.add_option("--limit", options.limit, "documents; 0: all");
  app.add_option("--threads", options.threads);
  app.add_option("--durability", options.durability)->check(CLI::IsMember({"sync", "everysec", "none"}));
  app.add_option(
      "--place", options.place,
      "a folder that is made, redis://host:port/name or hbase://host:port/name; without it all is in "
      "memory");
  app.add_option("--scheme", options.scheme, "of the index (default)");
  app.add_option("--param", options.params, "of the scheme");
  app.add_option("--checks", options.checks, "of the last documents, which are not added but asked about");
  app.add_option("--callers", options.callers, "threads that ask about them at once");
  app.add_flag("--verdicts", options.verdicts);
  app.add_option("--truth", options.truth);
  app.add_option("--pairs", options.pairs, "where to write each text that is seen, and its match");
  app.add_flag("--twice", options.twice, "add the texts and remove them first, so that templates are known");
  app.add_flag("--tenths", options.tenths, "time by tenths of the texts");
  app.add_flag("--first-decision", options.first_decision,
               "with --verdicts: the batch decides once, without asking what is a template");
  app.add_flag("--list", options.list,
               "with --verdicts: 0 (new) or 1 (seen) of each text, of the batch and of the index");
  CLI11_PARSE(app, argc, argv);
  return leitong::bench::run(options);
}
