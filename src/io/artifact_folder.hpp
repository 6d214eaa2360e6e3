// A folder of named, checksummed artifacts, from which a later run goes on where an earlier one ended.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/section_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Artifacts are section files (io/section_file.hpp) that appear whole under their names or not at all.
/// Beside them lie "about", which says what they depend on, and "lock". One process at a time has a folder.
class ArtifactFolder {
 public:
  /// Opens the folder, makes it if need be. `about` is a line "name<TAB>value" for each thing that the
  /// artifacts depend on. Fails with invalid_argument, naming what differs, where the folder's own about says
  /// otherwise, or where the folder holds files and no about; with io where another process has it.
  static Result<ArtifactFolder> open(std::filesystem::path path, std::string about);
  ArtifactFolder(ArtifactFolder&&) noexcept;
  ArtifactFolder& operator=(ArtifactFolder&&) noexcept;
  ~ArtifactFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] bool has(std::string_view name) const;

  /// Writes an artifact: `fill` begins sections and appends to them. What was there under the name is
  /// replaced.
  Result<void> write(std::string_view name, std::string_view kind, std::uint32_t version,
                     const std::function<Result<void>(SectionWriter&)>& fill) const;
  /// Opens an artifact with all its checksums compared. Fails with not_found, corrupt or unsupported: then
  /// the stage has to be done anew.
  [[nodiscard]] Result<SectionFile> read(std::string_view name, std::string_view kind,
                                         std::uint32_t version) const;
  /// Removes an artifact if it is there.
  Result<void> remove(std::string_view name) const;
  /// Removes every artifact, about and lock; what others put there stays.
  Result<void> clear();

 private:
  struct Lock;
  ArtifactFolder(std::filesystem::path path, std::unique_ptr<Lock> lock);

  std::filesystem::path path_;
  std::unique_ptr<Lock> lock_;
};

}  // namespace leitong
