#include "exit_codes.hpp"

namespace leitong::cli {
namespace {

constexpr ExitCode kTable[] = {
    {kExitOk, "done; records that can't be read are quarantined, and that is no failure"},
    {kExitInput,
     "the input is missing, damaged or cut off, or --strict met a bad record, or no record could be read as "
     "a document. With --exit-code: a document was seen (check) or an item leaked (decontaminate), and these "
     "errors have 2"},
    {kExitUsage,
     "the command line is wrong: an unknown flag, a value that is not allowed, or flags that contradict each "
     "other; no output was written"},
    {kExitStopped, "stopped by Ctrl-C, SIGTERM or a closed terminal (SIGHUP); no output was written"},
    {kExitLimit, "a limit was reached, for example that of --memory; no output was written"},
    {kExitSystem, "the system refused a read or a write (disk full, permission); no output was written"},
    {kExitKilled, "ended at once by a second Ctrl-C"},
    {kExitPipe, "the program that read standard output has ended"},
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
    case ErrorCode::conflict:
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
