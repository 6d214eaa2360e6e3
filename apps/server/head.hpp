// The head of a request: held to the letter of HTTP/1.1, so that no server or cache in front can read it in
// another way.
#pragma once

#include <cstddef>
#include <string_view>

#include "message.hpp"
#include "problem.hpp"

namespace leitong::server {

/// Longest head, with its last empty line.
inline constexpr std::size_t kMostHeadBytes = 8192;

/// Bytes of the head that `bytes` begins with; 0: its end has not come yet.
[[nodiscard]] std::size_t head_bytes(std::string_view bytes) noexcept;

/// Reads a whole head. Problems: 400 for whatever is not plain HTTP/1.0 or 1.1 (folded lines, bytes below a
/// space, lines without a carriage return, space before a colon, a Content-Length that is repeated or not of
/// digits alone, a missing or repeated Host); 411 for any Transfer-Encoding; 417 and 505.
[[nodiscard]] Outcome<Head> read_head(std::string_view bytes);

}  // namespace leitong::server
