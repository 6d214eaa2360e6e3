// What users of other tools type, and what does the same here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace leitong::cli {

/// The advice for an unknown word: "--threads N is the number of threads". Empty if none is known, or if it
/// names a flag that is not among `known`, the words of the command. `is_command`: the word stands in the
/// place of a command.
[[nodiscard]] std::string advice_for(std::string_view word, bool is_command,
                                     const std::vector<std::string>& known);

/// Every word that has an advice, for tests: flags first, then commands.
[[nodiscard]] std::vector<std::string_view> words_of_other_tools();

}  // namespace leitong::cli
