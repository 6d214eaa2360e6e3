#include "online/index_spec_fields.hpp"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "base/try.hpp"
#include "online/number_in.hpp"

namespace leitong::online {

Fields fields_of(const IndexSpec& spec) {
  Fields fields = {{"scheme", scheme_text(spec.scheme)},
                   {"given", joined_lines(spec.given)},
                   {"distance", std::to_string(spec.distance)},
                   {"texts", spec.keeps_texts ? "kept" : "none"}};
  if (std::string named = joined_lines(named_files(spec.dictionaries)); !named.empty())
    fields["dictionaries"] = std::move(named);
  return fields;
}

Result<void> check_format(const Fields& fields, std::string_view known, std::string_view place) {
  const auto field = fields.find("format");
  const std::string_view format = field == fields.end() ? std::string_view() : field->second;
  if (format == known) return {};
  return fail(ErrorCode::unsupported, fmt::format("{}: is of the format \"{}\", this program reads \"{}\"",
                                                  place, format.substr(0, 60), known));
}

Result<std::optional<IndexSpec>> spec_in(Fields& fields) {
  IndexSpec spec;
  LEITONG_ASSIGN(spec.scheme, parse_scheme(fields["scheme"]));
  spec.given = split_lines(fields["given"]);
  spec.dictionaries = dictionaries_of(split_lines(fields["dictionaries"]));
  const auto distance = number_in(fields["distance"]);
  if (!distance || *distance > 64) return std::nullopt;
  spec.distance = static_cast<unsigned>(*distance);
  spec.keeps_texts = fields["texts"] == "kept";
  return spec;
}

}  // namespace leitong::online
