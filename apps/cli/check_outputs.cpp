#include "check_outputs.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/compression.hpp"
#include "standard_input.hpp"

namespace leitong::cli {

Result<void> check_outputs(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs) {
  LEITONG_TRY(check_standard_input(inputs));
  return check_separate(outputs, inputs);
}

Result<void> check_mapped(const NamedOutput& output) {
  if (compression_of_name(output.name) == Compression::none) return {};
  return fail(ErrorCode::invalid_argument,
              fmt::format("{} {}: the file is mapped where it is used and can't be compressed; name it {}",
                          output.what, output.name, without_compression_ending(output.name)));
}

}  // namespace leitong::cli
