// Decompresses bodies.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "problem.hpp"

namespace leitong::server {

/// Bytes after a body that JSON readers may read.
inline constexpr std::size_t kBodyPadding = 64;

/// Called before a buffer of so many bytes replaces the previous one.
using HoldBytes = std::function<Outcome<void>(std::size_t bytes)>;

/// A body without its Content-Encoding: "", "identity", "gzip" or "zstd" in any case, with room for
/// kBodyPadding more bytes. Problems: 415 for another encoding, 413 for more than `most` bytes or a zstd
/// window above 8 MB (this limits the memory for any body), 400 for damaged data, and those of `hold`.
[[nodiscard]] Outcome<std::string> decode_body(std::string_view encoding, std::string body, std::size_t most,
                                               const HoldBytes& hold = {});

}  // namespace leitong::server
