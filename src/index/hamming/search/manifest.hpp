// The file that says which levels a folder's index consists of.
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
  std::optional<SchemeId> scheme = {};  ///< of the fingerprints, where it is known
};

/// "level-000012.hamming"
[[nodiscard]] std::filesystem::path level_path(const std::filesystem::path& folder, std::uint64_t number);
[[nodiscard]] std::filesystem::path manifest_path(const std::filesystem::path& folder);

/// Replaces the folder's manifest as a whole: a reader sees the old one or the new one.
Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest);
/// Reads version 1, too, which says nothing of the scheme.
Result<Manifest> read_manifest(const std::filesystem::path& folder);

}  // namespace leitong::hamming
