// The head of a request, checked strictly against HTTP/1.1, so that no server or cache in front can read it
// in another way.
#pragma once

#include <cstddef>
#include <string_view>

#include "message.hpp"
#include "problem.hpp"

namespace leitong::server {

/// The longest head, with its last empty line.
inline constexpr std::size_t kMostHeadBytes = 8192;

/// The bytes of the head at the beginning of `bytes`; 0: its end has not come yet.
[[nodiscard]] std::size_t head_bytes(std::string_view bytes) noexcept;

/// Reads a whole head. Problems: 400 for everything that is not plain HTTP/1.0 or 1.1 (folded lines, bytes
/// below a space, lines without a carriage return, a space before a colon, a Content-Length that is repeated
/// or has other characters than digits, a missing or repeated Host); 411 for any Transfer-Encoding; 417 and
/// 505.
[[nodiscard]] Outcome<Head> read_head(std::string_view bytes);

}  // namespace leitong::server
