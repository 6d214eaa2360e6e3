// The instruction set of the kernels, chosen once at first use.
#pragma once

#include <optional>
#include <string_view>

namespace leitong {

/// The kernel families, ascending. Every kernel exists as `scalar`; the others return the same bits.
enum class Simd { scalar = 0, avx2 = 1, avx512 = 2 };

/// The best family that this CPU supports (avx512 means F, BW, VL, VBMI, VBMI2 and VPOPCNTDQ), lowered by the
/// environment variable LEITONG_SIMD=scalar|avx2|avx512 if set. A family that the CPU lacks is never chosen.
[[nodiscard]] Simd simd_level() noexcept;

[[nodiscard]] std::string_view simd_name(Simd level) noexcept;
/// The family of this name, if there is one.
[[nodiscard]] std::optional<Simd> simd_named(std::string_view name) noexcept;

}  // namespace leitong
