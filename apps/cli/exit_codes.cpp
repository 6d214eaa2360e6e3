#include "exit_codes.hpp"

namespace leitong::cli {
namespace {

constexpr ExitCode kTable[] = {
    {kExitOk, "done (single bad records are quarantined, not failures)"},
    {kExitInput,
     "the input is missing, broken or truncated, or --strict met a bad record, or no record was a document"},
    {kExitUsage, "a flag, a value or a combination that can't be meant; nothing was read or written"},
    {kExitStopped, "stopped by Ctrl-C, SIGTERM or a closed terminal (SIGHUP); no output was written"},
    {kExitLimit, "a limit was reached, such as --memory"},
    {kExitSystem, "the system refused a read or a write (disk full, permission); no output was written"},
    {kExitKilled, "stopped at once by a second Ctrl-C"},
    {kExitPipe, "the reader of standard output went away"},
};

}  // namespace

std::span<const ExitCode> exit_codes() noexcept { return kTable; }

int exit_code_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::unsupported:
      return kExitUsage;
    case ErrorCode::not_found:
    case ErrorCode::corrupt:
      return kExitInput;
    case ErrorCode::cancelled:
      return kExitStopped;
    case ErrorCode::limit:
      return kExitLimit;
    case ErrorCode::io:
      return kExitSystem;
  }
  return kExitInput;
}

}  // namespace leitong::cli
