// Kernels run only where the CPU has every instruction set that they are compiled for.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/cpu_features.hpp"

namespace leitong {
namespace {

Simd family_without(std::string_view missing) {
  return best_family([&](std::string_view feature) { return feature != missing; });
}

TEST(Cpu, AFamilyIsChosenOnlyIfNoneOfItsInstructionSetsIsMissing) {
  EXPECT_EQ(family_without(""), Simd::avx512);
  for (const std::string_view feature : features_of(Simd::avx512))
    EXPECT_LT(family_without(feature), Simd::avx512) << feature;
  for (const std::string_view feature : features_of(Simd::avx2))
    EXPECT_EQ(family_without(feature), Simd::scalar) << feature;
}

TEST(Cpu, AMaskedLzcntOrDqIsDetected) {
  EXPECT_EQ(family_without("lzcnt"), Simd::scalar);
  EXPECT_EQ(family_without("popcnt"), Simd::scalar);
  EXPECT_EQ(family_without("avx512dq"), Simd::avx2);
}

TEST(Cpu, EveryNameOfTheBuildIsKnown) {
  // A name that cpu_has() does not know would lower the kernel family on every machine. The running kernels
  // must have been compiled for the flags of the level that runs.
  for (const std::string_view feature : features_of(simd_level())) EXPECT_TRUE(cpu_has(feature)) << feature;
#if defined(__x86_64__)
  constexpr std::string_view kKnown[] = {"avx2",     "bmi",        "bmi2",        "popcnt",
                                         "lzcnt",    "avx512f",    "avx512bw",    "avx512vl",
                                         "avx512dq", "avx512vbmi", "avx512vbmi2", "avx512vpopcntdq"};
  for (const Simd level : {Simd::avx2, Simd::avx512})
    for (const std::string_view feature : features_of(level))
      EXPECT_NE(std::ranges::find(kKnown, feature), std::end(kKnown)) << feature;
#endif
}

}  // namespace
}  // namespace leitong
