// Parts of leitong that stand on libraries which few runs need: shared objects beside the program, each with
// one function, loaded when they are first asked for.
#pragma once

#include <string_view>

#include "leitong/result.hpp"
#include "leitong/version.hpp"

namespace leitong {

struct ComponentNames {
  std::string_view name;    ///< of its package and folder: "leitong-arrow"
  std::string_view object;  ///< "libleitong_arrow.so"
  std::string_view entry;   ///< the one function
  std::string_view what;    ///< that needs it: "Parquet and Arrow files"
  std::string_view failed;  ///< what can't be done without it: "can't be read"
  /// What the Python package has in its place: "leitong.parquet.dedup_files(..)"; empty: nothing.
  std::string_view in_python = {};
};

/// What both sides must have been built as.
inline constexpr unsigned kComponentVersion =
    (LEITONG_VERSION_MAJOR * 1000 + LEITONG_VERSION_MINOR) * 1000 + LEITONG_VERSION_PATCH;

/// The component's function, which stays until the process ends. Fails with unsupported, naming the places it
/// was looked for and the fix.
[[nodiscard]] Result<void*> load_component(const ComponentNames& component);
/// Its function says that it is of another version.
[[nodiscard]] tl::unexpected<Error> other_version(const ComponentNames& component);

}  // namespace leitong
