#include "scheme/params.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "base/try.hpp"

namespace leitong {
namespace {

bool parse_number(std::string_view text, double& number) {
  const char* const end = text.data() + text.size();
  return std::from_chars(text.data(), end, number).ptr == end && !text.empty() && std::isfinite(number);
}

bool is_among(std::string_view word, std::string_view words) {
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('|', begin), words.size());
    if (words.substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

/// Errors name the setting: `synonyms` is one of its own, all other parameters belong to `params`.
tl::unexpected<Error> refuse(std::string_view name, std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message), name == "synonyms" ? "synonyms" : "params");
}

Result<void> check(const ParamInfo& info, std::string_view value) {
  if (!info.words.empty()) {
    if (is_among(value, info.words)) return {};
    return refuse(info.name,
                  fmt::format("the parameter {}={}: choose one of {}", info.name, value, info.words));
  }
  if (info.least == info.greatest) return {};
  double number = 0;
  if (!parse_number(value, number) || number < info.least || number > info.greatest ||
      (info.whole && number != std::floor(number)))
    return refuse(info.name,
                  fmt::format("the parameter {}={}: a {} from {} to {} is expected", info.name, value,
                              info.whole ? "whole number" : "number", info.least, info.greatest));
  return {};
}

}  // namespace

Result<Params> Params::parse(std::string_view method, std::span<const ParamInfo> known,
                             std::span<const std::string> given) {
  Params params;
  for (const ParamInfo& info : known) params.values_.emplace_back(info.name, info.fallback);
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      return refuse(text, fmt::format("the parameter {}: NAME=VALUE is expected", text));
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    const auto info =
        std::find_if(known.begin(), known.end(), [&](const ParamInfo& each) { return each.name == name; });
    if (info == known.end()) {
      std::string names;
      for (const ParamInfo& each : known) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
      return refuse(
          name, names.empty()
                    ? fmt::format("the parameter {}: the method {} has no parameters", name, method)
                    : fmt::format("the parameter {}: the method {} has no such parameter; it has {}", name,
                                  method, names));
    }
    LEITONG_TRY(check(*info, value));
    params.values_[static_cast<std::size_t>(info - known.begin())].second = value;
  }
  return params;
}

std::string_view Params::text(std::string_view name) const {
  const auto found =
      std::find_if(values_.begin(), values_.end(), [&](const auto& value) { return value.first == name; });
  assert(found != values_.end());
  return found->second;
}

double Params::number(std::string_view name) const {
  double value = 0;
  parse_number(text(name), value);
  return value;
}

std::string sketch_parameters(std::span<const ParamInfo> known, const Params& params) {
  std::string text;
  for (const ParamInfo& info : known) {
    if (info.use != ParamUse::sketch) continue;
    text += fmt::format("{}{}=", text.empty() ? "" : " ", info.name);
    text += info.least < info.greatest ? fmt::format("{}", params.number(info.name) + 0.0)
                                       : std::string(params.text(info.name));
  }
  return text;
}

}  // namespace leitong
