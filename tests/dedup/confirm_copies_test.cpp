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

/// All texts as copies of the first.
Confirmed confirmed(const std::vector<std::string>& texts) {
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  const Context context;
  RunContext run(context);
  Confirmed result;
  for (DocId d = 1; d < texts.size(); ++d) result.copies.push_back({d, 0});
  result.removed = confirm_copies(documents, run, result.copies).value();
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

}  // namespace
}  // namespace leitong
