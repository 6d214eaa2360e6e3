#include "standard_input.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/try.hpp"

namespace leitong::cli {
namespace {

/// True if input is sent to it.
bool is_sent() {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0) return false;
  return S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

}  // namespace

Result<void> default_to_standard_input(std::string& input) {
  if (!input.empty()) return {};
  if (!is_sent())
    return fail(ErrorCode::invalid_argument,
                "no input: name a file, send something to standard input, or say - to type it");
  input = "-";
  return {};
}

Result<void> default_to_standard_input(std::vector<std::string>& inputs) {
  if (!inputs.empty()) return {};
  std::string input;
  LEITONG_TRY(default_to_standard_input(input));
  inputs.push_back(std::move(input));
  return {};
}

Result<void> check_standard_input(const std::vector<std::string>& inputs) {
  if (std::count(inputs.begin(), inputs.end(), "-") <= 1) return {};
  return fail(ErrorCode::invalid_argument,
              "- is given twice, and standard input can be read only once; name a file for the other");
}

}  // namespace leitong::cli
