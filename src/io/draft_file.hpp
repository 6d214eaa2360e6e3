// A file that gets its name when it is complete, or never.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "leitong/result.hpp"

namespace leitong {

/// An open file that only the user may read. It has no name while it is written, so that nothing remains of
/// it however the process ends. On file systems without such files (NFS), one that will be kept has an
/// unpredictable name until then.
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

  /// Appends. If the disk is full, the error names the folder.
  Result<void> write(std::string_view bytes);
  /// Valid during the life of this object.
  [[nodiscard]] int descriptor() const noexcept { return fd_; }
  /// Flushes the file and names it `path`, in its folder. If a file of this name exists, it may stay instead,
  /// because the name is that of the content. At most once, and only if the file was made to be kept.
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
