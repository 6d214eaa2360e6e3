// What the choice of kernels (cpu.hpp) rests on: instruction sets by their names, and the user's wish.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "base/cpu.hpp"

namespace leitong {

/// The instruction sets that the kernels of a family are compiled for, as compilers name them ("avx2",
/// "lzcnt"). They are the lists of cmake/LeitongLayers.cmake.
[[nodiscard]] std::span<const std::string_view> features_of(Simd level) noexcept;

/// Whether this CPU and its system run instructions of that name; false for a name that isn't known.
[[nodiscard]] bool cpu_has(std::string_view feature) noexcept;

/// The highest family all of whose instruction sets are there, those of the lower families included.
[[nodiscard]] Simd best_family(const std::function<bool(std::string_view)>& has);

/// What LEITONG_SIMD is set to, if that is no family's name.
[[nodiscard]] std::optional<std::string_view> unknown_simd_wish() noexcept;

}  // namespace leitong
