// The file that lists the levels of an index in a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "leitong/result.hpp"
#include "leitong/scheme.hpp"

namespace leitong::hamming {

struct Manifest {
  unsigned bits = 64;
  unsigned distance = 3;
  std::uint64_t next_level = 1;         ///< number of the next level's file
  std::vector<std::uint64_t> levels;    ///< numbers of the files, the oldest level first
  std::optional<SchemeId> scheme = {};  ///< of the fingerprints, if known
};

/// "level-000012.hamming"
[[nodiscard]] std::filesystem::path level_path(const std::filesystem::path& folder, std::uint64_t number);
[[nodiscard]] std::filesystem::path manifest_path(const std::filesystem::path& folder);

/// Replaces the folder's manifest atomically: a reader sees the old one or the new one.
Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest);
/// Also reads version 1, which has no scheme.
Result<Manifest> read_manifest(const std::filesystem::path& folder);

}  // namespace leitong::hamming
