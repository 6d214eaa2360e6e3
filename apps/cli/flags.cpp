#include "flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "terminal.hpp"

namespace leitong::cli {
namespace {

/// The help of a setting: its purpose and its default.
std::string help_of(const Setting& setting, const SettingValue& value) {
  const std::string standard = setting.unset.empty() ? text_of(setting, value) : std::string(setting.unset);
  if (setting.name.empty() || standard.empty() || std::holds_alternative<bool*>(value))
    return std::string(setting.help);
  return fmt::format("{} ({})", setting.help, standard);
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

bool Flag::given() const { return option_->count() > 0; }

Flag add_setting(CLI::App& app, const Setting& setting, const SettingValue& value) {
  const std::string names(setting.flag.empty() ? flag_of(setting.name) : setting.flag);
  const std::string help = help_of(setting, value);
  const auto take = [setting, value,
                     name = names.substr(names.rfind(',') + 1)](std::span<const std::string> given) {
    if (const auto done = set_value(setting, value, given); !done)
      throw CLI::ValidationError(name, done.error().message);
  };
  CLI::Option* option = nullptr;
  if (auto* const yes = std::get_if<bool*>(&value)) {
    option = app.add_flag_callback(
        names, [to = *yes, given = !**yes] { *to = given; }, help);
  } else if (!names.starts_with('-') && std::holds_alternative<std::vector<std::string>*>(value)) {
    option = app.add_option(names, *std::get<std::vector<std::string>*>(value), help)
                 ->type_name(std::string(setting.value));  // an empty file name is an error
  } else {
    const bool is_list = std::holds_alternative<std::vector<std::string>*>(value) ||
                         std::holds_alternative<std::vector<std::filesystem::path>*>(value);
    option = is_list ? app.add_option_function<std::vector<std::string>>(names, take, help)
                     : app.add_option_function<std::string>(
                           names,
                           [take](const std::string& word) {
                             take({&word, 1});
                           },
                           help);
    if (is_list) option->delimiter(',')->allow_extra_args(false);
    const std::vector<std::string> words = words_of(setting);
    option->type_name(words.empty() ? std::string(setting.value) : fmt::format("{}", fmt::join(words, "|")));
  }
  if (!setting.group.empty()) option->group(std::string(setting.group));
  return Flag(option);
}

Flag add_switch(CLI::App& app, Literal names, bool& value, Literal help) {
  return Flag(app.add_flag(std::string(names), value, std::string(help)));
}

Flag add_text(CLI::App& app, Literal names, std::string& value, Literal value_name, Literal help) {
  return add_setting(app, {.value = value_name, .help = help, .flag = names}, &value);
}

Flag add_any_text(CLI::App& app, Literal names, std::string& value, Literal value_name, Literal help) {
  return Flag(
      app.add_option(std::string(names), value, std::string(help))->type_name(std::string(value_name)));
}

Flag add_list(CLI::App& app, Literal names, std::vector<std::string>& values, Literal value_name,
              Literal help) {
  return add_setting(app, {.value = value_name, .help = help, .flag = names}, &values);
}

Flag add_choice(CLI::App& app, Literal names, std::string& value, std::vector<std::string> (*words)(),
                Literal help) {
  return add_setting(app, {.help = help, .flag = names, .words = words}, &value);
}

Flag add_size(CLI::App& app, Literal names, std::uint64_t& bytes, Literal help) {
  return add_setting(app, {.value = "SIZE", .help = help, .flag = names}, &bytes);
}

void add_quiet(CLI::App& app) {
  app.add_flag_callback(
      "-q,--quiet", [] { set_quiet(); }, "print only warnings and errors on standard error");
}

Flag add_arguments(CLI::App& app, Literal name, std::vector<std::string>& values, Literal help) {
  return add_list(app, name, values, "FILE", help);
}

void add_examples(CLI::App& app, const std::string& text) { app.footer(text); }

void add_line_flags(CLI::App& app, unsigned& threads, std::string& encoding, bool& strict) {
  add_number(app, "--threads", threads, "N", 0, 4096,
             "number of threads (1; 0: one for each core); the output is the same for any number");
  add_text(app, "--encoding", encoding, "NAME",
           "the encoding of the input, such as GB18030, Big5 or UTF-16 (UTF-8); the output is UTF-8");
  add_switch(app, "--strict", strict,
             "stop with an error at a line that isn't UTF-8, instead of replacing its bad bytes");
}

void add_all_scripts(CLI::App& app, bool& all_scripts) {
  add_switch(app, "--all-scripts", all_scripts,
             "cut kana, hangul, Thai, Cyrillic and other scripts into words by their own rules; jieba cuts "
             "some of them letter by letter");
}

void add_phrases(CLI::App& app, std::string& path) {
  add_any_text(app, "--phrases", path, "FILE",
               "words with spaces, which --user-dict can't have, one a line, and after a tab the tag, if "
               "any: where such a word begins and ends with words of the text, it is one word");
}

std::string message_of(const Error& error) {
  if (error.setting.empty()) return error.message;
  const std::string other = error.other.empty() ? std::string() : ", " + flag_of(error.other);
  return fmt::format("{} ({}{})", error.message, flag_of(error.setting), other);
}

}  // namespace leitong::cli
