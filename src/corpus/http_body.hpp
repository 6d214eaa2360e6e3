// The body of an archived HTTP response, as its reader would see it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leitong {

struct HttpBody {
  unsigned status = 0;            ///< 0: it doesn't begin with a status line
  std::string_view content_type;  ///< the field's value
  std::string_view bytes;         ///< without transfer coding and content coding; may lie in the buffer
  std::string problem;            ///< why the bytes can't be had; empty if they can
};

/// Takes "chunked" and gzip and zstd back where the body still has them: many archives keep the
/// fields and store the body without them. A body beyond `most` bytes is a problem, and found before it is
/// held.
[[nodiscard]] HttpBody http_body(std::string_view response, std::uint64_t most, std::string& buffer);

}  // namespace leitong
