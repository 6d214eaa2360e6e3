// The basis for the choice of kernels (cpu.hpp): instruction sets by name, and the user's setting.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "base/cpu.hpp"

namespace leitong {

/// The instruction sets for which the kernels of a family are compiled, by the compilers' names ("avx2",
/// "lzcnt"). They are the lists of cmake/LeitongLayers.cmake.
[[nodiscard]] std::span<const std::string_view> features_of(Simd level) noexcept;

/// Do this CPU and its system support instructions of this name, or does simde in their place? False for an
/// unknown name.
[[nodiscard]] bool cpu_has(std::string_view feature) noexcept;

/// The highest family whose instruction sets, with those of the lower families, are all supported.
[[nodiscard]] Simd best_family(const std::function<bool(std::string_view)>& has);

/// The value of LEITONG_SIMD if it is no family's name.
[[nodiscard]] std::optional<std::string_view> unknown_simd_wish() noexcept;

}  // namespace leitong
