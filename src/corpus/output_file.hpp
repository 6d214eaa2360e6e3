// A file that appears whole or not at all.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// Writes to a temporary name beside `path` (compressed by the ending: .gz .zst .bz2 .xz), and commit() does flush, fsync, rename, fsync of the
/// folder. Without commit() the destructor removes the temporary file. "-" writes to standard output as it comes.
class OutputFile {
 public:
  /// Fails if `path` exists and not `force`, or its folder is missing.
  static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path& path, bool force);
  virtual ~OutputFile() = default;
  /// A full disk is an error that names the path.
  virtual Result<void> write(std::string_view bytes) = 0;
  virtual Result<void> commit() = 0;
};

}  // namespace leitong
