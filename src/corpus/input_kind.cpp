#include "corpus/input_kind.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "io/compression.hpp"

namespace leitong {
namespace {

constexpr std::array<std::pair<std::string_view, InputKind>, 12> kEndings{{
    {".jsonl", InputKind::jsonl},
    {".ndjson", InputKind::jsonl},
    {".json", InputKind::jsonl},
    {".csv", InputKind::csv},
    {".tsv", InputKind::tsv},
    {".txt", InputKind::text},
    {".text", InputKind::text},
    {".md", InputKind::text},
    {".markdown", InputKind::text},
    {".html", InputKind::html},
    {".htm", InputKind::html},
    {".xhtml", InputKind::html},
}};

}  // namespace

std::string_view input_kind_name(InputKind kind) noexcept {
  switch (kind) {
    case InputKind::automatic:
      return "automatic";
    case InputKind::jsonl:
      return "jsonl";
    case InputKind::csv:
      return "csv";
    case InputKind::tsv:
      return "tsv";
    case InputKind::lines:
      return "lines";
    case InputKind::text:
      return "text";
    case InputKind::html:
      return "html";
  }
  return "automatic";
}

InputKind kind_of_name(std::string_view path) noexcept {
  const std::string_view stem = without_compression_ending(path);
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos) return InputKind::automatic;
  const auto same_letter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  const std::string_view ending = stem.substr(dot);
  for (const auto& [known, kind] : kEndings)
    if (std::equal(ending.begin(), ending.end(), known.begin(), known.end(), same_letter)) return kind;
  return InputKind::automatic;
}

InputKind kind_of_content(std::string_view first_bytes, bool standard_input) noexcept {
  if (first_bytes.starts_with("\xef\xbb\xbf")) first_bytes.remove_prefix(3);
  const std::size_t begin = first_bytes.find_first_not_of(" \t\r\n");
  const char first = begin == std::string_view::npos ? '\0' : first_bytes[begin];
  if (first == '{') return InputKind::jsonl;
  if (standard_input) return InputKind::lines;
  return first == '<' ? InputKind::html : InputKind::text;
}

}  // namespace leitong
