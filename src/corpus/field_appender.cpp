#include "corpus/field_appender.hpp"

#include <fmt/format.h>

#include <iterator>

namespace leitong {

tl::unexpected<Error> has_field_already(std::string_view thing, std::string_view name) {
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("there is a {0} \"{1}\" already, and what is there is never replaced; rename it, or "
                  "leave out what adds a {0} of this name",
                  thing, name));
}

void append_number(const AddedValue& value, std::string& out) {
  const auto end = std::back_inserter(out);
  if (const bool* truth = std::get_if<bool>(&value)) out += *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::uint64_t>(&value)) fmt::format_to(end, "{}", *integer);
  if (const double* number = std::get_if<double>(&value)) fmt::format_to(end, "{:.6g}", *number);
}

}  // namespace leitong
