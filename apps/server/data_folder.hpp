// The folder of a server's indexes, which one server at a time uses.
#pragma once

#include <filesystem>
#include <memory>

#include "config.hpp"
#include "leitong/result.hpp"

namespace leitong::server {

/// Holds a lock on the file `.lock` of the folder during its life. The system releases the lock when the
/// process ends, also after a kill.
class DataFolder {
 public:
  /// Makes the folder if it is missing. Fails with invalid_argument if there is no home folder to make one
  /// in, and with io, also if another server uses the folder.
  [[nodiscard]] static Result<DataFolder> open(const Config& config);
  DataFolder(DataFolder&&) noexcept;
  DataFolder& operator=(DataFolder&&) noexcept;
  ~DataFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Is the locked folder still at its path?
  [[nodiscard]] bool is_there() const noexcept;

 private:
  struct Lock;
  DataFolder(std::filesystem::path path, std::unique_ptr<Lock> lock);

  std::filesystem::path path_;
  std::unique_ptr<Lock> lock_;
};

}  // namespace leitong::server
