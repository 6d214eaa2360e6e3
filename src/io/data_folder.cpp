#include "io/data_folder.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace leitong {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
  if (const char* set = std::getenv("LEITONG_DATA"); set != nullptr && *set != '\0') return {set};
  std::vector<fs::path> found;
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
    found.push_back(program.parent_path().parent_path() / "share" / "leitong");
#ifdef LEITONG_BUILD_DATA_DIR
  found.emplace_back(LEITONG_BUILD_DATA_DIR);
#endif
  return found;
}

}  // namespace

Result<fs::path> find_data_file(std::string_view name) {
  std::string tried;
  for (const fs::path& folder : folders()) {
    fs::path path = folder / name;
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path;
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", folder.string());
  }
  return fail(
      ErrorCode::not_found,
      fmt::format(
          "data file {} is missing (looked in: {}); run ./dev setup and build again, or let LEITONG_DATA "
          "name the folder that holds it",
          name, tried));
}

}  // namespace leitong
