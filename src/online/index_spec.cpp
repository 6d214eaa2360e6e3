#include "online/index_spec.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/try.hpp"
#include "online/bytes.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kUser = "user", kIdf = "idf", kStopWords = "stop_words", kModel = "model";

}  // namespace

std::string joined_lines(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> named_files(const Dictionaries& dictionaries) {
  std::vector<std::string> named;
  const auto add = [&](std::string_view name, const std::filesystem::path& path) {
    if (!path.empty()) named.push_back(fmt::format("{}={}", name, path.native()));
  };
  for (const std::filesystem::path& path : dictionaries.user) add(kUser, path);
  add(kIdf, dictionaries.idf);
  add(kStopWords, dictionaries.stop_words);
  add(kModel, dictionaries.model);
  return named;
}

Dictionaries dictionaries_of(const std::vector<std::string>& named) {
  Dictionaries dictionaries;
  for (const std::string_view line : named) {
    const std::size_t end = std::min(line.find('='), line.size());
    const std::string_view name = line.substr(0, end);
    const std::filesystem::path path(line.substr(std::min(end + 1, line.size())));
    if (name == kUser) dictionaries.user.push_back(path);
    if (name == kIdf) dictionaries.idf = path;
    if (name == kStopWords) dictionaries.stop_words = path;
    if (name == kModel) dictionaries.model = path;
  }
  return dictionaries;
}

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
