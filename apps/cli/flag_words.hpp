// The library's errors speak of things; whoever typed a command wants to read its flags.
#pragma once

#include <string>

namespace leitong::cli {

/// The message with the flag in the place of each thing that one sets: "the parameter bands" becomes "--param
/// bands".
[[nodiscard]] std::string with_flags(std::string message);

}  // namespace leitong::cli
