#include "dedup/confirm_copies.hpp"

#include <gtest/gtest.h>

#include <string>

#include "corpus/memory_documents.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

struct Confirmed {
  std::uint64_t removed = 0;
  std::vector<Copy> copies;
};

/// The first `originals` texts in turn as originals of all others. `limit` is that of memory.
Confirmed confirmed(const std::vector<std::string>& texts, DocId originals = 1, std::uint64_t limit = 0) {
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  const Context context;
  RunContext run(context, limit);
  DocumentTable table;
  for (const std::string& text : texts) table.units.push_back(static_cast<std::uint32_t>(text.size() / 3));
  Confirmed result;
  for (DocId d = originals; d < texts.size(); ++d) result.copies.push_back({d, d % originals});
  result.removed = confirm_copies(documents, table, run, result.copies).value();
  return result;
}

TEST(ConfirmCopies, TextsOfOtherUnitsAreNone) {
  const Confirmed found = confirmed({"今天天气很好", "今天天气不好", "今天天气很好"});
  EXPECT_EQ(found.removed, 1u);
  ASSERT_EQ(found.copies.size(), 1u);
  EXPECT_EQ(found.copies[0].copy, 2u);
  EXPECT_EQ(found.copies[0].form, CopyForm());
}

// Such texts have equal hashes, whatever they are.
TEST(ConfirmCopies, TextsOfWhichFoldingLeavesNothingAreEqualByteForByte) {
  const Confirmed found = confirmed({"!!!", "???", "!!!", "渡船"});
  EXPECT_EQ(found.removed, 2u);
  ASSERT_EQ(found.copies.size(), 1u);
  EXPECT_EQ(found.copies[0].copy, 2u);
}

TEST(ConfirmCopies, SayWhichAreTheSameTextAndWhichHaveTheSameSigns) {
  const Confirmed found = confirmed({"If x < y then stop.", "IF x<y  THEN stop.", "“If x < y”, then stop",
                                     "If x > y then stop.", "‘If x < y’, then stop", "“IF x<y”, then STOP"});
  EXPECT_EQ(found.removed, 0u);
  const CopyForms forms(found.copies);
  EXPECT_TRUE(forms.same_text(0, 1));
  EXPECT_FALSE(forms.same_text(0, 2));
  EXPECT_FALSE(forms.same_text(2, 4));
  EXPECT_TRUE(forms.same_text(2, 5));
  for (const DocId quoted : {1u, 2u, 4u, 5u}) EXPECT_TRUE(forms.same_signs(0, quoted)) << quoted;
  EXPECT_FALSE(forms.same_signs(0, 3));
  EXPECT_FALSE(forms.same_signs(2, 3));
}

TEST(ConfirmCopies, AreTheSameWhereMemoryHasNoRoomForTheirTexts) {
  testing::Random random(1);
  std::vector<std::string> texts;
  constexpr DocId kOriginals = 50;
  for (DocId d = 0; d < kOriginals; ++d) texts.push_back(testing::random_text(random, 300));
  for (DocId d = kOriginals; d < 30'000; ++d) {
    const std::string& original = texts[d % kOriginals];
    texts.push_back(d % 3 == 0   ? original
                    : d % 3 == 1 ? "《" + original
                                 : testing::edited(original, random, 300));
  }
  const Confirmed all = confirmed(texts, kOriginals),
                  some = confirmed(texts, kOriginals, MemoryBudget::least(0));
  EXPECT_GT(all.removed, 5'000u);
  EXPECT_EQ(all.removed, some.removed);
  ASSERT_EQ(all.copies.size(), some.copies.size());
  for (std::size_t i = 0; i < all.copies.size(); ++i) {
    ASSERT_EQ(all.copies[i].copy, some.copies[i].copy);
    ASSERT_EQ(all.copies[i].form, some.copies[i].form);
  }
}

}  // namespace
}  // namespace leitong
