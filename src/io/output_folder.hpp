// A folder of files that appears whole or not at all.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "io/staged.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Where the file of a path stands below a folder: its path without what leads out of the folder.
[[nodiscard]] std::filesystem::path path_below(const std::filesystem::path& path);

/// Filled under a hidden name of its own beside its place, and put there by commit_all().
class OutputFolder final : public Staged {
 public:
  /// `name` may end in / and may be a link to a folder. Fails if it is a file, a link to nothing, or a folder
  /// that isn't empty: what else lies in a folder can't be known to be of an earlier run, so it is never
  /// replaced. Missing parents are made.
  static Result<std::unique_ptr<OutputFolder>> create(const std::string& name);
  ~OutputFolder() override;

  /// Puts the file `from` at `below` in the folder: as a hard link, or as a copy if `copy` is set or the file
  /// system has no such link. A symbolic link stands for the file that it names.
  Result<void> add_file(const std::filesystem::path& from, const std::filesystem::path& below, bool copy);
  /// Where a file that is to stand at `below` in the folder is written now; its parents are made.
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
