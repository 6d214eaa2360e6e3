// The scheme in files of an index: scheme_text() as a section of its own.
#pragma once

#include <fmt/core.h>

#include <optional>
#include <string_view>

#include "base/try.hpp"
#include "io/section_file.hpp"
#include "leitong/scheme.hpp"

namespace leitong::hamming {

inline constexpr std::string_view kSchemeSection = "scheme";

/// Nothing if the section is missing: the writer of the file did not know the scheme.
inline Result<std::optional<SchemeId>> read_scheme_section(const SectionFile& file) {
  const auto section =
      file.section<char>(kSchemeSection);  // with a damaged table the file would not have opened
  if (!section) return std::nullopt;
  LEITONG_TRY(file.check(std::as_bytes(*section)));
  auto id = parse_scheme({section->data(), section->size()});
  if (!id) return fail(id.error().code, fmt::format("{}: {}", file.path().string(), id.error().message));
  return *std::move(id);
}

}  // namespace leitong::hamming
