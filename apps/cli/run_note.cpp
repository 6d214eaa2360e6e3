#include "run_note.hpp"

#include <fmt/chrono.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unordered_set>

namespace leitong::cli {
namespace {

/// In single quotes if a shell would not take it as it is.
std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80U) != 0 ||
           std::strchr("_-./:=,+@%", c) != nullptr;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string command_line(const CLI::App& app) {
  std::string line = "leitong " + app.get_name();
  std::unordered_set<const CLI::Option*> done;
  for (const CLI::Option* const option : app.parse_order()) {
    if (!done.insert(option).second) continue;
    const bool positional = option->get_positional();
    const std::string name = option->get_name();
    if (option->get_items_expected_max() == 0) {
      line += " " + name;
      continue;
    }
    for (const std::string& value : option->results())
      line += positional ? " " + shell_word(value) : " " + name + " " + shell_word(value);
  }
  return line;
}

std::string date_of_run() {
  std::time_t seconds = std::time(nullptr);
  if (const char* const wanted = std::getenv("SOURCE_DATE_EPOCH"); wanted != nullptr) {
    std::time_t given = 0;
    const char* const end = wanted + std::strlen(wanted);
    if (const auto read = std::from_chars(wanted, end, given); read.ec == std::errc() && read.ptr == end)
      seconds = given;
  }
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(seconds));
}

}  // namespace leitong::cli
