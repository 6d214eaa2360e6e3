// The files that the program reads at run time, such as dictionaries, and how it was installed.
#pragma once

#include <filesystem>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// The path of a data file, such as "dict/idf.utf8", below `folder`. If that is empty (ContextSettings),
/// below the folder of the environment variable LEITONG_DATA; if that is not set, below ../share/leitong or
/// share/leitong relative to the program (a build folder has the latter). Fails with not_found, naming the
/// places that were searched and the fix.
Result<std::filesystem::path> find_data_file(const std::filesystem::path& folder, std::string_view name);

/// True if this code is the module or the command of the Python package, so that messages can advise pip.
[[nodiscard]] bool is_python_package();

}  // namespace leitong
