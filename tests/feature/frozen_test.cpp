// Units, shingles and keys are stored and compared between machines, so their values are fixed: the same for
// every CPU, kernel, compiler and build, including sanitizers.
#include <gtest/gtest.h>

#include <string>

#include "feature/shingles.hpp"
#include "feature/winnow.hpp"
#include "text/sample_text.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

template <class T>
std::uint64_t digest(const PodVector<T>& values) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const T value : values) hash = (hash ^ value) * 0x100000001B3u;
  return hash;
}

class FrozenTest : public ::testing::TestWithParam<Simd> {
 protected:
  void SetUp() override {
    if (GetParam() > simd_level()) GTEST_SKIP() << "this CPU has no " << simd_name(GetParam());
    std::string text;
    // Each round begins at another distance from the start of a block.
    for (int round = 0; round < 200; ++round)
      text += std::string(static_cast<std::size_t>(round % 67), '.') + std::string(kSampleText);
    to_units(text, units_, GetParam());
  }
  PodVector<Unit> units_;
};

TEST(FoldTableTest, IsTheOneThatFrozenValuesWereMadeWith) {
  EXPECT_EQ(fold_table_id(), 0xCBFF2316863EEE6Au)
      << "other versions of ICU, Unihan or OpenCC than Debian 12's fold some characters in another way: "
         "texts and signatures stay usable, but compare only with those of the same table";
}

TEST_P(FrozenTest, Units) {
  EXPECT_EQ(units_.size(), 55'000u);
  EXPECT_EQ(digest(units_), 0xA5A786D8D766AAEDu);
}

TEST_P(FrozenTest, Shingles) {
  PodVector<std::uint32_t> hashes;
  shingle_hashes(units_, hashes, GetParam());
  EXPECT_EQ(digest(hashes), 0x5F9FF23773F98313u);
  PodVector<std::uint32_t> scratch;
  shingle_set(units_, hashes, scratch, GetParam());
  EXPECT_EQ(digest(hashes), 0xE7A035CB51749B24u);
}

TEST_P(FrozenTest, Keys) {
  WinnowScratch scratch;
  PodVector<std::uint64_t> keys;
  winnow(units_, 6, 4, scratch, keys, GetParam());
  EXPECT_EQ(digest(keys), 0xD4BB6C7F977CAE66u);
  keys.clear();
  winnow(units_, 12, 32, scratch, keys, GetParam());
  EXPECT_EQ(digest(keys), 0xB63E3D7A32E24E44u);
}

INSTANTIATE_TEST_SUITE_P(EveryKernel, FrozenTest, ::testing::Values(Simd::scalar, Simd::avx2, Simd::avx512),
                         [](const auto& parameter) { return std::string(simd_name(parameter.param)); });

}  // namespace
}  // namespace leitong
