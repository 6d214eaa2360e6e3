// The slow twin of `leitong trim --part passage`: a suffix array of all units of a corpus, sorted as deep as
// a run is long, by comparing texts. No hash, no winnowing.
//
//   parts_twin LEAST CORPUS.jsonl                       what repeats in a corpus -> JSON on stdout
//   parts_twin LEAST CORPUS.jsonl SPANS.jsonl REMOVED.jsonl   is what a run cut and kept as docs/trim.md
//   says?
//
// A run is LEAST successive units of one document. With spans: `twice` counts the runs that stay more than
// once; `lost` the units that were cut and lie in no run that stays; `own` those of them in documents of
// which a run overlaps its own copy, for which the one exception holds.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/units.hpp"

namespace leitong::bench {
namespace {

using Json = nlohmann::json;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Each>
void for_each_record(const char* path, Each each) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fmt::print(stderr, "{}: can't be read\n", path);
    std::exit(1);
  }
  for (std::string line; std::getline(file, line);) each(Json::parse(line));
}

class Corpus {
 public:
  explicit Corpus(std::size_t least) : least_(least) {}

  void read(const char* path) {
    PodVector<Unit> units;
    std::vector<ByteRange> places;
    for_each_record(path, [&](const Json& record) {
      const auto& text = record["text"].get_ref<const std::string&>();
      // Blank texts are no documents.
      if (text.find_first_not_of(" \t\r\n\v\f") == std::string::npos) return;
      by_id_.emplace(record["id"].get<std::string>(), static_cast<std::uint32_t>(ends_.size()));
      to_units_with_places(text, units, places);
      units_.append(units);
      places_.insert(places_.end(), places.begin(), places.end());
      ends_.push_back(units_.size());
    });
    cut_.assign(units_.size(), false);
  }

  void cut(const char* spans, const char* removed) {
    for_each_record(spans, [&](const Json& span) {
      const std::uint32_t document = by_id_.at(span["id"].get<std::string>());
      const auto first = places_.begin() + static_cast<long>(begin_of(document));
      const auto last = places_.begin() + static_cast<long>(ends_[document]);
      for (auto place =
               std::ranges::lower_bound(first, last, span["begin"].get<std::size_t>(), {}, &ByteRange::begin);
           place != last && place->end <= span["end"]; ++place)
        cut_[static_cast<std::size_t>(place - places_.begin())] = true;
    });
    for_each_record(removed, [&](const Json& row) {
      const std::uint32_t document = by_id_.at(row["id"].get<std::string>());
      std::fill(cut_.begin() + static_cast<long>(begin_of(document)),
                cut_.begin() + static_cast<long>(ends_[document]), true);
    });
  }

  /// All runs, equal ones beside each other.
  void sort() {
    for (std::uint32_t document = 0; document < ends_.size(); ++document)
      for (std::size_t at = begin_of(document); at + least_ <= ends_[document]; ++at)
        runs_.push_back({static_cast<std::uint32_t>(at), document});
    std::sort(runs_.begin(), runs_.end(), [this](const Run& a, const Run& b) {
      const int order = compare(a, b);
      return order != 0 ? order < 0 : a.at < b.at;
    });
  }

  [[nodiscard]] Json check() const {
    std::vector<std::uint32_t> cuts_before(units_.size() + 1);
    for (std::size_t i = 0; i < units_.size(); ++i) cuts_before[i + 1] = cuts_before[i] + (cut_[i] ? 1 : 0);
    std::vector<bool> covered(units_.size()), overlaps(ends_.size());
    std::size_t twice = 0, repeated = 0, more = 0;
    for (std::size_t begin = 0; begin < runs_.size();) {
      std::size_t end = begin + 1;
      while (end < runs_.size() && compare(runs_[begin], runs_[end]) == 0) ++end;
      std::size_t stay = 0;
      for (std::size_t i = begin; i < end; ++i) {
        stay += cuts_before[runs_[i].at + least_] == cuts_before[runs_[i].at] ? 1 : 0;
        if (i > begin && runs_[i].document == runs_[i - 1].document && runs_[i].at - runs_[i - 1].at < least_)
          overlaps[runs_[i].document] = true;
      }
      repeated += end - begin > 1 ? 1 : 0;
      more += end - begin - 1;
      twice += stay > 1 ? 1 : 0;
      if (stay > 0)
        for (std::size_t i = begin; i < end; ++i) std::fill_n(covered.begin() + runs_[i].at, least_, true);
      begin = end;
    }
    std::size_t lost = 0, own = 0;
    for (std::uint32_t document = 0; document < ends_.size(); ++document)
      for (std::size_t i = begin_of(document); i < ends_[document]; ++i)
        if (cut_[i] && !covered[i]) ++(overlaps[document] ? own : lost);
    return {{"documents", ends_.size()},
            {"units", units_.size()},
            {"runs", runs_.size()},
            {"repeated", repeated},
            {"more", more},
            {"cut", cuts_before.back()},
            {"twice", twice},
            {"lost", lost},
            {"own", own}};
  }

 private:
  struct Run {
    std::uint32_t at, document;
  };
  [[nodiscard]] std::size_t begin_of(std::uint32_t document) const {
    return document == 0 ? 0 : ends_[document - 1];
  }
  [[nodiscard]] int compare(const Run& a, const Run& b) const {
    const Unit *const x = units_.data() + a.at, *const y = units_.data() + b.at;
    for (std::size_t i = 0; i < least_; ++i)
      if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
  }

  std::size_t least_;
  PodVector<Unit> units_;
  std::vector<ByteRange> places_;
  std::vector<std::size_t> ends_;  // of each document
  std::unordered_map<std::string, std::uint32_t> by_id_;
  std::vector<bool> cut_;
  std::vector<Run> runs_;
};

int run(int count, char** arguments) {
  if (count != 3 && count != 5) {
    fmt::print(stderr, "usage: parts_twin LEAST CORPUS.jsonl [SPANS.jsonl REMOVED.jsonl]\n");
    return 2;
  }
  Corpus corpus(std::strtoul(arguments[1], nullptr, 10));
  corpus.read(arguments[2]);
  const double read = cpu_seconds();
  if (count == 5) corpus.cut(arguments[3], arguments[4]);
  const double cut = cpu_seconds();
  corpus.sort();
  const double sorted = cpu_seconds();
  Json result = corpus.check();
  result["read_seconds"] = read;
  result["sort_seconds"] = sorted - cut;
  result["check_seconds"] = cpu_seconds() - sorted;
  fmt::print("{}\n", result.dump());
  return 0;
}

}  // namespace
}  // namespace leitong::bench

int main(int count, char** arguments) { return leitong::bench::run(count, arguments); }
