// A folder for a test, which is removed at its end.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include "temp_path.hpp"

namespace leitong::online {

class TempFolder {
 public:
  explicit TempFolder(const std::string& name) : path_(test::temp_path(name)) {
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace leitong::online
