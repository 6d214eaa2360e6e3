#include "io/table_files.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace leitong {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kComponent = "leitong-arrow";

/// Beside the program, as an installation and a build folder have it, or beside the data folder.
std::vector<fs::path> places() {
  std::vector<fs::path> roots;
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
    roots = {program.parent_path().parent_path(), program.parent_path()};
  if (const char* data = std::getenv("LEITONG_DATA"); data != nullptr && *data != '\0')
    roots.push_back(fs::path(data).lexically_normal().parent_path().parent_path());
  std::vector<fs::path> found;
  for (const fs::path& root : roots)
    if (fs::path place = root / "lib" / kComponent;
        std::find(found.begin(), found.end(), place) == found.end())
      found.push_back(std::move(place));
  return found;
}

Result<const TableFiles*> load() {
  std::string tried;
  for (const fs::path& place : places()) {
    const fs::path object = place / "libleitong_arrow.so";
    std::error_code error;
    if (!fs::exists(object, error)) {
      tried += fmt::format("{}{}", tried.empty() ? "" : ", ", place.string());
      continue;
    }
    void* const loaded = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr)
      return fail(ErrorCode::unsupported,
                  fmt::format("Parquet and Arrow files can't be read: {}; install the "
                              "package {} of this version again",
                              ::dlerror(), kComponent));
    const std::string library_version =
        fmt::format("{}.{}.{}", LEITONG_VERSION_MAJOR, LEITONG_VERSION_MINOR, LEITONG_VERSION_PATCH);
    const auto entry = reinterpret_cast<TableFilesEntry>(::dlsym(loaded, kTableFilesEntry));
    const TableFiles* const files = entry == nullptr ? nullptr : entry(kTableFilesVersion);
    if (files != nullptr) return files;
    return fail(
        ErrorCode::unsupported,
        fmt::format(
            "Parquet and Arrow files can't be read: {} is not of this version; install the package {} "
            "of version {}",
            object.string(), kComponent, library_version));
  }
  return fail(ErrorCode::unsupported,
              fmt::format("Parquet and Arrow files need the component {}, which is missing (looked in: {}); "
                          "install the package {}, or in a checkout run ./dev setup and build again",
                          kComponent, tried, kComponent));
}

}  // namespace

Result<const TableFiles*> table_files() {
  static const Result<const TableFiles*> loaded = load();
  return loaded;
}

std::optional<TableForm> table_form_of_name(std::string_view path) noexcept {
  static constexpr std::array<std::pair<std::string_view, TableForm>, 4> kEndings{
      {{".parquet", TableForm::parquet},
       {".arrow", TableForm::arrow_file},
       {".feather", TableForm::arrow_file},
       {".arrows", TableForm::arrow_stream}}};
  for (const auto& [ending, form] : kEndings)
    if (path.ends_with(ending)) return form;
  return std::nullopt;
}

}  // namespace leitong
