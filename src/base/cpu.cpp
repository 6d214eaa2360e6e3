#include "base/cpu.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/cpu_features.hpp"
#include "base/kernel_families.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace leitong {
namespace {

/// The names in a list "a,b,c" of the build.
template <std::size_t kSize>
constexpr auto names_of(const char (&list)[kSize]) {
  constexpr std::size_t kMost = 16;
  struct Names {
    std::array<std::string_view, kMost> name{};
    std::size_t count = 0;
  } names;
  for (std::string_view rest(list, kSize - 1); !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    names.name[names.count++] = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}
constexpr auto kAvx2 = names_of(LEITONG_AVX2_FEATURES);
constexpr auto kAvx512 = names_of(LEITONG_AVX512_FEATURES);

#if defined(__x86_64__)
/// Not every compiler knows its name. A CPU without it executes another instruction instead, without a fault.
bool has_lzcnt() noexcept {
  constexpr unsigned kExtended = 0x80000001, kLzcnt = 1u << 5;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(kExtended, &a, &b, &c, &d) != 0 && (c & kLzcnt) != 0;
}
#endif

const char* wish() noexcept { return std::getenv("LEITONG_SIMD"); }

#if defined(LEITONG_SIMDE)
constexpr Simd kHighestUnasked = Simd::scalar;  // the speed of the others was never measured there
#else
constexpr Simd kHighestUnasked = Simd::avx512;
#endif

Simd choose() noexcept {
  const auto wished = wish() == nullptr ? std::nullopt : simd_named(wish());
  return std::min(wished.value_or(kHighestUnasked), best_family(cpu_has));
}

}  // namespace

std::span<const std::string_view> features_of(Simd level) noexcept {
  switch (level) {
    case Simd::scalar:
      return {};
    case Simd::avx2:
      return std::span(kAvx2.name).first(kAvx2.count);
    case Simd::avx512:
      return std::span(kAvx512.name).first(kAvx512.count);
  }
  return {};
}

bool cpu_has(std::string_view feature) noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  // The compiler accepts only literals.
#define LEITONG_IF_NAMED(name) \
  if (feature == name) return __builtin_cpu_supports(name) != 0
  LEITONG_IF_NAMED("avx2");
  LEITONG_IF_NAMED("bmi");
  LEITONG_IF_NAMED("bmi2");
  LEITONG_IF_NAMED("popcnt");
  LEITONG_IF_NAMED("avx512f");
  LEITONG_IF_NAMED("avx512bw");
  LEITONG_IF_NAMED("avx512vl");
  LEITONG_IF_NAMED("avx512dq");
  LEITONG_IF_NAMED("avx512vbmi");
  LEITONG_IF_NAMED("avx512vbmi2");
  LEITONG_IF_NAMED("avx512vpopcntdq");
#undef LEITONG_IF_NAMED
  if (feature == "lzcnt") return has_lzcnt();
#elif defined(LEITONG_SIMDE)
  return std::ranges::find(features_of(Simd::avx2), feature) != features_of(Simd::avx2).end();
#endif
  return false;
}

Simd best_family(const std::function<bool(std::string_view)>& has) {
  Simd best = Simd::scalar;
  for (const Simd level : {Simd::avx2, Simd::avx512}) {
    if (!std::ranges::all_of(features_of(level), has)) break;
    best = level;
  }
  return best;
}

std::optional<std::string_view> unknown_simd_wish() noexcept {
  if (wish() == nullptr || simd_named(wish())) return std::nullopt;
  return wish();
}

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
