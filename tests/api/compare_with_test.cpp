#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "leitong/compare.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

using testing::edited;
using testing::Random;
using testing::random_text;
using testing::views;

TEST(CompareWith, SaysOfEachTextWhatCompareSays) {
  Random random(1);
  const std::string text = random_text(random, 300);
  std::vector<std::string> others = {text, edited(text, random, 60), random_text(random, 300), "", "短"};
  for (int i = 0; i < 2'000; ++i)
    others.push_back(i % 3 == 0 ? edited(text, random, 90) : random_text(random, 40));
  const Context one({.threads = 1}), four({.threads = 4});
  const auto overlaps = compare_with(one, text, views(others)),
             again = compare_with(four, text, views(others));
  ASSERT_TRUE(overlaps && again);
  ASSERT_EQ(overlaps->size(), others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    const CompareResult expected = compare(text, others[i], {.edit_cells = 0}).value();
    for (const Overlap& overlap : {(*overlaps)[i], (*again)[i]}) {
      EXPECT_EQ(overlap.shingles, expected.b.shingles) << i;
      EXPECT_EQ(overlap.shared_shingles, expected.shared_shingles) << i;
      EXPECT_EQ(overlap.jaccard, expected.jaccard) << i;
      EXPECT_EQ(overlap.containment, expected.a.containment) << i;
      EXPECT_EQ(overlap.other_containment, expected.b.containment) << i;
      EXPECT_EQ(overlap.identical, expected.identical) << i;
      EXPECT_EQ(overlap.similar_by, expected.similar_by) << i;
    }
  }
  EXPECT_EQ((*overlaps)[0].similar_by, "identical");
  EXPECT_NE((*overlaps)[1].similar_by, "");
  EXPECT_EQ((*overlaps)[2].similar_by, "");
}

TEST(CompareJson, HoldsNamesMeasuresAndPassages) {
  const std::string text = "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。";
  const CompareOptions options{.edit_cells = 0, .name_a = "first", .name_b = "second"};
  const CompareResult result = compare(text, text, options).value();
  const auto json = nlohmann::json::parse(to_json(result, options));
  EXPECT_EQ(json["a"]["name"], "first");
  EXPECT_EQ(json["b"]["name"], "second");
  EXPECT_EQ(json["similar_by"], "identical");
  EXPECT_TRUE(json["edit"].is_null());
  ASSERT_EQ(result.passages.size(), 1u);
  EXPECT_EQ(json["passages"][0]["a"], nlohmann::json({0, result.passages[0].a.end}));
}

TEST(CompareWith, NamesWhatItCannotCompare) {
  const Context context({.threads = 1});
  const std::vector<std::string_view> broken = {"text", "\xFF"};
  EXPECT_EQ(compare_with(context, "text", broken).error().message, "text 1 is not valid UTF-8");
  const auto own = compare_with(context, "\xFF", {});
  ASSERT_FALSE(own);
  EXPECT_EQ(own.error().code, ErrorCode::corrupt);
}

TEST(CompareWith, EndsWhenAskedTo) {
  Context context({.threads = 1});
  context.request_stop();
  const std::vector<std::string_view> others = {"text"};
  const auto stopped = compare_with(context, "text", others);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace leitong
