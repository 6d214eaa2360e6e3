// What a report says of the run that made it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace leitong::cli {

/// The command line of a parsed command, as a shell would take it: flags in the order in which they were
/// given.
[[nodiscard]] std::string command_line(const CLI::App& app);

/// "2026-11-27 06:45 UTC": the present minute, or that of SOURCE_DATE_EPOCH (seconds since 1970) in the
/// environment, for outputs that are the same at any time.
[[nodiscard]] std::string date_of_run();

}  // namespace leitong::cli
