// The version of the headers, and information about the linked library.
#pragma once

#include <cstdint>
#include <string_view>

/// The version of these headers. A program that was compiled with one minor version works with a library of
/// the same minor version and any later patch.
#define LEITONG_VERSION_MAJOR 0
#define LEITONG_VERSION_MINOR 1
#define LEITONG_VERSION_PATCH 0

namespace leitong {

/// Information about the linked library.
struct LibraryInfo {
  std::string_view version;  ///< "0.1.0"
  /// The instruction set of the kernels in use: "scalar", "avx2" or "avx512". Results do not depend on it.
  std::string_view kernels;
  /// A digest of the character tables that fold texts. Signatures that were made with other tables cannot be
  /// compared (leitong/scheme.hpp).
  std::uint64_t fold_tables = 0;
};

/// Does not fail. O(1) after the first call.
[[nodiscard]] LibraryInfo library_info() noexcept;

}  // namespace leitong
