#include "dedup/kept_units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "corpus/memory_documents.hpp"
#include "dedup/texts.hpp"
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
    kept.keep(document, packed);
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
      count += kept.find(d, found);
      for (const KeptUnits* either : {&kept, static_cast<const KeptUnits*>(nullptr)}) {
        EXPECT_TRUE(read_units(d, documents, either, *scratch, found));
        EXPECT_TRUE(std::ranges::equal(found, units_)) << d;
      }
    }
    return count;
  }

  Context context_;
  std::vector<std::string> texts_;
  DocumentTable table_;
  PodVector<Unit> units_;
};

TEST_F(KeptUnitsOfTexts, AreFoundWhetherOrNotSomeAreLeftOut) {
  RunContext run(context_);
  KeptUnits kept(table_, run);
  for (DocId d = 0; d < texts_.size(); ++d)
    if (d % 5 != 0) keep(kept, d);
  EXPECT_TRUE(kept.has_room());
  EXPECT_EQ(count_kept(kept), texts_.size() * 4 / 5);
}

TEST_F(KeptUnitsOfTexts, StayWithinTheirPartOfTheBudget) {
  RunContext run(context_, MemoryBudget::least(0));  // 8 MB of buffers
  KeptUnits kept(table_, run);
  for (DocId d = 0; d < texts_.size(); ++d) keep(kept, d);
  EXPECT_FALSE(kept.has_room());
  const std::size_t count = count_kept(kept);
  EXPECT_GT(count, texts_.size() / 5);
  EXPECT_LT(count, texts_.size() / 2);
}

TEST_F(KeptUnitsOfTexts, AreGivenBackWhenDocumentsTakeTheRoom) {
  RunContext run(context_, MemoryBudget::least(100'000));
  KeptUnits kept(table_, run);
  for (DocId d = 0; d < 20; ++d) keep(kept, d);
  kept.fit();
  EXPECT_EQ(count_kept(kept), 20U);
  run.memory.set_documents(100'000);
  kept.fit();
  EXPECT_FALSE(kept.has_room());
  EXPECT_EQ(count_kept(kept), 0U);
  run.memory.hold(8 << 20);
  EXPECT_FALSE(run.memory.exceeded()) << "what was given back is still counted";
}

}  // namespace
}  // namespace leitong
