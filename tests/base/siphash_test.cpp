#include "base/siphash.hpp"

#include <gtest/gtest.h>

#include <string>

namespace leitong {
namespace {

constexpr SipKey kKey{0x0706050403020100u, 0x0f0e0d0c0b0a0908u};

std::string counting(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i);
  return bytes;
}

// Appendix A of the paper, and three of the reference implementation's vectors.
TEST(SipHash, GivesTheValuesOfThePaper) {
  EXPECT_EQ(siphash(kKey, counting(15)), 0xa129ca6149be45e5u);
  EXPECT_EQ(siphash(kKey, counting(0)), 0x726fdb47dd0e0e31u);
  EXPECT_EQ(siphash(kKey, counting(7)), 0xab0200f58b01d137u);
  EXPECT_EQ(siphash(kKey, counting(8)), 0x93f5f5799a932462u);
}

TEST(SipHash, DependsOnEachHalfOfTheKey) {
  const std::string bytes = counting(24);
  EXPECT_NE(siphash(kKey, bytes), siphash({kKey.low ^ 1, kKey.high}, bytes));
  EXPECT_NE(siphash(kKey, bytes), siphash({kKey.low, kKey.high ^ 1}, bytes));
}

}  // namespace
}  // namespace leitong
