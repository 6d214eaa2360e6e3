// The folder for spilled data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "io/temp_file.hpp"

namespace leitong {

/// The work folder of a run, or the system's folder for temporary files. It holds only nameless files, so
/// nothing needs to be cleaned up.
class WorkFolder {
 public:
  explicit WorkFolder(std::filesystem::path folder = {}) : folder_(std::move(folder)) {
    if (folder_.empty()) folder_ = std::filesystem::temp_directory_path(unusable_);
  }
  [[nodiscard]] Result<TempFile> new_file() const {
    if (unusable_)
      return fail(ErrorCode::io,
                  "no folder for temporary files: what TMPDIR names can't be used (" + unusable_.message() +
                      "); correct it or choose another work folder",
                  "work_folder");
    return TempFile::create(folder_);
  }
  /// What its disk has left; 0 if that can't be found out.
  [[nodiscard]] std::uint64_t free_bytes() const noexcept {
    std::error_code unknown;
    const std::filesystem::space_info space = std::filesystem::space(folder_, unknown);
    return unknown ? 0 : space.available;
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }

 private:
  std::filesystem::path folder_;
  std::error_code unusable_;  // why the system's folder is unusable
};

}  // namespace leitong
