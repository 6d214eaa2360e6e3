// Levels as files; docs/format.md describes them byte by byte.
#pragma once

#include "index/hamming/search/level.hpp"
#include "io/section_file.hpp"
#include "leitong/scheme.hpp"

namespace leitong::hamming {

inline constexpr std::string_view kLevelKind = "hamming-level";
inline constexpr std::uint32_t kLevelVersion = 1;

/// Writes a level. The bytes depend only on its rows, its plan and the scheme of its fingerprints.
/// Level::open() reads them.
template <Fingerprint F>
Result<void> write_level(const LevelParts<F>& parts, const ByteSink& sink,
                         const std::optional<SchemeId>& scheme = std::nullopt);

/// The scheme of the fingerprints in a file; nothing if it is unknown. Fails as Level::open() does.
Result<std::optional<SchemeId>> level_scheme(const std::filesystem::path& path);

/// The bits of the fingerprints in a file: 64 or 128. Fails as Level::open() does.
Result<unsigned> level_bits(const std::filesystem::path& path);

}  // namespace leitong::hamming
