#include "leitong/sign.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <bit>

#include "dedup/texts.hpp"

namespace leitong {
namespace {

using testing::edited;
using testing::Random;
using testing::random_text;
using testing::views;

TEST(Sign, GivesNearTextsNearSignaturesAndAnEmptyOneNone) {
  Random random(1);
  const std::string article = random_text(random, 400);
  const std::vector<std::string> texts = {article, edited(article, random, 100), random_text(random, 400),
                                          ""};
  const auto signatures =
      sign(views(texts), {"simhash", {"features=chars", "n=3", "weights=constant", "top=0"}});
  ASSERT_TRUE(signatures) << signatures.error().message;
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::popcount((*signatures)[a].at(0) ^ (*signatures)[b].at(0));
  };
  EXPECT_LT(distance(0, 1), 10);
  EXPECT_GT(distance(0, 2), 15);
  EXPECT_TRUE((*signatures)[3].empty());
}

TEST(Sign, IsTheSameOnAnyNumberOfThreads) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  Random random(2);
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back(random_text(random, 50));
  for (const std::string method : {"minhash", "exact"}) {
    const auto alone = sign(views(texts), {method}),
               together = sign(Context({.threads = 4}), views(texts), {method});
    ASSERT_TRUE(alone && together) << method;
    EXPECT_EQ(*alone, *together) << method;
  }
}

TEST(Sign, NamesTheTextThatIsNotUtf8AndRefusesMethodsWithoutSignatures) {
  const std::vector<std::string_view> texts = {"text", "\xFF"};
  const auto broken = sign(texts, {"minhash"});
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::corrupt);
  EXPECT_NE(broken.error().message.find("text 1"), std::string::npos);
  const auto refused = sign(texts, {"default"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace leitong
