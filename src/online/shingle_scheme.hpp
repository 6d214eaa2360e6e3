// The schemes that compare texts. "default": shared shingles, by the rule of the batch command. "reuse": the
// same, and additional keys find texts of which another text holds a part.
#pragma once

#include <memory>
#include <string_view>

#include "leitong/context.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "online/index_scheme.hpp"

namespace leitong::online {

inline constexpr std::string_view kShingleScheme = "default", kReuseScheme = "reuse";
/// Is it one of these two?
[[nodiscard]] constexpr bool compares_texts(std::string_view scheme) noexcept {
  return scheme == kShingleScheme || scheme == kReuseScheme;
}

/// REQUIRES one of these two schemes. Fails with invalid_argument for parameters (the schemes have none), and
/// if texts are not kept.
Result<std::unique_ptr<IndexScheme>> make_shingle_scheme(const Context& context, const Folding& folding,
                                                         IndexSpec wanted);

}  // namespace leitong::online
