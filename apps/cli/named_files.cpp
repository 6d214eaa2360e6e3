#include "named_files.hpp"

#include <fmt/core.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string_view>
#include <system_error>

#include "base/try.hpp"
#include "io/compression.hpp"
#include "manual.hpp"

namespace leitong::cli {
namespace {

/// True if input is sent to it.
bool is_sent() {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0) return false;
  return S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

}  // namespace

Result<void> default_to_standard_input(std::string& input) {
  if (!input.empty()) return {};
  if (!is_sent())
    return fail(ErrorCode::invalid_argument,
                "no input: name a file, send something to standard input, or say - to type it");
  input = "-";
  return {};
}

Result<void> default_to_standard_input(std::vector<std::string>& inputs) {
  if (!inputs.empty()) return {};
  std::string input;
  LEITONG_TRY(default_to_standard_input(input));
  inputs.push_back(std::move(input));
  return {};
}

Result<void> check_standard_input(const std::vector<std::string>& inputs) {
  if (std::count(inputs.begin(), inputs.end(), "-") <= 1) return {};
  return fail(ErrorCode::invalid_argument,
              "- is given twice, and standard input can be read only once; name a file for the other");
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnyFolders = "**";

bool has_wildcard(std::string_view name) { return name.find_first_of("*?[") != std::string_view::npos; }

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::vector<std::string> names_of(std::string_view path) {
  std::vector<std::string> names;
  for (std::size_t begin = 0, end; begin < path.size(); begin = end + 1) {
    end = std::min(path.find('/', begin), path.size());
    if (end > begin) names.emplace_back(path.substr(begin, end - begin));
  }
  return names;
}

/// `folder` is empty for the current one.
std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() || folder == "/" ? folder + name : folder + "/" + name;
}

/// The entries of a folder whose names match the pattern.
Result<std::vector<std::string>> matches(const std::string& folder, const std::string& pattern) {
  std::vector<std::string> found;
  std::error_code error;
  fs::directory_iterator item(folder.empty() ? "." : folder, error);
  for (; !error && item != fs::directory_iterator(); item.increment(error)) {
    const std::string name = item->path().filename().string();
    if (::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0) found.push_back(join(folder, name));
  }
  if (error) return fail(ErrorCode::io, fmt::format("{}: can't be listed: {}", folder, error.message()));
  return found;
}

Result<std::vector<std::string>> with_all_below(std::vector<std::string> folders) {
  for (std::size_t i = 0; i < folders.size(); ++i) {
    LEITONG_ASSIGN(const std::vector<std::string> items, matches(folders[i], "*"));
    std::error_code ignored;
    for (const std::string& item : items)
      if (fs::is_directory(fs::symlink_status(item, ignored))) folders.push_back(item);
  }
  return folders;
}

Result<std::vector<std::string>> expand(const std::string& pattern) {
  std::vector<std::string> names = names_of(pattern);
  const bool descends = std::find(names.begin(), names.end(), kAnyFolders) != names.end();
  if (names.back() == kAnyFolders) names.emplace_back("*");
  std::vector<std::string> found = {pattern.starts_with('/') ? "/" : ""};
  for (const std::string& name : names) {
    if (name == kAnyFolders) {
      LEITONG_ASSIGN(found, with_all_below(std::move(found)));
      continue;
    }
    std::vector<std::string> next;
    for (const std::string& folder : found) {
      if (has_wildcard(name)) {
        if (!folder.empty() && !is_folder(folder)) continue;
        LEITONG_ASSIGN(const std::vector<std::string> items, matches(folder, name));
        next.insert(next.end(), items.begin(), items.end());
      } else if (std::string path = join(folder, name); exists(path)) {
        next.push_back(std::move(path));
      }
    }
    found = std::move(next);
  }
  if (descends) std::erase_if(found, is_folder);
  if (pattern.ends_with('/')) std::erase_if(found, std::not_fn(is_folder));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.empty())
    return fail(ErrorCode::not_found, fmt::format("{}: nothing matches this pattern", pattern));
  return found;
}

/// A missing file whose name is a slip away from one that is there; empty if there is none.
std::string meant_by(const std::string& missing) {
  const std::filesystem::path path(missing);
  std::error_code error;
  std::vector<std::string> names;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::string near = nearest_word(path.filename().string(), names);
  return near.empty() ? near : (path.parent_path() / near).string();
}

}  // namespace

Result<void> expand_patterns(std::vector<std::string>& inputs) {
  std::vector<std::string> expanded;
  for (std::string& input : inputs) {
    if (!has_wildcard(input) || exists(input)) {
      if (input != "-" && !exists(input))
        if (const std::string near = meant_by(input); !near.empty())
          return fail(
              ErrorCode::not_found,
              fmt::format("{}: can't be read: No such file or directory; did you mean {}?", input, near));
      expanded.push_back(std::move(input));
      continue;
    }
    LEITONG_ASSIGN(std::vector<std::string> found, expand(input));
    std::move(found.begin(), found.end(), std::back_inserter(expanded));
  }
  inputs = std::move(expanded);
  return {};
}

Result<void> resolve_inputs(std::vector<std::string>& inputs) {
  LEITONG_TRY(expand_patterns(inputs));
  return default_to_standard_input(inputs);
}

Result<void> check_outputs(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs) {
  LEITONG_TRY(check_standard_input(inputs));
  return check_separate(outputs, inputs);
}

Result<void> check_mapped(const NamedOutput& output) {
  if (compression_of_name(output.name) == Compression::none) return {};
  return fail(ErrorCode::invalid_argument,
              fmt::format("{} {}: the file is mapped where it is used and can't be compressed; name it {}",
                          output.what, output.name, without_compression_ending(output.name)));
}

}  // namespace leitong::cli
