// A folder of files that appears complete or not at all.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "io/staged.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A folder's path without trailing slashes.
[[nodiscard]] std::filesystem::path without_slash(const std::filesystem::path& folder);
/// The place of a path's file below a folder: the path without parts that lead out of the folder.
[[nodiscard]] std::filesystem::path path_below(const std::filesystem::path& path);

/// Filled under a hidden name beside its place; commit_all() puts it there.
class OutputFolder final : public Staged {
 public:
  /// `name` may end in / and may be a link to a folder. Fails if it is a file, a link to nothing, or a folder
  /// that is not empty: a folder is never replaced, because its content may not be of an earlier run. Makes
  /// missing parents.
  static Result<std::unique_ptr<OutputFolder>> create(const std::string& name);
  ~OutputFolder() override;

  /// Puts the file `from` at `below` in the folder: as a hard link, or as a copy if `copy` is set or the file
  /// system has no such link. A symbolic link stands for its file.
  Result<void> add_file(const std::filesystem::path& from, const std::filesystem::path& below, bool copy);
  /// Where a file for `below` in the folder is to be written now; makes its parents.
  Result<std::filesystem::path> place_of(const std::filesystem::path& below);

 private:
  OutputFolder(std::string name, std::filesystem::path place, std::filesystem::path temporary);

  [[nodiscard]] const std::string& name() const override { return name_; }
  Result<void> finish() override;
  [[nodiscard]] Result<void> check_place() const override;
  Result<void> appear() override;
  [[nodiscard]] Result<void> make_durable() const override { return sync_folder_of(place_); }

  std::string name_;
  std::filesystem::path place_, temporary_;
};

}  // namespace leitong
