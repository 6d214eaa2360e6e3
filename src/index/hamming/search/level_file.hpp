// Levels as files; docs/format.md describes them byte by byte.
#pragma once

#include "io/section_file.hpp"
#include "index/hamming/search/level.hpp"

namespace leitong::hamming {

inline constexpr std::string_view kLevelKind = "hamming-level";
inline constexpr std::uint32_t kLevelVersion = 1;

/// Writes a level; the bytes are a function of its rows and its plan. Level::open() reads them.
template <Fingerprint F>
Result<void> write_level(const LevelParts<F>& parts, const ByteSink& sink);

/// Bits of the fingerprints in a file: 64 or 128. Fails as Level::open() does.
Result<unsigned> level_bits(const std::filesystem::path& path);

}  // namespace leitong::hamming
