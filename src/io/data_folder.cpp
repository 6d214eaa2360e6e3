#include "io/data_folder.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "base/system.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders(const fs::path& chosen) {
  if (!chosen.empty()) return {chosen};
  if (const char* set = std::getenv("LEITONG_DATA"); set != nullptr && *set != '\0') return {set};
  std::vector<fs::path> found;
  if (const fs::path program = system::program_file(); !program.empty())
    for (const fs::path& near : {program.parent_path().parent_path(), program.parent_path()})
      found.push_back(near / "share" / "leitong");
  return found;
}

}  // namespace

bool is_python_package() {
  std::error_code ignored;
  // The module is in the package's folder, the command in its folder bin. For a program, the loader knows
  // only the name by which it was called.
  Dl_info module{};
  if (::dladdr(reinterpret_cast<void*>(&is_python_package), &module) != 0 && module.dli_fname != nullptr &&
      fs::exists(fs::path(module.dli_fname).parent_path() / "_leitong.pyi", ignored))
    return true;
  return fs::exists(system::program_file().parent_path().parent_path() / "_leitong.pyi", ignored);
}

Result<fs::path> find_data_file(const fs::path& chosen, std::string_view name) {
  std::string tried;
  for (const fs::path& folder : folders(chosen)) {
    fs::path path = folder / name;
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path;
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", folder.string());
  }
  const std::string_view advice = is_python_package()
                                      ? "pip install 'leitong[zh]' brings jieba's dictionaries, or the "
                                        "environment variable LEITONG_DATA names a folder that "
                                        "has them"
                                      : "./dev setup fetches it into a checkout, the package "
                                        "leitong-dict-jieba holds it, and the environment "
                                        "variable LEITONG_DATA may name another folder";
  return fail(ErrorCode::not_found,
              fmt::format("data file {} is missing (looked in: {}); {}", name, tried, advice));
}

}  // namespace leitong
