// How values of settings are read, shown and checked (leitong/settings.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/try.hpp"
#include "leitong/settings.hpp"

namespace leitong {
namespace {

constexpr double kSecondsADay = 86'400;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

tl::unexpected<Error> refuse(const Setting& setting, std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message), setting.name);
}

bool is_in_range(const Setting& setting, double number) {
  return setting.high <= setting.low || (number >= setting.low && number <= setting.high);
}
std::string out_of_range(const Setting& setting, std::string_view text) {
  return fmt::format("{} is not between {} and {}", text, setting.low, setting.high);
}

Result<double> read_number(const Setting& setting, const std::string& text, bool whole) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0') return refuse(setting, fmt::format("\"{}\" is no number", text));
  if (!is_in_range(setting, number) || (whole && number < 0))
    return refuse(setting, out_of_range(setting, text));
  if (whole && number != std::floor(number))
    return refuse(setting, fmt::format("{} is no whole number", text));
  return number;
}

Result<std::uint64_t> read_size(const Setting& setting, const std::string& text) {
  Result<std::uint64_t> size = parse_size(text);
  if (!size) return refuse(setting, size.error().message);
  if (*size == 0) return refuse(setting, "a size of 0 allows nothing; leave it out for the default");
  return size;
}

Result<std::size_t> read_word(const Setting& setting, std::string_view text) {
  const std::vector<std::string> words = words_of(setting);
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end())
    return refuse(setting, fmt::format("\"{}\" is none of {}", text, fmt::join(words, ", ")));
  return static_cast<std::size_t>(found - words.begin());
}

Result<void> not_empty(const Setting& setting, std::string_view text) {
  if (!text.empty()) return {};
  return refuse(setting, "is empty; leave it out or name a value");
}

std::string size_text(std::uint64_t bytes) {
  for (const auto& [unit, shift] : {std::pair{'G', 30}, {'M', 20}, {'K', 10}})
    if (bytes >> shift << shift == bytes) return fmt::format("{}{}", bytes >> shift, unit);
  return std::to_string(bytes);
}

std::string number_text(const Setting& setting, std::uint64_t number) {
  if (setting.value != "SIZE") return std::to_string(number);
  return number == 0 ? std::string() : size_text(number);
}

bool holds(std::string_view words, std::string_view word) {
  const std::string padded = fmt::format(" {} ", words);
  return padded.find(fmt::format(" {} ", word)) != std::string::npos;
}

}  // namespace

std::vector<std::string> words_of(const Setting& setting) {
  if (setting.words != nullptr) return setting.words();
  std::vector<std::string> words;
  std::string_view rest = setting.value;
  if (rest.find('|') == std::string_view::npos || std::isupper(static_cast<unsigned char>(rest.front())) != 0)
    return words;
  for (std::size_t bar = 0; bar != std::string_view::npos; rest.remove_prefix(bar + 1)) {
    bar = rest.find('|');
    words.emplace_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) break;
  }
  return words;
}

std::string flag_of(std::string_view name) {
  for (const Setting& setting : all_settings())
    if (setting.name == name && !setting.flag.empty())
      return std::string(setting.flag.substr(setting.flag.find(',') + 1));
  std::string flag = "--";
  flag += name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string text_of(const Setting& setting, const SettingValue& value) {
  const auto joined = [](const auto& texts) {
    std::string all;
    for (const auto& text : texts) {
      if (!all.empty()) all += ',';
      all += std::filesystem::path(text).string();
    }
    return all;
  };
  return std::visit(
      Overloaded{
          [](bool* yes) { return std::string(*yes ? "true" : "false"); },
          [&](unsigned* number) { return number_text(setting, *number); },
          [&](std::uint64_t* number) { return number_text(setting, *number); },
          [](double* number) { return *number == 0 ? std::string() : fmt::format("{}", *number); },
          [](std::optional<double>* number) { return *number ? fmt::format("{}", **number) : std::string(); },
          [](std::string* text) { return *text; },
          [](std::filesystem::path* path) { return path->string(); },
          [&](std::vector<std::string>* texts) { return joined(*texts); },
          [&](std::vector<std::filesystem::path>* paths) { return joined(*paths); },
          [](KeepPolicy* policy) { return to_string(*policy); },
          [&](WordNumber word) { return words_of(setting).at(*word.number); },
          [](ParamValue) { return std::string(); },
          [](DaysValue days) {
            return *days.seconds ? fmt::format("{}", static_cast<double>(**days.seconds) / kSecondsADay)
                                 : std::string();
          },
      },
      value);
}

Result<void> set_value(const Setting& setting, const SettingValue& value,
                       std::span<const std::string> given) {
  const bool is_list = std::holds_alternative<std::vector<std::string>*>(value) ||
                       std::holds_alternative<std::vector<std::filesystem::path>*>(value);
  if (!is_list && given.size() != 1)
    return refuse(setting, fmt::format("{} values in place of one", given.size()));
  const std::string text = given.empty() ? std::string() : given.front();
  const auto take_list = [&](auto& to) -> Result<void> {
    for (const std::string& one : given) {
      LEITONG_TRY(not_empty(setting, one));
      if (!words_of(setting).empty()) LEITONG_TRY(read_word(setting, one));
    }
    to.assign(given.begin(), given.end());
    return {};
  };
  const auto take = [](auto& to, auto result) -> Result<void> {
    if (!result) return tl::unexpected(std::move(result.error()));
    to = static_cast<std::remove_reference_t<decltype(to)>>(*result);
    return {};
  };
  const auto take_text = [&](auto& to) -> Result<void> {
    LEITONG_TRY(not_empty(setting, text));
    if (!words_of(setting).empty()) LEITONG_TRY(read_word(setting, text));
    to = text;
    return {};
  };
  return std::visit(Overloaded{
                        [&](bool* yes) -> Result<void> {
                          if (text != "true" && text != "false")
                            return refuse(setting, fmt::format("\"{}\" is neither true nor false", text));
                          *yes = text == "true";
                          return {};
                        },
                        [&](unsigned* number) { return take(*number, read_number(setting, text, true)); },
                        [&](std::uint64_t* number) {
                          return setting.value == "SIZE" ? take(*number, read_size(setting, text))
                                                         : take(*number, read_number(setting, text, true));
                        },
                        [&](double* number) { return take(*number, read_number(setting, text, false)); },
                        [&](std::optional<double>* number) {
                          return take(number->emplace(), read_number(setting, text, false));
                        },
                        [&](std::string* to) { return take_text(*to); },
                        [&](std::filesystem::path* to) { return take_text(*to); },
                        [&](std::vector<std::string>* to) { return take_list(*to); },
                        [&](std::vector<std::filesystem::path>* to) { return take_list(*to); },
                        [&](KeepPolicy* policy) -> Result<void> {
                          LEITONG_ASSIGN(*policy, parse_keep_policy(text));
                          return {};
                        },
                        [&](WordNumber word) { return take(*word.number, read_word(setting, text)); },
                        [&](DaysValue days) -> Result<void> {
                          LEITONG_ASSIGN(const double number, read_number(setting, text, false));
                          *days.seconds = static_cast<online::Seconds>(number * kSecondsADay);
                          return {};
                        },
                        [&](ParamValue param) -> Result<void> {
                          LEITONG_TRY(not_empty(setting, text));
                          param.params->push_back(fmt::format("{}={}", setting.name, text));
                          return {};
                        },
                    },
                    value);
}

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

bool is_changed(const ChosenSetting& chosen) {
  return std::visit(
      Overloaded{
          [&](WordNumber word) { return *word.number != *std::get<WordNumber>(chosen.standard).number; },
          [&](KeepPolicy* policy) {
            return to_string(*policy) != to_string(*std::get<KeepPolicy*>(chosen.standard));
          },
          [](ParamValue) { return false; },
          [](DaysValue days) { return days.seconds->has_value(); },
          [&]<class T>(T* value) { return *value != *std::get<T*>(chosen.standard); },
      },
      chosen.value);
}

Result<void> check_chosen(std::span<const ChosenSetting> chosen) {
  for (const ChosenSetting& one : chosen) {
    const Setting& setting = one.setting;
    if (!is_changed(one)) continue;
    const auto* const number = std::get_if<double*>(&one.value);
    const auto* const optional = std::get_if<std::optional<double>*>(&one.value);
    const double value = number != nullptr     ? **number
                         : optional != nullptr ? (*optional)->value()
                                               : setting.low;
    if (!is_in_range(setting, value)) return refuse(setting, out_of_range(setting, fmt::format("{}", value)));
    if (const auto* const text = std::get_if<std::string*>(&one.value);
        text != nullptr && !words_of(setting).empty())
      LEITONG_TRY(read_word(setting, **text));
    for (const ChosenSetting& other : chosen) {
      const std::string_view name = other.setting.name;
      if ((is_changed(other) && holds(setting.excludes, name)))
        return fail(ErrorCode::invalid_argument, fmt::format("{}; leave one of the two out", setting.why),
                    setting.name, name);
      if (!is_changed(other) && setting.needs == name)
        return fail(ErrorCode::invalid_argument, std::string(setting.why), setting.name, name);
    }
  }
  return {};
}

Error unknown_setting(std::string_view name) {
  return {ErrorCode::invalid_argument, fmt::format("there is no setting \"{}\"", name)};
}

}  // namespace leitong
