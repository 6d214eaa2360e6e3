// Files that the configuration names. They are read while requests wait, so reading must not block.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong::server {

struct RegularFile {
  std::string bytes;
  unsigned mode = 0;  ///< permissions as for chmod
};

/// Reads a file of up to `most` bytes. `thing` is its name in messages ("the file of tokens"). Fails with
/// not_found or io, with invalid_argument for other kinds (a pipe, a device, a folder), and with limit.
[[nodiscard]] Result<RegularFile> read_regular_file(const std::filesystem::path& path, std::string_view thing,
                                                    std::uint64_t most);

/// Fails as read_regular_file() would, for files that the library reads.
[[nodiscard]] Result<void> check_regular_file(const std::filesystem::path& path, std::string_view thing);

}  // namespace leitong::server
