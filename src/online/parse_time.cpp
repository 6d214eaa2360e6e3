// Reads moments as people and programs write them.
#include <charconv>
#include <chrono>
#include <cmath>

#include "leitong/online.hpp"
#include "leitong/records.hpp"

namespace leitong::online {
namespace {

/// Takes exactly `count` digits from the front.
std::optional<int> take_number(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (const char digit : text.substr(0, count)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + (digit - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char letter) {
  if (!text.starts_with(letter)) return false;
  text.remove_prefix(1);
  return true;
}

/// "08:30", "08:30:15", "08:30:15.25", as seconds since midnight. A leap second counts as the second after
/// it.
std::optional<Seconds> take_time_of_day(std::string_view& text) {
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  std::optional<int> second = 0;
  if (take(text, ':')) {
    second = take_number(text, 2);
    if (!second || *second > 60) return std::nullopt;
    if (take(text, '.')) {
      if (!take_number(text, 1)) return std::nullopt;
      while (take_number(text, 1)) {
      }
    }
  }
  return *hour * 3600 + *minute * 60 + *second;
}

/// "", "Z", "+08:00", "-0330", as seconds east of Greenwich.
std::optional<Seconds> take_zone(std::string_view& text) {
  if (text.empty() || take(text, 'Z')) return 0;
  const int sign = text.starts_with('-') ? -1 : 1;
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const auto hours = take_number(text, 2);
  take(text, ':');
  const auto minutes = text.empty() ? std::optional<int>(0) : take_number(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

std::optional<Seconds> number_of_seconds(std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() ||
      !(std::abs(seconds) <= static_cast<double>(kMostSeconds)))
    return std::nullopt;
  const auto whole = static_cast<Seconds>(std::floor(seconds));
  return is_moment(whole) ? std::optional(whole) : std::nullopt;
}

}  // namespace

bool is_moment(Seconds seconds) noexcept {
  if (seconds < -kMostSeconds || seconds > kMostSeconds) return false;
  const Seconds year = seconds / 10'000, month = seconds / 100 % 100, day = seconds % 100;
  return year < 1900 || year > 2099 || month < 1 || month > 12 || day < 1 || day > 31;
}

std::optional<Seconds> parse_time(std::string_view text) noexcept {
  std::string_view rest = text;
  const auto year = take_number(rest, 4);
  if (!year || !take(rest, '-')) return number_of_seconds(text);
  const auto month = take_number(rest, 2);
  if (!month || !take(rest, '-')) return std::nullopt;
  const auto day = take_number(rest, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const Seconds midnight = std::chrono::sys_days(date).time_since_epoch().count() * Seconds{86'400};
  if (rest.empty()) return midnight;
  if (!take(rest, 'T') && !take(rest, ' ')) return std::nullopt;
  const auto time = take_time_of_day(rest);
  if (!time) return std::nullopt;
  take(rest, ' ');
  const auto zone = take_zone(rest);
  if (!zone || !rest.empty()) return std::nullopt;
  return midnight + *time - *zone;
}

}  // namespace leitong::online
