// Checks texts that a caller of the library passes.
#pragma once

#include <fmt/core.h>
#include <simdjson.h>

#include <span>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// Fails with corrupt, naming the first text that is not valid UTF-8; `first` is the position of texts[0].
inline Result<void> check_texts(std::span<const std::string_view> texts, std::uint64_t first = 0) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!simdjson::validate_utf8(texts[i].data(), texts[i].size()))
      return fail(ErrorCode::corrupt, fmt::format("text {} is not valid UTF-8", first + i));
  return {};
}

}  // namespace leitong
