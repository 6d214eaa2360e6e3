// The header of a NumPy array file (.npy; NumPy enhancement proposal 1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
/// So many bytes from the beginning of a file hold every header that NumPy writes for plain numbers.
inline constexpr std::size_t kNpyHead = std::size_t{1} << 17;

struct NpyHeader {
  std::string type;                  ///< of the numbers, with quotes: "'<f4'"
  std::string shape_text;            ///< "(100, 768)"
  std::vector<std::uint64_t> shape;  ///< the parsed shape; empty if it is invalid
  bool fortran_order = false;        ///< the first index varies fastest
  std::uint64_t text = 0;            ///< offset of the header's text in bytes
  std::uint64_t begin = 0;           ///< offset of the numbers in bytes
};

/// Parses the first bytes of a file: kNpyHead of them, or the whole file. Fails with corrupt, naming `path`
/// and the offset.
Result<NpyHeader> parse_npy(const std::string& path, std::string_view head);

/// The error for a damaged file: "PATH: offset 12: what".
[[nodiscard]] tl::unexpected<Error> npy_corrupt(const std::string& path, std::uint64_t offset,
                                                std::string_view what);

/// Fails with corrupt unless the file of `bytes` bytes ends where its rows of `row_bytes` end.
Result<void> check_npy_size(const std::string& path, const NpyHeader& header, std::uint64_t row_bytes,
                            std::string_view rows, std::uint64_t bytes);

}  // namespace leitong
