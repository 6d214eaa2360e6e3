#include "similarity/template_rule.hpp"

#include <gtest/gtest.h>

namespace leitong {
namespace {

// Two texts of `n` distinct shingles each, of which `own` are no template.
struct Case {
  std::size_t n, own, in_runs, shared, shared_own, shared_rare = 0;
};

SecondDecision decide(const Case& c, bool rare_counts = true) {
  const OwnText text{c.n, c.own, c.in_runs};
  return decide_again(Rule(), {0, 1}, text, text, {c.shared, c.shared_own, c.shared_rare}, rare_counts);
}

TEST(TemplateRule, RequiresLongerRunsInLargerCorpora) {
  EXPECT_EQ(least_template_run(0), (LeastRun{1, 1}));
  EXPECT_EQ(least_template_run(99'999), (LeastRun{1, 1}));
  EXPECT_EQ(least_template_run(100'000), (LeastRun{12, 4}));
  EXPECT_EQ(least_template_run(1'000'000), (LeastRun{24, 8}));
  EXPECT_EQ(least_template_run(10'000'000), (LeastRun{36, 12}));
  EXPECT_EQ(least_template_run(100'000'000), (LeastRun{48, 16}));
  for (std::uint64_t documents = 1; documents < UINT32_MAX; documents *= 2) {
    EXPECT_LE(least_template_run(documents).inside, least_template_run(2 * documents).inside);
    EXPECT_LE(least_template_run(documents).at_end, least_template_run(2 * documents).at_end);
  }
}

TEST(TemplateShingle, IsOneOfManyFamiliesThatAreNoStragglers) {
  EXPECT_FALSE(is_template(7, 7));
  EXPECT_TRUE(is_template(8, 8));
  EXPECT_TRUE(is_template(8, 80));
  EXPECT_FALSE(is_template(8, 81)) << "eight stragglers of one large family";
}

TEST(TemplateShingle, OfASiteNeedsThreeFamiliesAndHalfOfTheSite) {
  EXPECT_TRUE(is_site_template(3, 3, 6));
  EXPECT_FALSE(is_site_template(3, 3, 7));
  EXPECT_FALSE(is_site_template(2, 2, 2));
}

TEST(BareText, HasHardlyAnyTextOfItsOwn) {
  EXPECT_TRUE((OwnText{200, 20, 11}.is_bare()));
  EXPECT_FALSE((OwnText{200, 20, 12}.is_bare()));
  EXPECT_TRUE((OwnText{1'000, 60, 39}.is_bare()));
  EXPECT_FALSE((OwnText{1'000, 60, 40}.is_bare()));
}

TEST(SecondDecision, LeavesPairsAloneThatShareNoTemplate) {
  const SecondDecision d = decide({200, 150, 150, 140, 140});
  EXPECT_TRUE(d.accepted);
  EXPECT_EQ(d.pair.measure, Measure::jaccard);
  EXPECT_FLOAT_EQ(d.pair.own.template_share, 0);
}

TEST(SecondDecision, OfTextsWithNoiseRequiresThatMostSharedTextIsTheirOwn) {
  VerifiedPair noisy{0, 1, .2F, .33F, .85F, Measure::edit};
  const auto decided = [&](const OwnText& text, std::size_t own) {
    return decide_again(Rule(), noisy, text, text, {100, own}, true);
  };
  const OwnText plain{300, 300, 300}, framed{300, 200, 200}, bare{300, 200, 11};
  EXPECT_TRUE(decided(plain, 100).accepted) << "no template";
  EXPECT_TRUE(decided(framed, 80).accepted);
  EXPECT_EQ(decided(framed, 80).pair.measure, Measure::edit);
  EXPECT_FALSE(decided(framed, 79).accepted);
  EXPECT_LT(decided(framed, 79).closeness, 1);
  EXPECT_FALSE(decided(bare, 100).accepted) << "template and little else";
}

TEST(SecondDecision, RefusesPagesThatShareOnlyTheirFrame) {
  // J = 150 / 250; of their own text they share a tenth.
  const SecondDecision d = decide({200, 60, 60, 150, 10});
  EXPECT_FALSE(d.accepted);
  EXPECT_FLOAT_EQ(d.pair.own.template_share, 140.0F / 150);
  EXPECT_LT(d.closeness, 1);
  EXPECT_GT(d.closeness, 0);
}

TEST(SecondDecision, AcceptsByTheJaccardValueOrTheContainmentOfOwnText) {
  EXPECT_TRUE(decide({200, 100, 100, 140, 40}).accepted) << "own Jaccard 40 / 160 = .25";
  EXPECT_FALSE(decide({200, 100, 100, 138, 38}).accepted);
  const OwnText small{200, 24, 24}, large{400, 200, 200};
  EXPECT_TRUE(decide_again(Rule(), {0, 1}, small, large, {180, 12, 0}, true).accepted)
      << "own containment 12 / 24, base containment .90";
  EXPECT_FALSE(decide_again(Rule(), {0, 1}, small, large, {180, 11, 0}, true).accepted);
}

TEST(SecondDecision, RequiresTwoBareTextsToBeAlmostEqual) {
  EXPECT_TRUE(decide({200, 10, 8, 180, 2}).accepted) << "J = 180 / 220 = .82";
  EXPECT_FALSE(decide({200, 10, 8, 176, 2}).accepted) << "J = 176 / 224 = .79";
}

TEST(SecondDecision, FindsACopyInTheFrameOfAnotherSite) {
  // J = 40 / 360; without the frames the texts are nearly equal.
  const SecondDecision d = decide({200, 44, 44, 40, 40});
  EXPECT_TRUE(d.accepted);
  EXPECT_EQ(d.pair.measure, Measure::own_text);
  EXPECT_FLOAT_EQ(d.pair.score, 40.0F / 48);
  EXPECT_FALSE(decide({200, 11, 11, 10, 10}).accepted) << "too little is their own";
}

TEST(SecondDecision, CountsRarePassagesWhereThereAreDocumentsEnough) {
  // J = 100 / 300, below .386.
  const Case spun{200, 200, 200, 100, 100, 60};
  EXPECT_TRUE(decide(spun).accepted) << "rare shingles are 60 / 300 of the union";
  EXPECT_EQ(decide(spun).pair.measure, Measure::rare_text);
  EXPECT_FALSE(decide(spun, false).accepted);
  EXPECT_FALSE(decide({200, 200, 200, 100, 100, 59}).accepted);
  EXPECT_FALSE(decide({200, 200, 200, 90, 90, 90}).accepted) << "J = 90 / 310, below .30";
  EXPECT_FALSE(decide({63, 63, 63, 31, 31, 31}).accepted) << "too short";
}

TEST(SecondDecision, IsMadeWhereItCouldAccept) {
  constexpr std::uint8_t kAny = UINT8_MAX;  // all of a text may be a template
  EXPECT_TRUE(worth_deciding_again(100, 200, 200, 0)) << "J = .33";
  EXPECT_FALSE(worth_deciding_again(90, 200, 200, 0));
  EXPECT_TRUE(worth_deciding_again(6, 200, 200, kAny)) << "what two own texts of 12 shingles share at least";
  EXPECT_FALSE(worth_deciding_again(5, 200, 200, kAny));
  // Everything that it accepts and the rule refuses must be worth the second decision.
  for (std::size_t own = 1; own < 200; ++own)
    for (std::size_t shared = 0; shared <= own; ++shared)
      if (decide({200, own, own, shared, shared, shared}).accepted) {
        EXPECT_TRUE(worth_deciding_again(shared, 200, 200, kAny)) << own << " " << shared;
      }
}

TEST(SecondDecision, IsMadeWhereTemplatesLeaveLittleElse) {
  // A quarter of the keys are common, so at least half of either text is its own: 100 shingles, which reach J
  // = 0.30 with 47 shared ones, and a containment of 0.70 with 70.
  constexpr std::uint8_t kQuarter = 64;
  EXPECT_TRUE(worth_deciding_again(47, 200, 200, kQuarter));
  EXPECT_FALSE(worth_deciding_again(45, 200, 200, kQuarter));
  EXPECT_TRUE(worth_deciding_again(70, 200, 900, kQuarter));
  EXPECT_FALSE(worth_deciding_again(69, 200, 900, kQuarter));
  EXPECT_FALSE(worth_deciding_again(60, 63, 900, 12))
      << "below a twentieth of the keys nothing is a template";
  for (const unsigned frame : {13U, 40U, 90U, 127U}) {
    const auto template_share = TemplateRule::kFrameSlack * frame / UINT8_MAX;
    const auto own = static_cast<std::size_t>(200 * (1 - template_share));
    for (std::size_t shared = 0; shared <= own; ++shared)
      if (decide({200, own, own, shared, shared, 0}).accepted) {
        EXPECT_TRUE(worth_deciding_again(shared, 200, 200, static_cast<std::uint8_t>(frame)))
            << frame << " " << shared;
      }
  }
}

SecondDecision decide_reuse(const Case& c, std::size_t passage) {
  const OwnText text{c.n, c.own, c.in_runs};
  return decide_again(reuse_rule(), {0, 1}, text, text, {c.shared, c.shared_own, 0, passage}, true);
}

TEST(SecondDecision, OfReuseComparesOwnTextWithTheThreshold) {
  const SecondDecision part = decide_reuse({400, 300, 300, 100, 45}, 0);
  EXPECT_TRUE(part.accepted) << "45 / 300";
  EXPECT_EQ(part.pair.measure, Measure::containment);
  EXPECT_FLOAT_EQ(part.pair.score, .25F);
  const SecondDecision frame = decide_reuse({400, 300, 300, 100, 44}, 0);
  EXPECT_FALSE(frame.accepted);
  EXPECT_NEAR(frame.closeness, 44.0 / 45, 1e-9);
  const SecondDecision diluted = decide_reuse({400, 100, 100, 59, 15}, 0);
  EXPECT_TRUE(diluted.accepted) << "59 / 400, but 15 / 100 without templates";
  EXPECT_EQ(diluted.pair.measure, Measure::own_text);
}

TEST(SecondDecision, OfReuseAcceptsAPassageWhereContainmentFails) {
  const SecondDecision quoted = decide_reuse({4'000, 4'000, 4'000, 80, 80}, 84);
  EXPECT_TRUE(quoted.accepted);
  EXPECT_EQ(quoted.pair.measure, Measure::passage);
  EXPECT_EQ(quoted.pair.passage_units, 84);
  EXPECT_FLOAT_EQ(quoted.pair.score, 80.0F / 4'000);
  EXPECT_FALSE(decide_reuse({4'000, 4'000, 4'000, 80, 80}, 0).accepted);
}

TEST(SecondDecision, OfTheStrictRulePassesOverRarePassages) {
  const OwnText text{200, 200, 200};
  const SharedText spun{100, 100, 100};
  EXPECT_TRUE(decide_again(Rule(), {0, 1}, text, text, spun, true).accepted) << "J .33, all of it rare";
  EXPECT_FALSE(decide_again(strict_rule(), {0, 1}, text, text, spun, true).accepted);
}

}  // namespace
}  // namespace leitong
