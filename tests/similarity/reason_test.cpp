#include "similarity/reason.hpp"

#include <gtest/gtest.h>

namespace leitong {
namespace {

TEST(Reason, NamesTheMeasureThatDecided) {
  EXPECT_EQ(reason_of({0, 1, .625F, .9F, .625F, Measure::jaccard}, true), "similar: Jaccard 0.62");
  EXPECT_EQ(reason_of({0, 1, .2F, .75F, .75F, Measure::containment}, true), "similar: containment 0.75");
  EXPECT_EQ(reason_of({0, 1, 1, 1, 1, Measure::identical}, true), "similar: the same text");
}

TEST(Reason, SaysWhatIsATemplate) {
  VerifiedPair pair{0, 1, .5F, .75F, .5F, Measure::jaccard};
  pair.own = {.125F, .25F, .83F, 0, 312};
  EXPECT_EQ(reason_of(pair, false),
            "not similar: 83 % of what they share is a template that about 310 other families of texts hold; "
            "without it Jaccard 0.12, containment 0.25");
  EXPECT_EQ(
      reason_of(pair, true),
      "similar: Jaccard 0.50; 83 % of what they share is a template that about 310 other families of texts "
      "hold; without it Jaccard 0.12, containment 0.25");
}

TEST(Reason, SaysWhatIsRareAndWhatIsLeftWithoutTemplates) {
  VerifiedPair pair{0, 1, .375F, .5F, .25F, Measure::rare_text};
  pair.own = {.375F, .5F, 0, .77F, 0};
  EXPECT_EQ(reason_of(pair, true), "similar: 77 % of what they share is in no third text; Jaccard 0.38");
  pair.measure = Measure::own_text;
  pair.own = {.75F, .875F, 0, .2F, 0};
  EXPECT_EQ(reason_of(pair, true),
            "similar without their templates: Jaccard 0.75, containment 0.88 (with them: Jaccard 0.38)");
}

TEST(Reason, SaysWhereTheSiteFieldCouldChangeTheDecision) {
  VerifiedPair pair{0, 1, .625F, .9F, .625F, Measure::jaccard, PairStanding::doubtful};
  EXPECT_EQ(
      reason_of(pair, true),
      "similar: Jaccard 0.62; what they share may be a template of fewer than 8 families of texts, which "
      "the site field would show");
  EXPECT_EQ(reason_of(pair, false), "not similar: Jaccard 0.62, containment 0.90");
}

TEST(Reason, SaysHowLongAPassageIs) {
  VerifiedPair pair{0, 1, .01F, .125F, .1F, Measure::passage};
  pair.passage_units = 143;
  EXPECT_EQ(reason_of(pair, true), "similar: a common passage of 143 units; containment 0.12");
  pair.own = {.01F, .125F, .5F, 0, 312};
  EXPECT_EQ(reason_of(pair, true),
            "similar: a common passage with 143 units that are no template; containment 0.12");
}

}  // namespace
}  // namespace leitong
