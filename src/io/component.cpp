#include "io/component.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/system.hpp"
#include "base/try.hpp"
#include "io/data_folder.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

/// Beside the program, as in an installation and a build folder, or beside the data folder.
std::vector<fs::path> places(std::string_view name) {
  std::vector<fs::path> roots;
  if (const fs::path program = system::program_file(); !program.empty())
    roots = {program.parent_path().parent_path(), program.parent_path()};
  if (const char* data = std::getenv("LEITONG_DATA"); data != nullptr && *data != '\0')
    roots.push_back(fs::path(data).lexically_normal().parent_path().parent_path());
  std::vector<fs::path> found;
  for (const fs::path& root : roots)
    if (fs::path place = root / "lib" / name; std::find(found.begin(), found.end(), place) == found.end())
      found.push_back(std::move(place));
  return found;
}

}  // namespace

Result<fs::path> find_component(const ComponentNames& component) {
  std::string tried;
  for (const fs::path& place : places(component.name)) {
    fs::path object = place / component.object;
    std::error_code error;
    if (fs::exists(object, error)) return object;
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", place.string());
  }
  const std::string advice =
      is_python_package()
          ? fmt::format(
                "{}install the Debian package {} of this version and set LEITONG_DATA=/usr/share/leitong in "
                "the "
                "environment, so that it is found",
                component.in_python.empty() ? "" : fmt::format("use {}, or ", component.in_python),
                component.name)
          : fmt::format("install the package {}, or in a checkout run ./dev setup and build again",
                        component.name);
  return fail(ErrorCode::unsupported,
              fmt::format("{} need the component {}, which is missing (looked in: {}); {}", component.what,
                          component.name, tried, advice));
}

Result<void*> load_component(const ComponentNames& component) {
  LEITONG_ASSIGN(const fs::path object, find_component(component));
  void* const loaded = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr)
    return fail(ErrorCode::unsupported,
                fmt::format("{} {}: {}; install the package {} of this version again", component.what,
                            component.failed, ::dlerror(), component.name));
  void* const entry = ::dlsym(loaded, std::string(component.entry).c_str());
  if (entry == nullptr) return other_version(component);
  return entry;
}

tl::unexpected<Error> other_version(const ComponentNames& component) {
  return fail(ErrorCode::unsupported,
              fmt::format("{} {}: {} is not of this version; install the package {} of version {}.{}.{}",
                          component.what, component.failed, component.object, component.name,
                          LEITONG_VERSION_MAJOR, LEITONG_VERSION_MINOR, LEITONG_VERSION_PATCH));
}

}  // namespace leitong
