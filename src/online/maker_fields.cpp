#include "online/maker_fields.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/try.hpp"
#include "online/number_in.hpp"

namespace leitong::online {

Fields fields_of(const Maker& maker) {
  return {{"scheme", scheme_text(maker.scheme)},
          {"given", fmt::format("{}", fmt::join(maker.given, "\n"))},
          {"distance", std::to_string(maker.distance)},
          {"texts", maker.keeps_texts ? "kept" : "none"}};
}

Result<void> check_format(const Fields& fields, std::string_view known, std::string_view place) {
  const auto field = fields.find("format");
  const std::string_view format = field == fields.end() ? std::string_view() : field->second;
  if (format == known) return {};
  return fail(ErrorCode::unsupported, fmt::format("{}: is of the format \"{}\", this program reads \"{}\"",
                                                  place, format.substr(0, 60), known));
}

Result<std::optional<Maker>> maker_in(Fields& fields) {
  Maker maker;
  LEITONG_ASSIGN(maker.scheme, parse_scheme(fields["scheme"]));
  for (std::string_view given = fields["given"]; !given.empty();) {
    const std::size_t end = std::min(given.find('\n'), given.size());
    maker.given.emplace_back(given.substr(0, end));
    given.remove_prefix(std::min(end + 1, given.size()));
  }
  const auto distance = number_in(fields["distance"]);
  if (!distance || *distance > 64) return std::nullopt;
  maker.distance = static_cast<unsigned>(*distance);
  maker.keeps_texts = fields["texts"] == "kept";
  return maker;
}

}  // namespace leitong::online
