// What is different where this code came with pip.
#pragma once

namespace leitong {

/// Whether this code is the module or the command of the Python package, so that advice can name what its
/// user can do.
[[nodiscard]] bool is_python_package();

}  // namespace leitong
