// The scheme "default": shared shingles, by the rule of the batch command.
#pragma once

#include <memory>
#include <string_view>

#include "leitong/context.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "online/index_scheme.hpp"

namespace leitong::online {

inline constexpr std::string_view kShingleScheme = "default";

/// Fails with invalid_argument for parameters (the scheme has none), and if texts are not kept.
Result<std::unique_ptr<IndexScheme>> make_shingle_scheme(const Context& context, const Folding& folding,
                                                         IndexSpec wanted);

}  // namespace leitong::online
