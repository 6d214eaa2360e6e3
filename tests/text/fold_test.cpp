#include "text/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "text/units.hpp"

namespace leitong {
namespace {

FoldClass class_of(std::uint32_t entry) { return fold_class(entry); }

/// The entries that a code point gives, expansions written out.
std::vector<std::uint32_t> folded(std::uint32_t c, Marks marks = Marks::fold) {
  const FoldTable& table = fold_table(marks);
  const std::uint32_t entry = table.entries[c] & ~kFoldComposes;
  if (class_of(entry) != FoldClass::expansion) return {entry};
  const std::uint32_t* expansion = table.expansions + (entry & kFoldValue);
  return {expansion + 1, expansion + 1 + expansion[0]};
}

TEST(FoldTest, FoldingTwiceIsFoldingOnce) {
  for (const Marks marks : {Marks::fold, Marks::keep})
    for (std::uint32_t c = 0; c < kFoldLimit; ++c)
      for (const std::uint32_t entry : folded(c, marks)) {
        ASSERT_NE(class_of(entry), FoldClass::expansion) << std::hex << c;
        if (class_of(entry) == FoldClass::letter || class_of(entry) == FoldClass::single) {
          ASSERT_EQ(folded(entry & kFoldValue, marks), std::vector<std::uint32_t>{entry}) << std::hex << c;
        }
      }
}

TEST(FoldTest, MarksThatAreKeptMakeAnotherTableOfTheSameIdeographsAndAscii) {
  EXPECT_NE(fold_table_id(Marks::keep), fold_table_id(Marks::fold));
  for (std::uint32_t c = 0; c < 0x80; ++c) ASSERT_EQ(folded(c, Marks::keep), folded(c)) << std::hex << c;
  for (std::uint32_t c = 0x3400; c < 0xA000; ++c)
    ASSERT_EQ(folded(c, Marks::keep), folded(c)) << std::hex << c;
}

TEST(FoldTest, LookAlikesAreFoldedLettersAndReplacedByFoldedOnes) {
  const FoldTable& table = fold_table();
  std::uint32_t before = 0;
  for (const LookAlike& pair : table.look_alikes) {
    ASSERT_GT(pair.letter, before);
    before = pair.letter;
    const std::uint32_t flags = kFoldForeign | kFoldLookAlike;
    ASSERT_EQ(folded(pair.letter), std::vector{fold_entry(FoldClass::letter, pair.letter) | flags});
    ASSERT_EQ(folded(pair.latin), std::vector{fold_entry(FoldClass::letter, pair.latin) | kFoldLatin});
  }
  EXPECT_GT(table.look_alikes.size(), 20u);
  for (std::uint32_t c = 0; c < kFoldLimit; ++c)
    for (const std::uint32_t entry : folded(c)) {
      const auto is_it = [&](const LookAlike& pair) { return pair.letter == (entry & kFoldValue); };
      ASSERT_EQ((entry & kFoldLookAlike) != 0, std::ranges::any_of(table.look_alikes, is_it))
          << std::hex << c;
    }
}

TEST(FoldTest, LettersAndIdeographsHaveAValue) {
  for (std::uint32_t c = 0; c < kFoldLimit; ++c)
    for (const std::uint32_t entry : folded(c))
      ASSERT_EQ((entry & kFoldValue) != 0,
                class_of(entry) == FoldClass::letter || class_of(entry) == FoldClass::single);
}

TEST(FoldTest, NoCharacterGivesMoreUnitsThanThereIsRoomFor) {
  for (std::uint32_t at = 2 * 0x80; at < 2 * kFoldLimit; ++at) {
    const std::uint32_t c = at / 2;
    std::size_t units = 0;
    bool half = false;
    for (const std::uint32_t entry : folded(c, at % 2 == 0 ? Marks::fold : Marks::keep)) {
      const bool letter = class_of(entry) == FoldClass::letter;
      units += letter ? !half : class_of(entry) == FoldClass::single;
      half = letter && !half;
    }
    const std::size_t bytes = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    ASSERT_LE(units, bytes * kMaxUnitsPerByte) << std::hex << c;
  }
}

TEST(FoldTest, HanKanaAndHangulAreSingleEverywhere) {
  for (const auto& [first, last] : {std::pair{0x3041u, 0x3096u},
                                    {0x30A1u, 0x30FAu},
                                    {0x3400u, 0x4DBFu},
                                    {0x4E00u, 0x9FFFu},
                                    {0xAC00u, 0xD7A3u},
                                    {0x20000u, 0x2A6DFu}})
    for (std::uint32_t c = first; c <= last; ++c)
      ASSERT_EQ(class_of(folded(c)[0]), FoldClass::single) << std::hex << c;
}

}  // namespace
}  // namespace leitong
