// The exit codes, which scripts use: their meanings never change.
#pragma once

#include <span>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong::cli {

struct ExitCode {
  int code;
  std::string_view meaning;  ///< as in the help
};

inline constexpr int kExitOk = 0;
inline constexpr int kExitInput = 1;
inline constexpr int kExitSeen = 1;  ///< of check --exit-code, where errors with code 1 get 2
inline constexpr int kExitUsage = 2;
inline constexpr int kExitStopped = 3;
inline constexpr int kExitLimit = 4;
inline constexpr int kExitSystem = 5;
inline constexpr int kExitKilled = 130;
inline constexpr int kExitPipe = 141;

/// All codes with their meanings, ascending.
[[nodiscard]] std::span<const ExitCode> exit_codes() noexcept;

[[nodiscard]] int exit_code_of(ErrorCode code) noexcept;

}  // namespace leitong::cli
