#include "job/keep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/try.hpp"

namespace leitong {
namespace {

// ---- values of fields

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
  return value;
}

/// Removes exactly `digits` digits from the beginning.
bool take_digits(std::string_view& text, std::size_t digits, int& value) {
  if (text.size() < digits) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc{} || end != text.data() + digits || text[0] == '-') return false;
  text.remove_prefix(digits);
  return true;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text[0]) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Parses ISO 8601 in its extended form, from the year alone to a time with fraction and zone, as seconds
/// since 1970. A time without zone is UTC.
std::optional<double> parse_date(std::string_view text) {
  text = trimmed(text);
  int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  double fraction = 0;
  int zone_minutes = 0;
  if (!take_digits(text, 4, year)) return std::nullopt;
  if (take(text, "-") && !take_digits(text, 2, month)) return std::nullopt;
  if (take(text, "-") && !take_digits(text, 2, day)) return std::nullopt;
  if (take(text, "Tt ")) {
    if (!take_digits(text, 2, hour) || !take(text, ":") || !take_digits(text, 2, minute)) return std::nullopt;
    if (take(text, ":") && !take_digits(text, 2, second)) return std::nullopt;
    if (take(text, ".,")) {
      double weight = .1;
      for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), weight /= 10)
        fraction += weight * (text[0] - '0');
    }
    const bool minus = text.starts_with('-');
    if (take(text, "+-")) {
      int hours = 0, minutes = 0;
      if (!take_digits(text, 2, hours)) return std::nullopt;
      take(text, ":");
      if (!text.empty() && !take_digits(text, 2, minutes)) return std::nullopt;
      zone_minutes = (minus ? -1 : 1) * (60 * hours + minutes);
    } else {
      take(text, "Zz");
    }
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!text.empty() || !date.ok() || hour > 24 || minute > 59 || second > 60) return std::nullopt;
  const double days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return ((days * 24 + hour) * 60 + minute - zone_minutes) * 60 + second + fraction;
}

// ---- sort keys: the document of the smaller key stays

constexpr std::uint64_t kLast = UINT64_MAX;

/// Larger values have smaller keys; no value has the largest key.
std::uint64_t descending(std::optional<double> value) {
  if (!value) return kLast;
  const auto bits = std::bit_cast<std::uint64_t>(*value == 0 ? 0.0 : *value);
  // The usual order-preserving map of IEEE doubles to integers, then reversed.
  const std::uint64_t ascending = bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
  return ~ascending;
}

bool is_within(const std::filesystem::path& file, const std::filesystem::path& file_or_folder) {
  const auto [in_folder, in_file] =
      std::mismatch(file_or_folder.begin(), file_or_folder.end(), file.begin(), file.end());
  return in_folder == file_or_folder.end();
}

std::filesystem::path normal(std::string_view path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

using KeyOf = std::function<Result<std::uint64_t>(DocId)>;

KeyOf field_key(const Corpus& corpus, const std::string& field,
                std::optional<double> (*parse)(std::string_view)) {
  auto scratch = std::shared_ptr<ReadScratch>(corpus.new_scratch());
  return [&corpus, field, scratch, parse](DocId document) -> Result<std::uint64_t> {
    LEITONG_ASSIGN(const std::string value, corpus.field(document, field, *scratch));
    return descending(parse(value));
  };
}

KeyOf source_key(const KeepPolicy& policy, const Corpus& corpus) {
  std::vector<std::filesystem::path> preferred;
  preferred.reserve(policy.sources.size());
  for (const std::string& source : policy.sources) preferred.push_back(normal(source));
  // Adjacent documents usually come from one source, so the last result is tried first.
  return [&corpus, preferred, last = std::string_view(),
          key = std::uint64_t{0}](DocId document) mutable -> Result<std::uint64_t> {
    const std::string_view path = corpus.source_path(document);
    if (path.data() == last.data() && path == last) return key;
    const std::filesystem::path file = normal(path);
    const auto found =
        std::find_if(preferred.begin(), preferred.end(),
                     [&](const std::filesystem::path& place) { return is_within(file, place); });
    last = path;
    key = found == preferred.end() ? kLast : static_cast<std::uint64_t>(found - preferred.begin());
    return key;
  };
}

/// Dates are tried first: four digits alone are a year, not a number of seconds since 1970.
std::optional<double> parse_time(std::string_view text) {
  if (const auto date = parse_date(text)) return date;
  return parse_number(text);
}

KeyOf key_of(const KeepPolicy& policy, const Corpus& corpus, std::span<const std::uint32_t> units) {
  switch (policy.by) {
    case Keep::longest:
    case Keep::covering:  // which replaces the order of the longest once losses are known
      return [units](DocId d) -> Result<std::uint64_t> { return UINT32_MAX - units[d]; };
    case Keep::newest:
      return field_key(corpus, policy.field, parse_time);
    case Keep::max:
      return field_key(corpus, policy.field, parse_number);
    case Keep::source:
      return source_key(policy, corpus);
    case Keep::first:
    case Keep::ranked:  // no file has ranks: to_options() refuses it
      break;
  }
  return [](DocId) -> Result<std::uint64_t> { return 0; };
}

}  // namespace

void ask_for(const KeepPolicy& policy, InputOptions& input) {
  if (policy.by == Keep::newest || policy.by == Keep::max) input.extra_fields.push_back(policy.field);
}

Result<KeepRanks> keep_ranks(const KeepPolicy& policy, const Corpus& corpus,
                             std::span<const std::uint32_t> units, const std::vector<bool>& wanted) {
  const KeyOf key = key_of(policy, corpus, units);
  KeepRanks ranks;
  std::vector<std::pair<std::uint64_t, DocId>> order;
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    if (!wanted[d]) continue;
    LEITONG_ASSIGN(const std::uint64_t value, key(static_cast<DocId>(d)));
    order.emplace_back(value, static_cast<DocId>(d));
    ranks.without_value += value == kLast;
  }
  ranks.asked = order.size();
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t>& rank = ranks.rank;
  rank.resize(wanted.size());
  std::uint32_t next = 0;
  for (const auto& [value, document] : order) rank[document] = next++;
  for (std::size_t d = 0; d < wanted.size(); ++d)
    if (!wanted[d]) rank[d] = next++;
  return ranks;
}

}  // namespace leitong
