// Warnings about a file of truth with other documents than the input.
#pragma once

#include <cstdint>
#include <string>

namespace leitong::cli {

/// Warns of ids in the file that no document of the input has, if there are any.
void warn_of_absent(const std::string& gold, std::uint64_t absent);
/// The same for the list of --ids.
void warn_of_absent_ids(const std::string& list, std::uint64_t absent);

}  // namespace leitong::cli
