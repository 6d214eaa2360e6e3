#include "dedup/candidate_blocks.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "dedup/by_blocks.hpp"
#include "made_up_texts.hpp"
#include "text/packed_units.hpp"

namespace leitong {
namespace {

TEST(CandidateBlocks, GiveEachCandidateOnceWithOthersOfTheSameBlocks) {
  // 40 texts of 300 KB, in blocks of 2 MB.
  constexpr DocId kTexts = 40;
  constexpr std::uint32_t kUnits = 150'000;
  const Context context({.memory = MemoryBudget::least(0)});
  RunContext run(context);
  DocumentTable table;
  KeptUnits units(table, run);
  PodVector<std::uint16_t> packed;
  packed.resize(kUnits, u'文');
  for (DocId d = 0; d < kTexts; ++d) {
    table.units.push_back(kUnits);
    ASSERT_TRUE(units.keep(d, packed));
    ASSERT_TRUE(units.fit());
  }
  ASSERT_FALSE(units.in_memory());
  ASSERT_GE(units.block_of(kTexts - 1), 2U);

  std::set<std::pair<DocId, DocId>> added;
  CandidateBlocks blocks(units, run);
  testing::Random random(1);
  const auto frame_of = [](DocId a, DocId b) { return static_cast<std::uint8_t>(a + 3 * b); };
  for (int i = 0; i < 300; ++i) {
    const auto a = static_cast<DocId>(random.below(kTexts - 1)),
               b = static_cast<DocId>(a + 1 + random.below(kTexts - a - 1));
    if (!added.insert({a, b}).second) continue;
    const Candidate candidate{a, b, .25F + static_cast<float>(a), a % 2 == 0, frame_of(a, b), b % 3 == 0};
    ASSERT_TRUE(blocks.add({&candidate, 1}));
  }

  std::set<std::pair<std::uint32_t, std::uint32_t>> groups;
  std::set<std::pair<DocId, DocId>> found;
  ASSERT_TRUE(blocks.drain([&](std::vector<Candidate> some) -> Result<void> {
    const auto blocks_of = [&](const Candidate& c) {
      return std::pair(units.block_of(c.a), units.block_of(c.b));
    };
    EXPECT_TRUE(groups.insert(blocks_of(some.front())).second);
    for (const Candidate& c : some) {
      EXPECT_EQ(blocks_of(c), blocks_of(some.front()));
      EXPECT_TRUE(found.insert({c.a, c.b}).second);
      EXPECT_EQ(c.score, .25F + static_cast<float>(c.a));
      EXPECT_EQ(c.template_only, c.a % 2 == 0);
      EXPECT_EQ(c.frame, frame_of(c.a, c.b));
      EXPECT_EQ(c.passage, c.b % 3 == 0);
    }
    return {};
  }));
  EXPECT_EQ(found, added);
  ASSERT_TRUE(blocks.drain([&](const std::vector<Candidate>&) -> Result<void> {
    ADD_FAILURE() << "a candidate came twice";
    return {};
  }));
}

TEST(ByBlocks, LeavesPairsTogetherWhoseUnitsAreInMemory) {
  const Context context;
  RunContext run(context);
  const DocumentTable table;
  KeptUnits units(table, run);
  for (KeptUnits* const each : {&units, static_cast<KeptUnits*>(nullptr)}) {
    int calls = 0;
    ASSERT_TRUE(by_blocks(each, std::vector<Candidate>{{0, 1}, {0, 900}},
                          [&](std::vector<Candidate> all) -> Result<void> {
                            ++calls;
                            EXPECT_EQ(all.size(), 2U);
                            return {};
                          }));
    EXPECT_EQ(calls, 1);
  }
}

}  // namespace
}  // namespace leitong
