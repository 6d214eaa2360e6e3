// A folder of named artifacts with checksums, from which a later run continues.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/section_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// An artifact that is being written: it gets its name when it is finished, or never.
class ArtifactWriter {
 public:
  ArtifactWriter(ArtifactWriter&&) noexcept;
  ArtifactWriter& operator=(ArtifactWriter&&) noexcept;
  ~ArtifactWriter();

  [[nodiscard]] SectionWriter& sections() noexcept { return *sections_; }
  /// Puts it in place and replaces an older one of the same name. At most once.
  Result<void> finish();

 private:
  friend class ArtifactFolder;
  struct Target;
  ArtifactWriter(std::unique_ptr<Target> target, SectionWriter sections);

  std::unique_ptr<Target> target_;
  std::unique_ptr<SectionWriter> sections_;
};

/// Artifacts are section files (io/section_file.hpp) that appear complete under their names or not at all.
/// Beside them are the files "about", which says what they depend on, and "lock". One process at a time uses
/// a folder.
class ArtifactFolder {
 public:
  /// Opens the folder, and makes it if necessary. `about` is a line "name<TAB>value" for each thing that the
  /// artifacts depend on. Fails with invalid_argument, naming the differences, if the folder's own "about"
  /// differs, or if the folder holds files but no "about"; with io if another process uses it.
  static Result<ArtifactFolder> open(std::filesystem::path path, const std::string& about);
  ArtifactFolder(ArtifactFolder&&) noexcept;
  ArtifactFolder& operator=(ArtifactFolder&&) noexcept;
  ~ArtifactFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] bool has(std::string_view name) const;

  /// Begins an artifact whose parts are written one by one.
  [[nodiscard]] Result<ArtifactWriter> begin(std::string_view name, std::string_view kind,
                                             std::uint32_t version) const;
  /// Writes a complete one: `fill` begins sections and appends to them. Replaces an older one of the same
  /// name.
  Result<void> write(std::string_view name, std::string_view kind, std::uint32_t version,
                     const std::function<Result<void>(SectionWriter&)>& fill) const;
  /// Opens an artifact and verifies all its checksums. Fails with not_found, corrupt or unsupported: then the
  /// stage has to be repeated.
  [[nodiscard]] Result<SectionFile> read(std::string_view name, std::string_view kind,
                                         std::uint32_t version) const;
  Result<void> remove(std::string_view name) const;
  /// Removes every artifact, "about" and "lock"; files of others stay.
  Result<void> clear();

 private:
  struct Lock;
  ArtifactFolder(std::filesystem::path path, std::unique_ptr<Lock> lock);

  std::filesystem::path path_;
  std::unique_ptr<Lock> lock_;
};

}  // namespace leitong
