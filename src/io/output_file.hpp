// A file that appears whole or not at all.
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
  std::optional<Compression> compression = {};  ///< other than what the name's ending says
  /// It lies in an OutputFolder, which flushes all of its files at once.
  bool within_folder = false;
};

/// Writes to a temporary name beside `path` (compressed by the ending: .gz .zst .bz2 .xz), and commit() does
/// flush, fsync, rename, fsync of the folder. Without commit() the destructor removes the temporary file. A
/// link is followed: the file it names is replaced. A file that is replaced leaves its permissions to the
/// new one.
/// "-" (standard output) and what isn't a regular file (a device, a pipe) are written as it comes.
/// A program that uses it ignores SIGPIPE and SIGXFSZ, so that a closed pipe and a size limit are errors,
/// too.
class OutputFile : public Staged {
 public:
  /// Fails if `path` is a file that exists and not `force`, if it is a folder or a link to nothing, or if its
  /// folder is missing or read-only. After a stop, writing and committing fail with ErrorCode::cancelled.
  static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path& path, bool force,
                                                    StopToken stop = {}, OutputFileOptions options = {});
  /// A full disk is an error that names the path. After an error every further call fails, too.
  virtual Result<void> write(std::string_view bytes) = 0;
  /// What is written next is a member (a frame) of its own, if the file is compressed.
  virtual Result<void> end_member() = 0;
  /// commit_all() of it alone. At most once. Without `force` a file that has appeared at `path` meanwhile is
  /// left alone, and that is an error.
  Result<void> commit();

 protected:
  explicit OutputFile(StopToken stop) : stop_(stop) {}
  StopToken stop_;
};

}  // namespace leitong
