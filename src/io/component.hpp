// Parts of leitong that need libraries which few runs use: shared objects beside the program, each with one
// function, loaded at their first use, or programs.
#pragma once

#include <filesystem>
#include <string_view>

#include "leitong/result.hpp"
#include "leitong/version.hpp"

namespace leitong {

struct ComponentNames {
  std::string_view name;    ///< name of its package and folder: "leitong-arrow"
  std::string_view object;  ///< "libleitong_arrow.so"
  std::string_view entry;   ///< name of its function
  std::string_view what;    ///< what needs it: "Parquet and Arrow files"
  std::string_view failed;  ///< what is impossible without it: "can't be read"
  /// What the Python package offers instead: "leitong.parquet.dedup_files(..)"; empty: nothing.
  std::string_view in_python = {};
};

/// Both sides must have been built with this version.
inline constexpr unsigned kComponentVersion =
    (LEITONG_VERSION_MAJOR * 1000 + LEITONG_VERSION_MINOR) * 1000 + LEITONG_VERSION_PATCH;

/// The component's function, which stays loaded until the process ends. Fails with unsupported, naming the
/// places that were searched and the fix.
[[nodiscard]] Result<void*> load_component(const ComponentNames& component);
/// The same for a component whose object is a program; `entry` is not used.
[[nodiscard]] Result<std::filesystem::path> find_component(const ComponentNames& component);
/// The error for a component of another version.
[[nodiscard]] tl::unexpected<Error> other_version(const ComponentNames& component);

}  // namespace leitong
