// The bytes of a file, or of a text in memory, for readers of tables.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/read_file.hpp"
#include "io/table_files.hpp"

namespace leitong {

/// For a file that can be read at any offset. Fails with corrupt, naming `path`, if the file does not match
/// `stamp`.
[[nodiscard]] Result<std::unique_ptr<TableBytes>> bytes_of_file(ReadFile file, const FileStamp& stamp,
                                                                std::string path);
/// For a table in memory, which must outlive it.
[[nodiscard]] std::unique_ptr<TableBytes> bytes_in_memory(std::string_view table);

}  // namespace leitong
