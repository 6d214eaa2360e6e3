#include "flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "human.hpp"

namespace leitong::cli {

Flag& Flag::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Flag& Flag::required(bool yes) {
  option_->required(yes);
  return *this;
}

Flag add_switch(CLI::App& app, const std::string& names, bool& value, const std::string& help) {
  return Flag(app.add_flag(names, value, help));
}

Flag add_text(CLI::App& app, const std::string& names, std::string& value, const std::string& value_name,
              const std::string& help) {
  return Flag(app.add_option(names, value, help)->type_name(value_name));
}

Flag add_list(CLI::App& app, const std::string& names, std::vector<std::string>& values,
              const std::string& value_name, const std::string& help) {
  return Flag(
      app.add_option(names, values, help)->type_name(value_name)->delimiter(',')->allow_extra_args(false));
}

Flag add_choice(CLI::App& app, const std::string& names, std::string& value,
                const std::vector<std::string>& words, const std::string& help) {
  const auto known = [words](std::string& word) {
    if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
    return fmt::format("\"{}\" is none of {}", word, fmt::join(words, ", "));
  };
  return Flag(app.add_option(names, value, help)
                  ->type_name(fmt::format("{}", fmt::join(words, "|")))
                  ->check(CLI::Validator(known, "")));
}

Flag add_number(CLI::App& app, const std::string& names, double& value, const std::string& value_name,
                double low, double high, const std::string& help) {
  const auto in_range = [low, high](std::string& word) {
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    if (end == word.c_str() || *end != '\0') return fmt::format("\"{}\" is no number", word);
    if (number >= low && number <= high) return std::string();
    return fmt::format("{} is not between {} and {}", word, low, high);
  };
  return Flag(app.add_option(names, value, help)->type_name(value_name)->check(CLI::Validator(in_range, "")));
}

Flag add_threads(CLI::App& app, double& threads, const std::string& help) {
  return add_number(app, "--threads", threads, "N", 0, 4096, help);
}

Flag add_size(CLI::App& app, const std::string& names, std::uint64_t& bytes, const std::string& help) {
  const auto to_bytes = [](std::string& word) {
    const Result<std::uint64_t> size = parse_size(word);
    if (!size) return size.error().message;
    word = std::to_string(*size);
    return std::string();
  };
  return Flag(app.add_option(names, bytes, help)->type_name("SIZE")->transform(CLI::Validator(to_bytes, "")));
}

Flag add_arguments(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                   const std::string& help) {
  return Flag(app.add_option(name, values, help)->type_name("FILE"));
}

void add_examples(CLI::App& app, const std::string& text) { app.footer(text); }

void add_line_flags(CLI::App& app, double& threads, bool& strict) {
  add_threads(app, threads, "threads (1; 0: all cores); the output is the same");
  add_switch(app, "--strict", strict, "stop at a line that isn't UTF-8, instead of replacing bad bytes");
}

}  // namespace leitong::cli
