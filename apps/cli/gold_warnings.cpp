#include "gold_warnings.hpp"

#include <fmt/core.h>

#include "human.hpp"
#include "terminal.hpp"

namespace leitong::cli {

void warn_of_absent(const std::string& gold, std::uint64_t absent) {
  if (absent > 0)
    print_warning(fmt::format("{} names {} that {} not in the input; they don't count", gold,
                              human_counted(absent, "document"), absent == 1 ? "is" : "are"));
}

void warn_of_absent_ids(const std::string& list, std::uint64_t absent) {
  if (absent > 0)
    print_warning(
        fmt::format("{} lists {} that no document of the input has", list, human_counted(absent, "id")));
}

}  // namespace leitong::cli
