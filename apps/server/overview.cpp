#include "overview.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <unordered_map>
#include <vector>

#include "leitong/json.hpp"
#include "leitong/utf8.hpp"

namespace leitong::server {
namespace {

constexpr std::size_t kMostRows = 20;
constexpr std::size_t kOpeningBytes = 150;

/// The first bytes of a text, up to a whole character.
std::string_view opening(std::string_view text) {
  std::size_t end = std::min(text.size(), kOpeningBytes);
  while (end > 0 && end < text.size() && continues_code_point(text[end])) --end;
  return text.substr(0, end);
}

/// Maps sources to small numbers.
class Names {
 public:
  std::uint32_t number(const std::string& name) {
    const auto [place, fresh] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (fresh) names_.push_back(name);
    return place->second;
  }
  [[nodiscard]] const std::string& operator[](std::uint32_t number) const { return names_[number]; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
};

struct Row {
  std::string id, opening, source;
  std::string_view verdict;
};

/// Collects the figures in one pass through all texts.
struct Tally {
  std::uint64_t texts = 0;
  std::unordered_map<std::string, std::uint32_t> members;        // of a family, by its representative
  std::unordered_map<std::string, std::uint32_t> sources;        // of representatives
  std::vector<std::pair<std::string, std::uint32_t>> followers;  // family, source
  std::deque<Row> newest;
  Names names;

  void take(const online::Stored& text) {
    ++texts;
    if (text.family) ++members[*text.family];
    if (!text.source.empty()) {
      const std::uint32_t source = names.number(text.source);
      if (text.family) {
        followers.emplace_back(*text.family, source);
      } else {
        sources.emplace(text.id, source);
      }
    }
    newest.push_back(
        {text.id, std::string(opening(text.text)), text.source, online::verdict_name(text.verdict)});
    if (newest.size() > kMostRows) newest.pop_front();
  }
};

void append_row(std::string& json, const Row& row) {
  json += "\"id\":";
  append_json_string(row.id, json);
  if (!row.source.empty()) {
    json += ",\"source\":";
    append_json_string(row.source, json);
  }
  json += ",\"opening\":";
  append_json_string(row.opening, json);
}

Outcome<void> append_largest(std::string& json, const online::Index& index, const Tally& tally) {
  std::vector<std::pair<std::uint32_t, std::string_view>> families;
  families.reserve(tally.members.size());
  for (const auto& [id, count] : tally.members) families.emplace_back(count, id);
  const auto end = families.begin() + static_cast<std::ptrdiff_t>(std::min(families.size(), kMostRows));
  std::partial_sort(families.begin(), end, families.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  const char* separator = "";
  for (auto family = families.begin(); family != end; ++family) {
    SERVER_ASSIGN(const auto head, outcome(index.get(family->second)));
    if (!head) continue;  // it was removed meanwhile
    fmt::format_to(std::back_inserter(json), "{}{{\"members\":{},", std::exchange(separator, ","),
                   family->first + 1);
    append_row(json, {head->id, std::string(opening(head->text)), head->source, {}});
    json += '}';
  }
  return {};
}

void append_sources(std::string& json, const Tally& tally) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
  for (const auto& [family, source] : tally.followers)
    if (const auto of = tally.sources.find(family); of != tally.sources.end()) ++counts[{source, of->second}];
  std::vector<std::pair<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>>> rows;
  rows.reserve(counts.size());
  for (const auto& [pair, count] : counts) rows.emplace_back(count, pair);
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  if (rows.size() > kMostRows) rows.resize(kMostRows);
  const char* separator = "";
  for (const auto& [count, pair] : rows) {
    fmt::format_to(std::back_inserter(json), "{}{{\"source\":", std::exchange(separator, ","));
    append_json_string(tally.names[pair.first], json);
    json += ",\"of\":";
    append_json_string(tally.names[pair.second], json);
    fmt::format_to(std::back_inserter(json), ",\"texts\":{}}}", count);
  }
}

}  // namespace

Outcome<std::string> overview_json(const online::Index& index) {
  SERVER_ASSIGN(const online::Figures figures, outcome(index.figures()));
  if (figures.texts > kMostOverviewTexts)
    return problem(
        413, fmt::format(
                 "an index of more than {} texts has no overview; `leitong index export` writes all of them",
                 kMostOverviewTexts));
  Tally tally;
  SERVER_TRY(outcome(index.for_each([&](const online::Stored& text) -> Result<void> {
    tally.take(text);
    return {};
  })));
  std::string json = fmt::format("{{\"texts\":{},\"largest\":[", tally.texts);
  SERVER_TRY(append_largest(json, index, tally));
  json += "],\"newest\":[";
  const char* separator = "";
  for (auto row = tally.newest.rbegin(); row != tally.newest.rend(); ++row) {
    fmt::format_to(std::back_inserter(json), "{}{{\"verdict\":\"{}\",", std::exchange(separator, ","),
                   row->verdict);
    append_row(json, *row);
    json += '}';
  }
  json += "],\"sources\":[";
  append_sources(json, tally);
  return json + "]}";
}

}  // namespace leitong::server
