#include "base/cpu.hpp"

#include <algorithm>
#include <cstdlib>

namespace leitong {
namespace {

Simd supported() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq"))
    return Simd::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    return Simd::avx2;
#endif
  return Simd::scalar;
}

Simd choose() noexcept {
  const char* wish = std::getenv("LEITONG_SIMD");
  if (wish == nullptr) return supported();
  return std::min(simd_named(wish).value_or(Simd::avx512), supported());
}

}  // namespace

Simd simd_level() noexcept {
  static const Simd level = choose();
  return level;
}

std::string_view simd_name(Simd level) noexcept {
  switch (level) {
    case Simd::scalar:
      return "scalar";
    case Simd::avx2:
      return "avx2";
    case Simd::avx512:
      return "avx512";
  }
  return "scalar";
}

std::optional<Simd> simd_named(std::string_view name) noexcept {
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
    if (simd_name(level) == name) return level;
  return std::nullopt;
}

}  // namespace leitong
