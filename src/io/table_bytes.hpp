// The bytes of a file for those who read tables.
#pragma once

#include <memory>
#include <string>

#include "io/read_file.hpp"
#include "io/table_files.hpp"

namespace leitong {

/// Of a file that can be read at any place. One that is not what `stamp` says, or no longer, is
/// ErrorCode::corrupt, and the message names `path`.
[[nodiscard]] Result<std::unique_ptr<TableBytes>> bytes_of_file(ReadFile file, const FileStamp& stamp,
                                                                std::string path);

}  // namespace leitong
