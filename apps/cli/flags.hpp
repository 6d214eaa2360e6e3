// How commands declare flags, so that help, manual and completion can show all of them alike.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::cli {

// The value name is what the help shows and what completion goes by: FILE and DIR complete to paths, "a|b|c"
// to these words.

/// A switch.
CLI::Option* add_switch(CLI::App& app, const std::string& names, bool& value, const std::string& help);
/// One text value.
CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& value,
                      const std::string& value_name, const std::string& help);
/// Text values; the flag may be repeated, or its values joined by commas.
CLI::Option* add_list(CLI::App& app, const std::string& names, std::vector<std::string>& values,
                      const std::string& value_name, const std::string& help);
/// One of some words; anything else is refused with the list.
CLI::Option* add_choice(CLI::App& app, const std::string& names, std::string& value,
                        const std::vector<std::string>& words, const std::string& help);
/// A number within [low, high].
CLI::Option* add_number(CLI::App& app, const std::string& names, double& value, const std::string& value_name,
                        double low, double high, const std::string& help);
/// A size in bytes, as parse_size() reads it.
CLI::Option* add_size(CLI::App& app, const std::string& names, std::uint64_t& bytes, const std::string& help);
/// Positional arguments, at least one if required.
CLI::Option* add_arguments(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                           bool required, const std::string& help);
/// --threads and --strict of the commands that work line by line.
void add_line_flags(CLI::App& app, double& threads, bool& strict);

}  // namespace leitong::cli
