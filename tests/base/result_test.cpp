#include "leitong/result.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/try.hpp"

namespace leitong {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::invalid_argument, std::to_string(number) + " is odd");
  return number / 2;
}

Result<std::string> quarter(int number) {
  LEITONG_ASSIGN(const int once, half(number));
  LEITONG_ASSIGN(const int twice, half(once));
  return std::to_string(twice);
}

Result<void> check_quarter(int number) {
  LEITONG_TRY(quarter(number));
  return {};
}

TEST(Results, HoldAValueOrSayWhyThereIsNone) {
  EXPECT_EQ(half(4).value(), 2);
  const Result<int> odd = half(3);
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(odd.error().message, "3 is odd");
}

TEST(Results, HandFailuresOnAcrossTypes) {
  EXPECT_EQ(quarter(8).value(), "2");
  EXPECT_EQ(quarter(6).error().message, "3 is odd");
  EXPECT_TRUE(check_quarter(8));
  EXPECT_EQ(check_quarter(6).error().message, "3 is odd");
}

// A copy of a Result<bool> keeps its value: it is not constructed from whether there is a value.
TEST(Results, OfBoolAreCopiedAsTheyAre) {
  Result<bool> no = false;
  Result<bool> copy = no;
  ASSERT_TRUE(copy);
  EXPECT_FALSE(*copy);
  const Result<bool> moved = std::move(no);
  ASSERT_TRUE(moved);
  EXPECT_FALSE(*moved);
  copy = fail(ErrorCode::io, "lost");
  EXPECT_FALSE(copy);
}

TEST(Results, ConvertAsTheirValuesDoAndMapToOthers) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(7);
  Result<std::shared_ptr<const int>> kept = std::move(made);
  ASSERT_TRUE(kept);
  EXPECT_EQ(**kept, 7);
  const Result<std::string> text = half(4).map([](int value) { return std::to_string(value); });
  EXPECT_EQ(text.value(), "2");
  EXPECT_TRUE(Result<void>());
}

}  // namespace
}  // namespace leitong
