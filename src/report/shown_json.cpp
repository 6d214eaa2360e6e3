#include "report/shown_json.hpp"

#include "leitong/utf8.hpp"
#include "report/excerpt.hpp"

namespace leitong {
namespace {

std::size_t utf16_units(std::string_view utf8) {
  std::size_t units = 0;
  for (const char byte : utf8) {
    const auto value = static_cast<unsigned char>(byte);
    if ((value & 0xC0) != 0x80) units += value >= 0xF0 ? 2 : 1;
  }
  return units;
}

/// [begin, end, reworded?, ..] in the character counts of a script.
void write_lost(JsonText& json, const EvidencePart& part) {
  json.open('[');
  std::size_t at = 0, units = 0;
  const auto place = [&](std::size_t byte) {
    units += utf16_units(std::string_view(part.text).substr(at, byte - at));
    at = byte;
    json.value(units);
  };
  for (const LostRange& range : part.lost) {
    place(range.begin);
    place(range.end);
    json.value(range.reworded ? 1 : 0);
  }
  json.close(']');
}

/// [passage, text, families, lost]; the last ones are left out if they say nothing.
void write_part(JsonText& json, const EvidencePart& part) {
  json.open('[');
  json.value(part.passage);
  json.value(part.text);
  if (part.families > 0 || !part.lost.empty()) json.value(part.families);
  if (!part.lost.empty()) write_lost(json, part);
  json.close(']');
}

}  // namespace

std::string clipped(std::string_view text, std::size_t most_bytes) {
  const std::string_view prefix = utf8_prefix(text, most_bytes);
  return prefix.size() == text.size() ? std::string(text) : std::string(prefix) + "…";
}

std::string shown_name(std::string_view text) { return clipped(text, ReportLimits::name_bytes); }

void write_side(JsonText& json, const ReportSide& side) {
  json.open('[');
  json.value(shown_name(side.id));
  json.value(shown_name(side.place));
  json.value(side.source == kNoSource ? -1 : static_cast<std::int64_t>(side.source));
  json.value(side.bytes);
  json.list(side.parts, SIZE_MAX, [&](const EvidencePart& part) {
    if (part.skipped > 0)
      json.tuple(part.passage, part.skipped);
    else
      write_part(json, part);
  });
  const bool whole = side.id.size() <= ReportLimits::name_bytes && is_utf8(side.id);
  json.value(whole ? 1 : 0);
  if (!side.title.empty()) json.value(shown_name(side.title));
  json.close(']');
}

}  // namespace leitong
