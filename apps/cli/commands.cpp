#include "commands.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kWork = "Commands";
constexpr std::string_view kHelp = "About leitong";

constexpr Command kCommands[] = {
    {"compare", kWork, "compare two texts by every measure and mark what they share", add_compare},
    {"eval", kWork, "measure a result against the truth", add_eval},
    {"completion", kHelp, "print a completion script for a shell", add_completion},
    {"man", kHelp, "print the manual page", add_man},
};

}  // namespace

std::span<const Command> commands() noexcept { return kCommands; }

}  // namespace leitong::cli
