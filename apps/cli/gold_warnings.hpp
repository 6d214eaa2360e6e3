// What a user should know of a file of truth that speaks of other documents than the input.
#pragma once

#include <cstdint>
#include <string>

namespace leitong::cli {

/// Warns of ids of the file that no document of the input has; of none there is nothing to say.
void warn_of_absent(const std::string& gold, std::uint64_t absent);
/// The same of the list of --ids.
void warn_of_absent_ids(const std::string& list, std::uint64_t absent);

}  // namespace leitong::cli
