#include "human.hpp"

#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <cmath>

namespace leitong::cli {

Result<std::uint64_t> parse_size(std::string_view text) {
  const auto refuse = [&] {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("\"{}\" is no size; write bytes, or a number with K, M, G or T, such as 4G", text));
  };
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value < 0) return refuse();
  std::string unit;
  for (char c : std::string_view(rest, static_cast<std::size_t>(text.data() + text.size() - rest)))
    if (c != ' ') unit += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (unit.ends_with("IB"))
    unit.resize(unit.size() - 2);
  else if (unit.ends_with("B"))
    unit.pop_back();
  if (unit.size() > 1) return refuse();
  if (!unit.empty()) {
    const std::size_t step = std::string_view("KMGT").find(unit[0]);
    if (step == std::string_view::npos) return refuse();
    value *= std::pow(1024.0, static_cast<double>(step + 1));
  }
  if (value >= 9.2e18) return refuse();
  return static_cast<std::uint64_t>(value);
}

std::string human_bytes(double bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f} {}", bytes, bytes == 1 ? "byte" : kUnits[0]);
  return fmt::format("{:.{}f} {}", bytes, bytes < 9.95 ? 1 : 0, kUnits[unit]);
}

std::string human_count(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, 1, ',');
  return text;
}

std::string human_counted(std::uint64_t n, std::string_view one, std::string_view many) {
  if (n == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", human_count(n), one)
                      : fmt::format("{} {}", human_count(n), many);
}

std::string human_share(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : std::string("0 %");
}

std::string human_seconds(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace leitong::cli
