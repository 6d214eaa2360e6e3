#define XXH_INLINE_ALL
#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "leitong/scheme.hpp"
#include "scheme/scheme.hpp"

namespace leitong {
namespace {

constexpr std::string_view kTables = "@tables=", kModel = "@model=";
constexpr std::string_view kKeepsMarks = "marks=keep", kMasksNumbers = "numbers=masked";

std::string digits(std::uint64_t digest) { return digest == 0 ? "none" : fmt::format("{:016x}", digest); }

tl::unexpected<Error> no_scheme(std::string_view text) {
  constexpr std::size_t kShown = 60;
  return fail(ErrorCode::corrupt, fmt::format("\"{}{}\" is no scheme id; one looks like "
                                              "\"simhash/1 bits=64 @tables=0123456789abcdef @model=none\"",
                                              text.substr(0, kShown), text.size() > kShown ? ".." : ""));
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool parse_whole(std::string_view text, int base, auto& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc{} && stop == end;
}

bool parse_digest(std::string_view word, std::string_view key, std::uint64_t& digest) {
  if (!word.starts_with(key)) return false;
  word.remove_prefix(key.size());
  if (word == "none") return true;
  return word.size() == 16 && parse_whole(word, 16, digest) && digest != 0;
}

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
  });
}

/// True for printable ASCII with a name before the first "=".
bool is_parameter(std::string_view word) {
  return is_name(word.substr(0, std::min(word.find('='), word.size()))) && word.find('=') != word.npos &&
         std::ranges::all_of(word, [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

std::map<std::string_view, std::string_view> parameters_of(const SchemeId& id) {
  std::map<std::string_view, std::string_view> parameters;
  if (!id.parameters.empty())
    for (const std::string_view word : words_of(id.parameters))
      parameters[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  return parameters;
}

}  // namespace

std::string scheme_text(const SchemeId& id) {
  return fmt::format("{}/{}{}{} {}{} {}{}", id.name, id.version, id.parameters.empty() ? "" : " ",
                     id.parameters, kTables, digits(id.tables), kModel, digits(id.model));
}

std::string scheme_label(const SchemeId& id) {
  const std::string text = scheme_text(id);
  return fmt::format("{}/{}:{:016x}", id.name, id.version, XXH3_64bits(text.data(), text.size()));
}

Result<SchemeId> parse_scheme(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  SchemeId id;
  const std::size_t slash = words[0].find('/');
  if (words.size() < 3 || slash == std::string_view::npos || !is_name(words[0].substr(0, slash)) ||
      !parse_whole(words[0].substr(slash + 1), 10, id.version) ||
      !parse_digest(words[words.size() - 2], kTables, id.tables) ||
      !parse_digest(words.back(), kModel, id.model))
    return no_scheme(text);
  id.name = words[0].substr(0, slash);
  for (std::size_t i = 1; i + 2 < words.size(); ++i) {
    if (!is_parameter(words[i])) return no_scheme(text);
    id.parameters.append(i == 1 ? "" : " ").append(words[i]);
  }
  // Text in another form than that of scheme_text() is refused, since it would be a second text for one id.
  return scheme_text(id) == text ? Result<SchemeId>(std::move(id)) : no_scheme(text);
}

void add_parameters(const Folding& folding, SchemeId& id) {
  const auto add = [&](std::string_view word) {
    id.parameters.append(id.parameters.empty() ? "" : " ").append(word);
  };
  if (folding.marks == Marks::keep) add(kKeepsMarks);
  if (folding.numbers == NumberUnits::masked) add(kMasksNumbers);
}

Folding folding_of(const SchemeId& id) {
  const std::vector<std::string_view> words = words_of(id.parameters);
  const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  return {has(kKeepsMarks) ? Marks::keep : Marks::fold,
          has(kMasksNumbers) ? NumberUnits::masked : NumberUnits::same};
}

std::string explain_difference(const SchemeId& a, const SchemeId& b) {
  std::string text;
  const auto add = [&](std::string_view part) { text.append(text.empty() ? "" : "; ").append(part); };
  if (a.name != b.name) {
    add(fmt::format("the schemes are {} and {}", a.name, b.name));
    return text;
  }
  if (a.version != b.version) add(fmt::format("the versions are {} and {}", a.version, b.version));
  const auto x = parameters_of(a), y = parameters_of(b);
  for (const auto& [name, value] : x) {
    const auto other = y.find(name);
    if (other == y.end())
      add(fmt::format("parameter {}={}: in the first only", name, value));
    else if (other->second != value)
      add(fmt::format("parameter {}: {} and {}", name, value, other->second));
  }
  for (const auto& [name, value] : y)
    if (!x.contains(name)) add(fmt::format("parameter {}={}: in the second only", name, value));
  if (a.tables != b.tables)
    add(fmt::format("the character tables are {} and {}{}", digits(a.tables), digits(b.tables),
                    a.parameters == b.parameters && a.version == b.version
                        ? ": the two builds have other versions of Unicode, ICU or OpenCC"
                        : ""));
  if (a.model != b.model)
    add(fmt::format("the dictionaries or models have other content: {} and {}", digits(a.model),
                    digits(b.model)));
  return text;
}

}  // namespace leitong
