#include "flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "human.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

/// The number of a word, or why it is none within [low, high].
std::string number_in(const std::string& word, double low, double high, double& number) {
  char* end = nullptr;
  number = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != '\0') return fmt::format("\"{}\" is no number", word);
  if (number >= low && number <= high) return {};
  return fmt::format("{} is not between {} and {}", word, low, high);
}

template <class N>
Flag add_whole_number(CLI::App& app, const std::string& names, N& value, const std::string& value_name, N low,
                      N high, const std::string& help) {
  const auto whole = [low, high](std::string& word) {
    double number = 0;
    std::string problem = number_in(word, static_cast<double>(low), static_cast<double>(high), number);
    if (!problem.empty()) return problem;
    if (number != std::floor(number)) return fmt::format("{} is no whole number", word);
    word = std::to_string(static_cast<N>(number));
    return std::string();
  };
  return Flag(
      app.add_option(names, value, help)->type_name(value_name)->transform(CLI::Validator(whole, "")));
}

/// Leaving a flag out and giving it nothing are two things.
CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& word) {
        return word.empty() ? std::string("is empty; leave it out or name a value") : std::string();
      },
      "");
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto known = [words](std::string& word) {
    if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
    return fmt::format("\"{}\" is none of {}", word, fmt::join(words, ", "));
  };
  return CLI::Validator(known, "");
}

void warn_of_old(const std::string& name, const std::string& now) {
  print_warning(fmt::format("{} is called {} now; the old name will be gone in the next version", name, now));
}

}  // namespace

Flag& Flag::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Flag& Flag::required(bool yes) {
  option_->required(yes);
  return *this;
}

Flag& Flag::renamed(const std::string& old, const std::string& now) {
  option_->transform(CLI::Validator(
      [flag = option_->get_name(), old, now](std::string& word) {
        if (word == old) {
          warn_of_old(flag + " " + old, flag + " " + now);
          word = now;
        }
        return std::string();
      },
      ""));
  return *this;
}

bool Flag::given() const { return option_->count() > 0; }

std::string Flag::name() const { return option_->get_name(); }

Flag add_switch(CLI::App& app, const std::string& names, bool& value, const std::string& help) {
  return Flag(app.add_flag(names, value, help));
}

Flag add_text(CLI::App& app, const std::string& names, std::string& value, const std::string& value_name,
              const std::string& help) {
  return Flag(app.add_option(names, value, help)->type_name(value_name)->check(not_empty()));
}

Flag add_any_text(CLI::App& app, const std::string& names, std::string& value, const std::string& value_name,
                  const std::string& help) {
  return Flag(app.add_option(names, value, help)->type_name(value_name));
}

Flag add_list(CLI::App& app, const std::string& names, std::vector<std::string>& values,
              const std::string& value_name, const std::string& help) {
  return Flag(app.add_option(names, values, help)
                  ->type_name(value_name)
                  ->delimiter(',')
                  ->allow_extra_args(false)
                  ->check(not_empty()));
}

Flag add_param(CLI::App& app, const std::string& names, std::vector<std::string>& params,
               const std::string& name, const std::string& value_name, const std::string& help) {
  const auto add = [&params, name](const std::string& value) { params.push_back(name + "=" + value); };
  return Flag(
      app.add_option_function<std::string>(names, add, help)->type_name(value_name)->check(not_empty()));
}

Flag add_choice(CLI::App& app, const std::string& names, std::string& value,
                const std::vector<std::string>& words, const std::string& help) {
  return Flag(app.add_option(names, value, help)
                  ->type_name(fmt::format("{}", fmt::join(words, "|")))
                  ->check(one_of(words)));
}

namespace {

template <class Number>
Flag add_number_within(CLI::App& app, const std::string& names, Number& value, const std::string& value_name,
                       double low, double high, const std::string& help) {
  const auto in_range = [low, high](std::string& word) {
    double number = 0;
    return number_in(word, low, high, number);
  };
  return Flag(app.add_option(names, value, help)->type_name(value_name)->check(CLI::Validator(in_range, "")));
}

}  // namespace

Flag add_number(CLI::App& app, const std::string& names, double& value, const std::string& value_name,
                double low, double high, const std::string& help) {
  return add_number_within(app, names, value, value_name, low, high, help);
}

Flag add_number(CLI::App& app, const std::string& names, std::optional<double>& value,
                const std::string& value_name, double low, double high, const std::string& help) {
  return add_number_within(app, names, value, value_name, low, high, help);
}

Flag add_whole(CLI::App& app, const std::string& names, std::uint64_t& value, const std::string& value_name,
               std::uint64_t low, std::uint64_t high, const std::string& help) {
  return add_whole_number(app, names, value, value_name, low, high, help);
}

Flag add_whole(CLI::App& app, const std::string& names, unsigned& value, const std::string& value_name,
               unsigned low, unsigned high, const std::string& help) {
  return add_whole_number(app, names, value, value_name, low, high, help);
}

Flag add_threads(CLI::App& app, unsigned& threads, const std::string& help) {
  return add_whole(app, "--threads", threads, "N", 0, 4096, help);
}

void add_old_switch(CLI::App& app, const std::string& name, bool& value, const std::string& now) {
  app.add_flag_callback(name,
                        [name, &value, now] {
                          value = true;
                          warn_of_old(name, now);
                        })
      ->group("");
}

void add_old_text(CLI::App& app, const std::string& name, std::string& value,
                  const std::vector<std::string>& words, const std::string& now) {
  CLI::Option* const option =
      app.add_option_function<std::string>(name,
                                           [name, &value, now](const std::string& text) {
                                             value = text;
                                             warn_of_old(name, now);
                                           })
          ->group("");
  if (!words.empty()) option->check(one_of(words));
}

void add_quiet(CLI::App& app) {
  app.add_flag_callback(
      "-q,--quiet", [] { set_quiet(); }, "print only warnings and errors on standard error");
}

Flag add_size(CLI::App& app, const std::string& names, std::uint64_t& bytes, const std::string& help) {
  const auto to_bytes = [](std::string& word) {
    const Result<std::uint64_t> size = parse_size(word);
    if (!size) return size.error().message;
    if (*size == 0) return std::string("a size of 0 allows nothing; leave it out for the default");
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

void add_line_flags(CLI::App& app, unsigned& threads, std::string& encoding, bool& strict) {
  add_threads(app, threads,
              "number of threads (1; 0: one for each core); the output is the same for any number");
  add_text(app, "--encoding", encoding, "NAME",
           "the encoding of the input, such as GB18030, Big5 or UTF-16 (UTF-8); the output is UTF-8");
  add_switch(app, "--strict", strict,
             "stop with an error at a line that isn't UTF-8, instead of replacing its bad bytes");
}

}  // namespace leitong::cli
