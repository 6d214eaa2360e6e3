#include "io/output_folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/system.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(const fs::path& path, std::string_view what, const std::error_code& error) {
  return fail(ErrorCode::io, fmt::format("{}: {}: {}", path.string(), what, error.message()));
}

std::error_code system_error() { return {errno, std::system_category()}; }

/// Does the file system have no hard link for this file or user?
bool must_be_copied(const std::error_code& error) {
  return error == std::errc::cross_device_link || error == std::errc::operation_not_permitted ||
         error == std::errc::operation_not_supported || error == std::errc::too_many_links;
}

Result<void> check_empty(const std::string& name, const fs::path& place) {
  const auto refuse = [&](std::string_view why, std::string_view setting = {}) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {}", name, why), setting);
  };
  std::error_code unknown;
  if (!fs::exists(place, unknown)) return {};
  if (!fs::is_directory(place, unknown))
    return refuse("is a file; name a folder, or leave out the / behind it");
  if (!fs::is_empty(place, unknown))
    return refuse("the folder isn't empty, and force replaces files only; remove it or choose another",
                  "force");
  return {};
}

/// The final place of the folder, with links followed.
Result<fs::path> resolved(const std::string& name) {
  fs::path place = (fs::path(name).lexically_normal() / "").parent_path();
  std::error_code error;
  if (fs::exists(place, error)) return fs::canonical(place, error);
  if (fs::is_symlink(place, error))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: is a link to what isn't there; remove the link first", name));
  return place;
}

}  // namespace

fs::path without_slash(const fs::path& folder) {
  return folder.has_filename() || !folder.has_relative_path() ? folder : folder.parent_path();
}

fs::path path_below(const fs::path& path) {
  fs::path result;
  for (const fs::path& part : path.lexically_normal().relative_path())
    if (part != "..") result /= part;
  return result;
}

Result<std::unique_ptr<OutputFolder>> OutputFolder::create(const std::string& name) {
  LEITONG_ASSIGN(fs::path place, resolved(name));
  LEITONG_TRY(check_empty(name, place));
  std::error_code error;
  if (place.has_parent_path()) fs::create_directories(place.parent_path(), error);
  // Never an existing folder, because its content would count as this run's.
  for (int attempt = 0; attempt < 100 && (!error || error == std::errc::file_exists); ++attempt) {
    fs::path temporary = temporary_name(place, attempt);
    if (::mkdir(temporary.c_str(), 0777) == 0)
      return std::unique_ptr<OutputFolder>(new OutputFolder(name, std::move(place), std::move(temporary)));
    error = system_error();
  }
  return failed(place, "can't make the folder", error);
}

OutputFolder::OutputFolder(std::string name, fs::path place, fs::path temporary)
    : name_(std::move(name)), place_(std::move(place)), temporary_(std::move(temporary)) {}

OutputFolder::~OutputFolder() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

Result<void> OutputFolder::add_file(const fs::path& from, const fs::path& below, bool copy) {
  const fs::path to = temporary_ / below;
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error && !copy && ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) != 0)
    error = system_error();
  if (copy || must_be_copied(error)) {
    error.clear();
    fs::copy_file(from, to, error);
  }
  if (error) return failed(place_ / below, "can't link or copy the kept file here", error);
  return {};
}

Result<fs::path> OutputFolder::place_of(const fs::path& below) {
  fs::path place = temporary_ / below;
  std::error_code error;
  fs::create_directories(place.parent_path(), error);
  if (error) return failed(place_ / below, "can't make its folder", error);
  return place;
}

Result<void> OutputFolder::finish() {
  if (const std::error_code error = system::sync_tree(temporary_); error)
    return failed(place_, "can't be written", error);
  return {};
}

Result<void> OutputFolder::check_place() const { return check_empty(name_, place_); }

Result<void> OutputFolder::appear() {
  std::error_code error;
  fs::rename(temporary_, place_, error);  // replaces an empty folder
  if (error) return failed(place_, "can't put the folder of kept files in place", error);
  temporary_.clear();
  return {};
}

}  // namespace leitong
