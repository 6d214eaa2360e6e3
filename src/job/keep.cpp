#include "job/keep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>

#include "base/try.hpp"
#include "job/field_values.hpp"

namespace leitong {
namespace {

// ---- values of fields

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

/// Smaller values have smaller keys; no value has the largest key.
std::uint64_t ascending(std::optional<double> value) { return value ? ~descending(value) : kLast; }

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
                const std::function<std::uint64_t(std::string_view)>& key) {
  auto scratch = std::shared_ptr<ReadScratch>(corpus.new_scratch());
  return [&corpus, field, scratch, key](DocId document) -> Result<std::uint64_t> {
    LEITONG_ASSIGN(const std::string value, corpus.field(document, field, *scratch));
    return key(value);
  };
}

/// The place of a value in the list.
std::uint64_t place_in(const std::vector<std::string>& values, std::string_view value) {
  const auto found = std::ranges::find(values, trimmed(value));
  return found == values.end() ? kLast : static_cast<std::uint64_t>(found - values.begin());
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
      return field_key(corpus, policy.field, [](std::string_view v) { return descending(parse_time(v)); });
    case Keep::oldest:
      return field_key(corpus, policy.field, [](std::string_view v) { return ascending(parse_time(v)); });
    case Keep::max:
      return field_key(corpus, policy.field, [](std::string_view v) { return descending(parse_number(v)); });
    case Keep::min:
      return field_key(corpus, policy.field, [](std::string_view v) { return ascending(parse_number(v)); });
    case Keep::shortest:
      return [units](DocId d) -> Result<std::uint64_t> { return units[d]; };
    case Keep::source:
      if (policy.field.empty()) return source_key(policy, corpus);
      return field_key(corpus, policy.field,
                       [values = policy.sources](std::string_view v) { return place_in(values, v); });
    case Keep::first:
      return [](DocId d) -> Result<std::uint64_t> { return d; };
    case Keep::ranked:  // is refused, since no file has ranks
      break;
  }
  return [](DocId) -> Result<std::uint64_t> { return 0; };
}

}  // namespace

void ask_for(const KeepPolicy& policy, InputOptions& input) {
  if (!policy.field.empty()) input.extra_fields.push_back(policy.field);
  for (const KeepPolicy& next : policy.then) ask_for(next, input);
}

Result<KeepRanks> keep_ranks(const KeepPolicy& policy, const Corpus& corpus,
                             std::span<const std::uint32_t> units, const std::vector<bool>& wanted) {
  std::vector<KeyOf> keys{key_of(policy, corpus, units)};
  for (const KeepPolicy& next : policy.then) keys.push_back(key_of(next, corpus, units));
  KeepRanks ranks;
  std::vector<std::uint64_t> values;  // of each ranked document, one for each key
  std::vector<DocId> asked;
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    if (!wanted[d]) continue;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      LEITONG_ASSIGN(const std::uint64_t value, keys[k](static_cast<DocId>(d)));
      values.push_back(value);
      ranks.without_value += k == 0 && value == kLast;
    }
    asked.push_back(static_cast<DocId>(d));
  }
  ranks.asked = asked.size();
  const auto values_of = [&](std::size_t i) {
    return std::span<const std::uint64_t>(values).subspan(i * keys.size(), keys.size());
  };
  std::vector<std::uint32_t> order(asked.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    const auto of_x = values_of(x), of_y = values_of(y);
    const auto [differs, in_y] = std::ranges::mismatch(of_x, of_y);
    return differs == of_x.end() ? x < y : *differs < *in_y;
  });
  std::vector<std::uint32_t>& rank = ranks.rank;
  rank.resize(wanted.size());
  std::uint32_t next = 0;
  for (const std::uint32_t i : order) rank[asked[i]] = next++;
  for (std::size_t d = 0; d < wanted.size(); ++d)
    if (!wanted[d]) rank[d] = next++;
  return ranks;
}

}  // namespace leitong
