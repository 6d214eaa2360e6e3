#include <gmock/gmock.h>

#include "leitong/dedup.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string_view> kTexts = {
    "The ferry leaves the northern bank at six in the morning, and at seven on days of fog.",
    "First boat across: 6 am, or an hour later if nobody can see the other side.",
    "The dough rises twice and is baked for forty minutes."};
const std::vector<double> kNumbers = {1, 0, 0, .99, .1, 0, 0, 0, 1};

DedupSettings settings() {
  return {
      .cosine = .9,
      .vectors = {.numbers = kNumbers.data(), .count = 3, .dimensions = 3, .number = VectorNumber::float64}};
}

TEST(VectorsInMemory, MakeASecondReasonToLeave) {
  const auto decisions = deduplicate(kTexts, settings());
  ASSERT_TRUE(decisions) << decisions.error().message;
  EXPECT_THAT(decisions->kept(), ElementsAre(0, 0, 2));
  EXPECT_EQ(decisions->reason(1)->measure, "cosine");
  EXPECT_NEAR(decisions->reason(1)->score, .994937, 1e-6);
  EXPECT_EQ(decisions->vectors().pairs, 1u);
  EXPECT_EQ(decisions->pairs()->at(0).jaccard, 0) << "no shingle is in both";
  EXPECT_THAT(deduplicate(kTexts)->kept(), ElementsAre(0, 1, 2)) << "without vectors nothing is similar";
}

TEST(VectorsInMemory, AreForAllTextsThatComeInBatches) {
  const Context context;
  auto deduplicator = Deduplicator::open(context, settings());
  ASSERT_TRUE(deduplicator);
  ASSERT_TRUE(deduplicator->add_references(std::span(kTexts).first(1)));
  ASSERT_TRUE(deduplicator->add(std::span(kTexts).subspan(1)));
  const auto decisions = deduplicator->finish();
  ASSERT_TRUE(decisions) << decisions.error().message;
  EXPECT_THAT(decisions->kept(), ElementsAre(0, 0, 2));
}

TEST(VectorsInMemory, OfAnotherNumberThanTheTextsAreRefused) {
  DedupSettings wrong = settings();
  wrong.vectors.count = 2;
  EXPECT_THAT(deduplicate(kTexts, wrong).error().message, HasSubstr("2 vectors for 3 texts"));
  wrong.cosine = 0;
  EXPECT_THAT(deduplicate(kTexts, wrong).error().message, HasSubstr("no cosine"));
  EXPECT_THAT(deduplicate(kTexts, {.cosine = .9}).error().message, HasSubstr("0 vectors for 3 texts"));
  wrong = settings();
  wrong.vectors.dimensions = 0;
  EXPECT_THAT(deduplicate(kTexts, wrong).error().message, HasSubstr("no dimensions"));
}

}  // namespace
}  // namespace leitong
