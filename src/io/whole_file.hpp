// A small file that is read at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "leitong/result.hpp"

namespace leitong {

/// The most that read_whole_file() takes: far above any word list, far below what would exhaust a machine.
inline constexpr std::uint64_t kMaxWholeFile = std::uint64_t{256} << 20;

/// All bytes of a file, a pipe or a device. Fails with not_found or io, also where reading fails midway, and
/// with limit beyond `most` bytes. O(size).
Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t most = kMaxWholeFile);

}  // namespace leitong
