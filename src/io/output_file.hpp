// A file that appears complete or not at all.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "io/compression.hpp"
#include "io/staged.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct OutputFileOptions {
  std::optional<Compression> compression = {};  ///< if different from what the name's ending says
  /// It is in an OutputFolder, which flushes all of its files at once.
  bool within_folder = false;
};

/// Writes under a temporary name beside `path` (compressed by the ending: .gz .zst .bz2 .xz); commit() does
/// flush, fsync, rename, fsync of the folder. Without commit() the destructor removes the temporary file. A
/// link is followed: its file is replaced. The new file takes over the permissions of the replaced one. "-"
/// (standard output), devices and pipes are written directly. The program must ignore SIGPIPE and SIGXFSZ, so
/// that a closed pipe and a size limit are errors, too.
class OutputFile : public Staged {
 public:
  /// Fails if `path` is an existing file (unless `force`), a folder, or a link to nothing, or if its folder
  /// is missing or read-only. After a stop, writing and committing fail with cancelled.
  static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path& path, bool force,
                                                    StopToken stop = {}, OutputFileOptions options = {});
  /// If the disk is full, the error names the path. After an error every later call fails, too.
  virtual Result<void> write(std::string_view bytes) = 0;
  /// Begins a new member (frame) if the file is compressed.
  virtual Result<void> end_member() = 0;
  /// commit_all() of this file. At most once. Without `force`, a file that appeared at `path` meanwhile is
  /// kept, and this is an error.
  Result<void> commit();

 protected:
  explicit OutputFile(StopToken stop) : stop_(stop) {}
  StopToken stop_;
};

}  // namespace leitong
