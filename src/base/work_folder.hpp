// Where spilled data goes.
#pragma once

#include <filesystem>
#include <utility>

#include "base/temp_file.hpp"

namespace leitong {

/// The folder of --work, or the system's folder for temporary files. Holds only nameless files, so there is
/// nothing to clean up.
class WorkFolder {
 public:
  explicit WorkFolder(std::filesystem::path folder = {})
      : folder_(folder.empty() ? std::filesystem::temp_directory_path() : std::move(folder)) {}
  [[nodiscard]] Result<TempFile> new_file() const { return TempFile::create(folder_); }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace leitong
