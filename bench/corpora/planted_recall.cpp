// How many planted copies of a generated corpus a run found, by kind: the slow, exact check of bench growth.
//
//   planted_recall CORPUS.jsonl TRUTH.tsv PAIRS.tsv|COMPONENTS.tsv [--unlike]  ->  JSON on stdout
//
// A planted pair (source, copy) counts if it satisfies the default rule, by the shingle sets of both texts.
// It is found direct if the run reported it, or reported an exact copy of one for an exact copy of the other;
// it is linked if the run's pairs connect the two, which is all that components tell. Ids are those of
// make_corpus: d0, d1, .. With --unlike the pairs of different sources that the run reported are counted if
// the texts are not alike, either. Of more than kMostCopies planted copies, every second, third .. is looked
// at ("one_of").
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/plan.hpp"
#include "feature/shingles.hpp"
#include "similarity/intersect.hpp"
#include "similarity/rule.hpp"
#include "text/units.hpp"

namespace leitong::bench {
namespace {

class Forest {
 public:
  explicit Forest(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  [[nodiscard]] std::size_t size() const { return parent_.size(); }
  std::uint32_t root(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

std::uint32_t number_of(std::string_view id) {
  std::uint32_t number = 0;
  std::from_chars(id.data() + 1, id.data() + id.size(), number);
  return number;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find('\t', begin);
    fields.push_back(line.substr(begin, end - begin));
    if (end == std::string_view::npos) return fields;
    begin = end + 1;
  }
}

/// The corpus on disk and the offset of each line: only planted texts are read.
class Texts {
 public:
  explicit Texts(const char* path) : file_(path, std::ios::binary) {
    std::string line;
    for (std::uint64_t offset = 0; std::getline(file_, line); offset += line.size() + 1)
      offsets_.push_back(offset);
    file_.clear();
  }
  [[nodiscard]] std::size_t size() const { return offsets_.size(); }

  void shingles(std::uint32_t document, PodVector<std::uint32_t>& set) {
    file_.seekg(static_cast<std::streamoff>(offsets_[document]));
    std::getline(file_, line_);
    // make_corpus writes no escapes and closes each line with "}.
    constexpr std::string_view kBefore = "\"text\":\"";
    const std::size_t begin = line_.find(kBefore) + kBefore.size();
    to_units(std::string_view(line_).substr(begin, line_.size() - 2 - begin), units_);
    shingle_set(units_, set, scratch_);
  }

 private:
  std::ifstream file_;
  std::vector<std::uint64_t> offsets_;
  std::string line_;
  PodVector<Unit> units_;
  PodVector<std::uint32_t> scratch_;
};

struct Count {
  std::uint64_t planted = 0, within = 0, direct = 0, linked = 0;
};

nlohmann::ordered_json to_json(const Count& count) {
  return {{"planted", count.planted},
          {"within", count.within},
          {"direct", count.direct},
          {"linked", count.linked}};
}

struct Found {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // of twins' roots, sorted
  Forest twins, linked;
  explicit Found(std::size_t n) : twins(n), linked(n) {}
};

bool read_pairs(const char* path, Found& found) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return false;
  if (fields_of(line).size() == 2) {  // components: an id and a number
    constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<std::uint32_t> first(found.linked.size() + 1, kNone);  // of each component
    do {
      const std::uint32_t document = number_of(line);
      std::uint32_t& of_component = first[std::stoul(line.substr(line.find('\t')))];
      if (of_component == kNone) of_component = document;
      found.linked.join(of_component, document);
    } while (std::getline(file, line));
    return true;
  }
  const auto header = fields_of(line);
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  const std::size_t a = column("id_a"), b = column("id_b"), measure = column("measure");
  if (std::max({a, b, measure}) >= header.size()) return false;
  while (std::getline(file, line)) {
    const auto fields = fields_of(line);
    const std::uint32_t first = number_of(fields[a]), second = number_of(fields[b]);
    found.linked.join(first, second);
    if (fields[measure] == "identical" || fields[measure] == "copy") {
      found.twins.join(first, second);
    } else {
      found.pairs.emplace_back(first, second);
    }
  }
  for (auto& [first, second] : found.pairs) {
    first = found.twins.root(first), second = found.twins.root(second);
    if (first > second) std::swap(first, second);
  }
  std::sort(found.pairs.begin(), found.pairs.end());
  return true;
}

/// True if two texts that are no planted pair resemble each other.
bool are_alike(const PodVector<std::uint32_t>& a, const PodVector<std::uint32_t>& b) {
  constexpr double kJaccard = .30, kContainment = .60;
  constexpr std::size_t kHardlyAnything = 32;
  const auto shared = static_cast<double>(intersection_size(a, b));
  return std::max(a.size(), b.size()) < kHardlyAnything ||
         shared >= kJaccard * (static_cast<double>(a.size() + b.size()) - shared) ||
         shared >= kContainment * static_cast<double>(std::min(a.size(), b.size()));
}

std::uint64_t count_unlike(Texts& texts, const Found& found, const std::vector<std::uint32_t>& source_of) {
  std::uint64_t unlike = 0;
  PodVector<std::uint32_t> a, b;
  for (const auto& [first, second] : found.pairs) {
    if (source_of[first] == source_of[second]) continue;
    texts.shingles(first, a);
    texts.shingles(second, b);
    unlike += are_alike(a, b) ? 0 : 1;
  }
  return unlike;
}

constexpr std::uint64_t kMostCopies = 2'000'000;

std::uint64_t count_lines(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::uint64_t count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

int report(Texts& texts, const char* truth_path, const char* pairs_path, bool tells_unlike) {
  Found found(texts.size());
  if (!read_pairs(pairs_path, found)) {
    fmt::print(stderr, "planted_recall: {} is no file of pairs or components\n", pairs_path);
    return 1;
  }
  std::array<Count, kKindNames.size()> counts;
  std::vector<std::uint32_t> source_of(texts.size());
  std::iota(source_of.begin(), source_of.end(), 0);
  PodVector<std::uint32_t> source_set, copy_set;
  const std::uint64_t one_of = count_lines(truth_path) / kMostCopies + 1;
  std::ifstream truth(truth_path);
  std::string line;
  std::getline(truth, line);
  for (std::uint64_t row = 0; std::getline(truth, line); ++row) {
    const auto fields = fields_of(line);
    const std::uint32_t copy = number_of(fields[0]), source = number_of(fields[1]);
    source_of[copy] = source;
    if (row % one_of != 0) continue;
    Count& count = counts[static_cast<std::size_t>(
        std::find(kKindNames.begin(), kKindNames.end(), fields[2]) - kKindNames.begin())];
    ++count.planted;
    texts.shingles(source, source_set);
    texts.shingles(copy, copy_set);
    std::vector<std::uint32_t> shared;
    std::set_intersection(source_set.begin(), source_set.end(), copy_set.begin(), copy_set.end(),
                          std::back_inserter(shared));
    const bool exact = std::equal(source_set.begin(), source_set.end(), copy_set.begin(), copy_set.end());
    if (!exact && !Rule{}.decide(Candidate{source, copy}, shared.size(), source_set.size(), copy_set.size()))
      continue;
    ++count.within;
    const std::uint32_t a = found.twins.root(source), b = found.twins.root(copy);
    count.direct += a == b || std::binary_search(found.pairs.begin(), found.pairs.end(),
                                                 std::pair(std::min(a, b), std::max(a, b)));
    count.linked += found.linked.root(source) == found.linked.root(copy);
  }

  std::vector<std::uint32_t> components(texts.size());  // at their roots
  std::uint32_t largest = 0;
  for (std::uint32_t d = 0; d < texts.size(); ++d)
    largest = std::max(largest, ++components[found.linked.root(d)]);
  const auto between = std::count_if(found.pairs.begin(), found.pairs.end(), [&](const auto& pair) {
    return source_of[pair.first] != source_of[pair.second];
  });

  nlohmann::ordered_json kinds;
  Count total;
  for (std::size_t kind = 1; kind < counts.size(); ++kind) {
    kinds[std::string(kKindNames[kind])] = to_json(counts[kind]);
    total.planted += counts[kind].planted, total.within += counts[kind].within;
    total.direct += counts[kind].direct, total.linked += counts[kind].linked;
  }
  nlohmann::ordered_json result = {{"documents", texts.size()},
                                   {"pairs", found.pairs.size()},
                                   {"between_sources", between},
                                   {"largest_component", largest},
                                   {"one_of", one_of},
                                   {"total", to_json(total)},
                                   {"kinds", kinds}};
  if (tells_unlike) result["unlike"] = count_unlike(texts, found, source_of);
  fmt::print("{}\n", result.dump(1));
  return 0;
}

}  // namespace
}  // namespace leitong::bench

int main(int argc, char** argv) {
  const bool tells_unlike = argc == 5 && std::string_view(argv[4]) == "--unlike";
  if (argc != 4 && !tells_unlike) {
    fmt::print(stderr, "usage: planted_recall CORPUS.jsonl TRUTH.tsv PAIRS.tsv|COMPONENTS.tsv [--unlike]\n");
    return 2;
  }
  leitong::bench::Texts texts(argv[1]);
  return leitong::bench::report(texts, argv[2], argv[3], tells_unlike);
}
