#include "scheme/params.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "scheme/scheme.hpp"

namespace leitong {
namespace {

using testing::HasSubstr;

constexpr std::array kKnown = {
    number_param("distance", "3", 0, 63, "bits"), fraction_param("mu", "1.5", 0, 10, "weight"),
    word_param("hash", "xxh3", "xxh3|fnv1a", "hash"), ParamInfo{"model", "", "file"}};
using Given = std::vector<std::string>;

std::string refusal(const Given& given) {
  const auto params = Params::parse("simhash", kKnown, given);
  EXPECT_FALSE(params.has_value());
  return params ? "" : params.error().message;
}

TEST(Params, UnsetOnesHaveTheirDefaultsAndTheLastOfRepeatedOnesCounts) {
  const auto params = Params::parse("simhash", kKnown, Given{"mu=1.9", "mu=0.25", "model=a=b"});
  ASSERT_TRUE(params.has_value());
  EXPECT_EQ(params->whole("distance"), 3u);
  EXPECT_DOUBLE_EQ(params->number("mu"), .25);
  EXPECT_EQ(params->text("hash"), "xxh3");
  EXPECT_EQ(params->text("model"), "a=b");
}

TEST(Params, InvalidValuesAreRefusedWithTheValidOnes) {
  EXPECT_THAT(refusal({"bands=3"}), HasSubstr("it has distance, mu, hash, model"));
  EXPECT_THAT(refusal({"distance"}), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(refusal({"distance=64"}), HasSubstr("a whole number from 0 to 63"));
  EXPECT_THAT(refusal({"distance=2.5"}), HasSubstr("a whole number from 0 to 63"));
  EXPECT_THAT(refusal({"distance="}), HasSubstr("a whole number"));
  EXPECT_THAT(refusal({"mu=nan"}), HasSubstr("a number from 0 to 10"));
  EXPECT_THAT(refusal({"hash=xxh"}), HasSubstr("xxh3|fnv1a"));
}

TEST(Params, EverySchemesDefaultsAreWithinTheirOwnRanges) {
  for (const SchemeInfo& info : schemes()) {
    Given given;
    for (const ParamInfo& param : info.params)
      given.push_back(std::string(param.name) + "=" + std::string(param.fallback));
    EXPECT_TRUE(Params::parse(info.name, info.params, given).has_value()) << info.name;
    for (const ParamInfo& param : info.params) EXPECT_FALSE(param.meaning.empty()) << param.name;
  }
}

TEST(Params, AMethodWithoutParametersSaysSo) {
  const auto params = Params::parse("all-pairs", {}, Given{"distance=3"});
  ASSERT_FALSE(params.has_value());
  EXPECT_THAT(params.error().message, HasSubstr("all-pairs has no parameters"));
}

}  // namespace
}  // namespace leitong
