// What all pages write in the same way: names, lists of named values, and the texts of documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "report/json_text.hpp"
#include "report/report.hpp"

namespace leitong {

/// The text, or its beginning and an ellipsis if it has more than `most_bytes`.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t most_bytes);
/// The same for an id, a place or a setting.
[[nodiscard]] std::string shown_name(std::string_view text);

/// A list of [name, value].
void write_named(JsonText& json, std::string_view key, const auto& values) {
  json.key(key);
  json.list(values, SIZE_MAX, [&](const auto& value) {
    if constexpr (std::is_convertible_v<decltype(value.second), std::string_view>)
      json.tuple(shown_name(value.first), shown_name(value.second));
    else
      json.tuple(shown_name(value.first), value.second);
  });
}

/// What every page begins with: its kind, and the title, command, date and settings of a run.
void write_head(JsonText& json, ReportKind kind, const auto& run) {
  json.field("kind", static_cast<int>(kind));
  json.field("title", shown_name(run.title));
  json.field("command", clipped(run.command, ReportLimits::command_bytes));
  json.field("date", shown_name(run.date));
  write_named(json, "settings", run.settings);
}

/// [id, place, source, bytes, parts, whole id?, title]: a label can only be exported if the whole id is
/// there. A title that is not known is left out.
void write_side(JsonText& json, const ReportSide& side);

}  // namespace leitong
