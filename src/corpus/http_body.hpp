// The body of an archived HTTP response, decoded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leitong {

struct HttpBody {
  unsigned status = 0;            ///< 0: there is no status line
  std::string_view content_type;  ///< the field's value
  std::string_view bytes;         ///< without transfer and content coding; may point into the buffer
  std::string problem;            ///< why the body cannot be decoded; empty if it can
};

/// Decodes "chunked", gzip and zstd if the body still has them: many archives keep the fields and store the
/// decoded body. A body beyond `most` bytes is a problem, which is found before it is held in memory.
[[nodiscard]] HttpBody http_body(std::string_view response, std::uint64_t most, std::string& buffer);

}  // namespace leitong
