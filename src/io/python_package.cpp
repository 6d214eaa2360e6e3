#include "io/python_package.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "base/system.hpp"

namespace leitong {

bool is_python_package() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  // The module is in the package's folder, the command in its folder bin. For a program, the loader knows
  // only the name by which it was called.
  Dl_info module{};
  if (::dladdr(reinterpret_cast<void*>(&is_python_package), &module) != 0 && module.dli_fname != nullptr &&
      fs::exists(fs::path(module.dli_fname).parent_path() / "_leitong.pyi", ignored))
    return true;
  return fs::exists(system::program_file().parent_path().parent_path() / "_leitong.pyi", ignored);
}

}  // namespace leitong
