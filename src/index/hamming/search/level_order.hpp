// Checks that the content of a level's file is possible. Checksums do not protect against a hostile writer.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "index/hamming/search/level_parts.hpp"
#include "leitong/result.hpp"

namespace leitong::hamming {

/// Buckets must ascend and end within the entries: checks `count` elements of the table's directory from
/// `first` on. All errors here are corrupt.
template <Fingerprint F>
Result<void> check_buckets(const TableParts<F>& table, std::size_t first, std::size_t count,
                           const std::filesystem::path& path);

/// The same for all elements of directories that lie in `bytes`, and for the element before each of these
/// parts.
template <Fingerprint F>
Result<void> check_directories(const LevelParts<F>& parts, std::span<const std::byte> bytes,
                               const std::filesystem::path& path);

/// Each split has a node of its own, whose tables follow its own table; splits ascend. O(splits), which are
/// few.
template <Fingerprint F>
Result<void> check_splits(const LevelParts<F>& parts, const std::filesystem::path& path);

/// Groups ascend, and the last one accounts for all rows. O(groups).
template <Fingerprint F>
Result<void> check_groups(const LevelParts<F>& parts, const std::filesystem::path& path);

}  // namespace leitong::hamming
