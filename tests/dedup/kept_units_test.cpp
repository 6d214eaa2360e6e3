#include "dedup/kept_units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "corpus/memory_documents.hpp"
#include "made_up_texts.hpp"
#include "text/packed_units.hpp"

namespace leitong {
namespace {

class KeptUnitsOfTexts : public ::testing::Test {
 protected:
  KeptUnitsOfTexts() {
    testing::Random random(1);
    for (int i = 0; i < 40; ++i) texts_.push_back(testing::random_text(random, 100'000, i % 3 != 0));
    for (const std::string& text : texts_) {
      to_units(text, units_);
      table_.units.push_back(static_cast<std::uint32_t>(units_.size()));
    }
  }
  void keep(KeptUnits& kept, DocId document) {
    PodVector<std::uint16_t> packed;
    to_units(texts_[document], units_);
    pack_units(units_, packed);
    EXPECT_TRUE(kept.keep(document, packed));
    EXPECT_TRUE(kept.fit());
  }
  // The number of documents whose units are kept. The units of all must be right, kept or read.
  std::size_t count_kept(const KeptUnits& kept) {
    const auto views = testing::views(texts_);
    const MemoryDocuments documents(views);
    const auto scratch = documents.new_scratch();
    std::size_t count = 0;
    PodVector<Unit> found;
    for (DocId d = 0; d < texts_.size(); ++d) {
      to_units(texts_[d], units_);
      count += kept.find(d, found).value();
      for (const KeptUnits* either : {&kept, static_cast<const KeptUnits*>(nullptr)}) {
        EXPECT_TRUE(read_units(d, documents, either, *scratch, found));
        EXPECT_TRUE(std::ranges::equal(found, units_)) << d;
      }
    }
    return count;
  }

  static constexpr std::uint64_t kLittle = MemoryBudget::least(0);  // 8 MB of buffers
  Context context_;
  std::vector<std::string> texts_;
  DocumentTable table_;
  PodVector<Unit> units_;
};

TEST_F(KeptUnitsOfTexts, AreFoundWhetherOrNotSomeAreLeftOut) {
  for (const std::uint64_t memory : {std::uint64_t{0}, kLittle}) {
    RunContext run(context_, memory);
    KeptUnits kept(table_, run);
    for (DocId d = 0; d < texts_.size(); ++d)
      if (d % 5 != 0) keep(kept, d);
    EXPECT_EQ(kept.in_memory(), memory == 0);
    EXPECT_EQ(count_kept(kept), texts_.size() * 4 / 5);
  }
}

TEST_F(KeptUnitsOfTexts, TakeMemoryWithinTheirPartOfTheBudget) {
  RunContext run(context_, kLittle);
  KeptUnits kept(table_, run);
  for (DocId d = 0; d < texts_.size(); ++d) {
    keep(kept, d);
    EXPECT_GE(run.memory.left(), run.memory.for_buffers() * 3 / 4) << d;
  }
}

TEST_F(KeptUnitsOfTexts, LeaveMemoryWhenDocumentsTakeTheRoom) {
  RunContext run(context_, MemoryBudget::least(100'000));
  KeptUnits kept(table_, run);
  for (DocId d = 0; d < 20; ++d) keep(kept, d);
  EXPECT_TRUE(kept.in_memory());
  run.memory.set_documents(100'000);
  ASSERT_TRUE(kept.fit());
  EXPECT_FALSE(kept.in_memory());
  EXPECT_GT(run.memory.left(), run.memory.for_buffers() - (4 << 10)) << "what was written is still counted";
  EXPECT_EQ(count_kept(kept), 20U);
}

TEST_F(KeptUnitsOfTexts, AreReadByBlocksOfConsecutiveDocuments) {
  for (int copies = 0; copies < 2; ++copies)
    for (int i = 0; i < 40; ++i) {
      texts_.push_back(texts_[static_cast<std::size_t>(i)]);
      table_.units.push_back(table_.units[static_cast<std::size_t>(i)]);
    }
  RunContext run(context_, kLittle);
  KeptUnits kept(table_, run);
  for (DocId d = 0; d < texts_.size(); ++d) keep(kept, d);
  const auto last = static_cast<DocId>(texts_.size() - 1);
  kept.divide();
  ASSERT_GE(kept.block_of(last), 2U);
  for (DocId d = 1; d <= last; ++d) EXPECT_LE(kept.block_of(d - 1), kept.block_of(d));
  for (std::uint32_t one = 0; one <= kept.block_of(last); ++one)
    for (std::uint32_t other = 0; other <= one; ++other) {
      ASSERT_TRUE(kept.hold(one, other));
      EXPECT_EQ(count_kept(kept), texts_.size());
    }
  kept.let_go();
  EXPECT_EQ(count_kept(kept), texts_.size());
}

TEST_F(KeptUnitsOfTexts, AreLeftOutIfMostOfThemTakeThreeWords) {
  texts_ = {"一段文字", std::string(), "另一段"};
  for (int i = 0; i < 300; ++i) texts_[1] += "𠀀字";
  table_.units.clear();
  for (const std::string& text : texts_) {
    to_units(text, units_);
    table_.units.push_back(static_cast<std::uint32_t>(units_.size()));
  }
  RunContext run(context_);
  KeptUnits kept(table_, run);
  for (DocId d = 0; d < texts_.size(); ++d) keep(kept, d);
  EXPECT_EQ(count_kept(kept), 2U);
}

}  // namespace
}  // namespace leitong
