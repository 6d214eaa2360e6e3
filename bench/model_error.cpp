// How far a model of `leitong train` is from counting everything: model_error CORPUS MODEL counts document
// frequencies, neighbours and J' of the corpus by plain maps and prints the differences as a JSON object. The
// pairs of all terms of each text are held in memory: for short texts, some hundred thousand of them.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "feature/term_model.hpp"
#include "scheme/resources.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kEdge = 0;  // a text's beginning or end, as a neighbour
constexpr std::uint64_t kEnough = 10;
// What `leitong train` promises to keep.
constexpr double kLeastSimilarity = .02;
constexpr std::uint32_t kLeastTogether = 2;

using Counts = std::unordered_map<std::uint64_t, std::uint32_t>;

struct Together {
  double ratios = 0;
  std::uint32_t documents = 0;
};

struct Exact {
  std::size_t documents = 0;
  std::vector<std::vector<std::uint32_t>> terms;  // of each document, by number
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> df;
  std::vector<Counts> left, right;
  std::unordered_map<std::uint64_t, Together> pairs;  // lesser number << 32 | greater

  std::uint32_t number(std::uint64_t id) {
    const auto [at, is_new] = numbers.try_emplace(id, static_cast<std::uint32_t>(ids.size()));
    if (is_new) {
      ids.push_back(id);
      df.push_back(0);
      left.emplace_back();
      right.emplace_back();
    }
    return at->second;
  }
  [[nodiscard]] double idf(std::uint32_t term) const {
    return std::log(static_cast<double>(documents) / df[term]);
  }
  /// Formula 5 over all documents.
  [[nodiscard]] double similarity(std::uint32_t x, std::uint32_t y) const {
    const auto found = pairs.find(std::uint64_t{std::min(x, y)} << 32 | std::max(x, y));
    if (found == pairs.end()) return 0;
    return found->second.ratios / (df[x] + df[y] - found->second.documents);
  }

  void add(const WordList& words, std::string_view text, WordSpace& space) {
    std::vector<std::pair<std::uint64_t, bool>> sequence;
    words.for_each(text, space, [&](std::string_view, std::uint64_t id, bool is_term) {
      sequence.emplace_back(id, is_term);
    });
    ++documents;
    std::unordered_map<std::uint32_t, std::uint32_t> counts;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (!sequence[i].second) continue;
      const std::uint32_t term = number(sequence[i].first);
      ++counts[term];
      ++left[term][i == 0 ? kEdge : sequence[i - 1].first];
      ++right[term][i + 1 == sequence.size() ? kEdge : sequence[i + 1].first];
    }
    auto& own = terms.emplace_back();
    for (const auto& [term, count] : counts) {
      ++df[term];
      own.push_back(term);
      for (const auto& [other, times] : counts) {
        if (other <= term) continue;
        Together& pair = pairs[std::uint64_t{term} << 32 | other];
        pair.ratios += static_cast<double>(std::min(count, times)) / std::max(count, times);
        ++pair.documents;
      }
    }
  }
};

Result<Exact> count(const std::string& path) {
  const Context context;
  LEITONG_ASSIGN(const auto words, resources_of(context).words());
  LEITONG_ASSIGN(const auto corpus, Corpus::open(InputOptions{{.paths = {path}}}, RunContext(context)));
  const auto scratch = corpus->new_scratch();
  Exact exact;
  WordSpace space;
  PodVector<Unit> units;
  std::unordered_set<std::string> seen;  // of exact copies one counts
  for (;;) {
    LEITONG_ASSIGN(const auto batch, corpus->next_batch());
    if (batch == nullptr) return exact;
    corpus->parse(*batch, *scratch, [&](const DocumentText& document) {
      to_units(document.text, units);
      std::string content(reinterpret_cast<const char*>(units.data()), units.size() * sizeof(Unit));
      if (seen.insert(std::move(content)).second) exact.add(*words, document.text, space);
    });
    LEITONG_TRY(corpus->commit(*batch));
  }
}

/// Differences of one kind.
class Differences {
 public:
  void add(double difference) { all_.push_back(std::abs(difference)); }
  [[nodiscard]] nlohmann::ordered_json summary() {
    std::sort(all_.begin(), all_.end());
    double sum = 0;
    for (const double each : all_) sum += each;
    if (all_.empty()) return nullptr;
    return {{"count", all_.size()},
            {"mean", sum / static_cast<double>(all_.size())},
            {"p99", all_[all_.size() * 99 / 100]},
            {"greatest", all_.back()}};
  }

 private:
  std::vector<double> all_;
};

double entropy_of(const Counts& counts) {
  std::vector<std::uint64_t> values;
  for (const auto& [neighbour, count] : counts) values.push_back(count);
  return neighbour_entropy(values);
}

nlohmann::ordered_json compare(const Exact& exact, const TermModel& model) {
  Differences idf, entropy, similarity, divisor;
  std::size_t known = 0, wanted = 0, held = 0;
  for (std::uint32_t term = 0; term < exact.ids.size(); ++term) {
    const std::uint64_t id = exact.ids[term];
    known += model.find(id) ? 1 : 0;
    std::uint64_t occurrences = 0;
    for (const auto& [neighbour, count] : exact.left[term]) occurrences += count;
    if (exact.df[term] >= kEnough) idf.add(model.idf(id) - exact.idf(term));
    if (occurrences < kEnough) continue;
    const Neighbours around = model.neighbours(id);
    entropy.add(around.left - entropy_of(exact.left[term]));
    entropy.add(around.right - entropy_of(exact.right[term]));
  }
  const auto of_model = [&](std::uint32_t x, std::uint32_t y) -> double {
    for (const Partner& partner : model.partners(exact.ids[x]))
      if (partner.id == exact.ids[y]) return double{partner.similarity};
    return 0;
  };
  for (const auto& [key, pair] : exact.pairs) {
    const auto x = static_cast<std::uint32_t>(key >> 32), y = static_cast<std::uint32_t>(key);
    const double value = pair.ratios / (exact.df[x] + exact.df[y] - pair.documents);
    if (pair.documents < kLeastTogether || value < kLeastSimilarity) continue;
    ++wanted;
    const double found = of_model(x, y);
    if (found == 0) continue;
    ++held;
    similarity.add(found - value);
  }
  constexpr std::size_t kEvery = 50;  // of documents
  for (std::size_t d = 0; d < exact.terms.size(); d += kEvery)
    for (const std::uint32_t x : exact.terms[d]) {
      double all = 1, found = 1;
      for (const std::uint32_t y : exact.terms[d]) {
        if (y == x) continue;
        all += exact.similarity(x, y);
        found += of_model(x, y);
      }
      divisor.add(found / all - 1);
    }
  return {
      {"documents", exact.documents}, {"terms", exact.ids.size()},          {"terms_known", known},
      {"idf", idf.summary()},         {"entropy", entropy.summary()},       {"pairs", wanted},
      {"pairs_known", held},          {"similarity", similarity.summary()}, {"divisor", divisor.summary()}};
}

Result<void> run(const std::string& corpus, const std::vector<std::string>& models) {
  LEITONG_ASSIGN(const Exact exact, count(corpus));
  auto rows = nlohmann::ordered_json::array();
  for (const std::string& path : models) {
    LEITONG_ASSIGN(const TermModel model, TermModel::open(path));
    rows.push_back(compare(exact, model));
  }
  fmt::print("{}\n", rows.dump(2));
  return {};
}

}  // namespace
}  // namespace leitong

int main(int argc, char** argv) {
  CLI::App app{"differences between trained models and counting everything"};
  std::string corpus;
  std::vector<std::string> models;
  app.add_option("CORPUS", corpus)->required();
  app.add_option("MODEL", models)->required();
  CLI11_PARSE(app, argc, argv);
  if (const auto result = leitong::run(corpus, models); !result) {
    fmt::print(stderr, "model_error: {}\n", result.error().message);
    return 1;
  }
}
