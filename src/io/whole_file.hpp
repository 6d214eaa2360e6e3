// Reads a small file at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "leitong/result.hpp"

namespace leitong {

/// The limit of read_whole_file(): far above any word list, far below what would exhaust a machine.
inline constexpr std::uint64_t kMaxWholeFile = std::uint64_t{256} << 20;

/// All bytes of a file, pipe or device. Fails with not_found or io (also for an error in the middle), and
/// with limit beyond `most` bytes. O(size).
Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t most = kMaxWholeFile);

}  // namespace leitong
