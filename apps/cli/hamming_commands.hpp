// The commands within `leitong hamming`: one file each, named in the table of hamming_command.cpp.
#pragma once

#include "command.hpp"

namespace leitong::cli {

Run add_hamming_join(CLI::App& app);
Run add_hamming_build(CLI::App& app);
Run add_hamming_search(CLI::App& app);
Run add_hamming_explain(CLI::App& app);
Run add_hamming_stats(CLI::App& app);

}  // namespace leitong::cli
