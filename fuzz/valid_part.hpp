// UTF-8 out of any bytes, for functions that require it.
#pragma once

#include <string>
#include <string_view>

#include "leitong/utf8.hpp"

/// The well-formed parts of the bytes.
inline std::string valid_part(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto point = leitong::decode_utf8(bytes, at);
    if (point.valid) text.append(bytes, at, point.length);
    at += point.length;
  }
  return text;
}
