// Tells whether this code was installed by pip.
#pragma once

namespace leitong {

/// Is this code the module or the command of the Python package? Then advice names what its user can do.
[[nodiscard]] bool is_python_package();

}  // namespace leitong
