#include <algorithm>

#include "corpus/formats/formats.hpp"
#include "corpus/record_format.hpp"
#include "io/compression.hpp"
#include "leitong/input.hpp"

namespace leitong {

const FormatRegistry& standard_formats() {
  // The first format that claims a content gets it, so those that claim everything are last.
  static const FormatRegistry registry({
      &jsonl_format(),
      &csv_format(),
      &tsv_format(),
      &warc_format(),
      &parquet_format(),
      &arrow_format(),
      &mediawiki_format(),
      &subtitles_format(),
      &office_format(),
      &lines_format(),
      &html_format(),
      &text_format(),
  });
  return registry;
}

const RecordFormat* FormatRegistry::by_name(std::string_view name) const noexcept {
  for (const RecordFormat* format : formats_)
    if (format->info().name == name) return format;
  return nullptr;
}

const RecordFormat* FormatRegistry::by_ending(std::string_view path) const noexcept {
  const std::string_view stem = without_compression_ending(path);
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const std::string_view ending = stem.substr(dot);
  const auto same_letter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  for (const RecordFormat* format : formats_)
    for (const std::string_view known : format->info().endings)
      if (std::equal(ending.begin(), ending.end(), known.begin(), known.end(), same_letter)) return format;
  return nullptr;
}

const RecordFormat* FormatRegistry::by_content(const Beginning& beginning) const {
  for (const RecordFormat* format : formats_)
    if (format->claims(beginning)) return format;
  return nullptr;
}

std::vector<std::string> FormatRegistry::names() const {
  std::vector<std::string> names;
  for (const RecordFormat* format : formats_) names.emplace_back(format->info().name);
  return names;
}

std::vector<std::string> input_kinds() { return standard_formats().names(); }

}  // namespace leitong
