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

/// An artifact on its way: it gets its name when it is finished, or never.
class ArtifactWriter {
 public:
  ArtifactWriter(ArtifactWriter&&) noexcept;
  ArtifactWriter& operator=(ArtifactWriter&&) noexcept;
  ~ArtifactWriter();

  /// Where sections begin and grow.
  [[nodiscard]] SectionWriter& sections() noexcept { return *sections_; }
  /// Puts it in place, over what was there under the name. At most once.
  Result<void> finish();

 private:
  friend class ArtifactFolder;
  struct Target;
  ArtifactWriter(std::unique_ptr<Target> target, SectionWriter sections);

  std::unique_ptr<Target> target_;
  std::unique_ptr<SectionWriter> sections_;
};

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

  /// Begins an artifact whose parts come one by one.
  [[nodiscard]] Result<ArtifactWriter> begin(std::string_view name, std::string_view kind,
                                             std::uint32_t version) const;
  /// Writes a whole one: `fill` begins sections and appends to them. What was there under the name is
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
