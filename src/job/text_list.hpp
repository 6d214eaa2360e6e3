// Texts that a caller of the library hands over.
#pragma once

#include <fmt/core.h>
#include <simdjson.h>

#include <span>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// Fails with corrupt, naming the first text that isn't valid UTF-8.
inline Result<void> check_texts(std::span<const std::string_view> texts) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!simdjson::validate_utf8(texts[i].data(), texts[i].size()))
      return fail(ErrorCode::corrupt, fmt::format("text {} is not valid UTF-8", i));
  return {};
}

}  // namespace leitong
