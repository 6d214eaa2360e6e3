// A file that gets its name when it is whole, or never.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "leitong/result.hpp"

namespace leitong {

/// An open file that only the user may read. While it is written it has no name, so that nothing is left of
/// it however the process ends. Where the file system can't do that (NFS), one that is to be kept has a name
/// that nobody can foresee until then.
class DraftFile {
 public:
  /// Makes it in `folder`, which exists. Fails with io.
  static Result<DraftFile> create(const std::filesystem::path& folder, bool to_be_kept);
  DraftFile(DraftFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        folder_(std::move(other.folder_)),
        name_(std::exchange(other.name_, {})) {}
  DraftFile& operator=(DraftFile&& other) = delete;
  ~DraftFile();

  /// Appends. A full disk is an error that names the folder.
  Result<void> write(std::string_view bytes);
  /// Valid as long as this object.
  [[nodiscard]] int descriptor() const noexcept { return fd_; }
  /// Flushes the file and names it `path`, which lies in its folder. For names that tell the content: if
  /// there is a file of this name, it may stay instead. At most once, and only if it was made to be kept.
  Result<void> keep_as(const std::filesystem::path& path);

 private:
  DraftFile(int fd, std::filesystem::path folder, std::string name)
      : fd_(fd), folder_(std::move(folder)), name_(std::move(name)) {}
  [[nodiscard]] tl::unexpected<Error> refused(std::string_view what, int error) const;

  int fd_ = -1;
  std::filesystem::path folder_;
  std::string name_;  // empty if it has none
};

}  // namespace leitong
