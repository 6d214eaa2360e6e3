#include "job/separate_outputs.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/try.hpp"
#include "corpus/record_format.hpp"
#include "corpus/source_list.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message));
}

struct FileId {
  dev_t device;
  ino_t inode;
  bool operator==(const FileId&) const = default;
};

/// The id of a regular file. Pipes and devices store nothing that could be overwritten.
std::optional<FileId> regular_file(const std::string& name, int standard) {
  struct stat status {};
  const int failed = name == "-" ? ::fstat(standard, &status) : ::stat(name.c_str(), &status);
  if (failed != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

fs::path real(const std::string& name) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(fs::absolute(name, ignored), ignored);
  return path.has_filename() ? path : path.parent_path();
}

bool same_or_within(const fs::path& inner, const fs::path& outer) {
  const auto [in_outer, in_inner] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return in_outer == outer.end();
}

/// True if the file is among those that a run reads from the folder.
bool is_read_from(const std::string& folder, const FileId& file) {
  SourceList sources(standard_formats());
  if (!sources.add(folder, nullptr, false)) return false;
  for (std::uint32_t i = 0; i < sources.size(); ++i)
    if (regular_file(std::string(sources.path(i)), STDIN_FILENO) == file) return true;
  return false;
}

/// One output, and the file that it means.
struct Target {
  const std::string& what;
  const std::string& name;
  bool is_standard, is_folder;
  fs::path path;
  std::optional<FileId> file;
};

Target target_of(const NamedOutput& output) {
  const bool is_standard = output.name == "-";
  fs::path path = is_standard ? fs::path() : real(output.name);
  std::error_code ignored;
  const bool is_folder = !is_standard && (output.name.ends_with('/') || fs::is_directory(path, ignored));
  return {output.what, output.name,     is_standard,
          is_folder,   std::move(path), regular_file(output.name, STDOUT_FILENO)};
}

/// True if the two would overwrite each other, or mix.
bool collide(const Target& a, const Target& b) {
  if (a.file && a.file == b.file) return true;
  std::error_code ignored;
  return a.path == b.path && !fs::is_character_file(a.path, ignored);
}

/// True if writing it would change the input.
bool changes(const Target& target, const std::string& input) {
  if (target.file && regular_file(input, STDIN_FILENO) == target.file) return true;
  if (target.is_standard || input == "-") return false;
  const fs::path source = real(input);
  if (target.is_folder) return same_or_within(source, target.path) || same_or_within(target.path, source);
  std::error_code ignored;
  return target.file && fs::is_directory(source, ignored) && is_read_from(input, *target.file);
}

/// The folder of an index in which the file would be; empty if there is none.
fs::path index_around(const Target& target) {
  if (target.is_standard) return {};
  std::error_code ignored;
  for (fs::path folder = target.path; folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / "secret", ignored) && fs::is_directory(folder / "texts", ignored)) return folder;
  return {};
}

}  // namespace

Result<void> check_separate(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs) {
  std::vector<Target> taken;
  for (const NamedOutput& output : outputs) {
    if (output.name.empty()) continue;
    const Target target = target_of(output);
    for (const Target& other : taken) {
      if (target.is_standard && other.is_standard)
        return refuse(fmt::format("{} and {} can't both go to standard output; name a file for one",
                                  other.what, target.what));
      if (collide(target, other))
        return refuse(fmt::format("{} and {} are both {}", other.what, target.what, target.name));
    }
    if (const fs::path index = index_around(target); !index.empty())
      return refuse(
          fmt::format("{} {} would lie in the index {}, whose files are its own; choose another name",
                      target.what, target.name, index.string()));
    for (const std::string& input : inputs)
      if (changes(target, input))
        return refuse(
            fmt::format("{} {} would write into the input {}; input is never changed, choose another name",
                        target.what, target.name, input == "-" ? "on standard input" : input));
    taken.push_back(target);
  }
  return {};
}

}  // namespace leitong
