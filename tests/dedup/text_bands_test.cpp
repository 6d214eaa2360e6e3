#include "dedup/text_bands.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "leitong/context.hpp"

namespace leitong {
namespace {

/// Notes which texts are read, and which pairs are compared with what.
struct Notes {
  using Features = std::pair<DocId, bool>;  // the document, and whether it has more
  struct Pair {
    DocId a = 0, b = 0;
    bool more = false;
  };
  struct Verdict {
    bool right = false;
  };

  std::uint64_t size;  // bytes of each text
  std::map<DocId, int> read = {};
  std::map<std::pair<DocId, DocId>, int> compared = {};
  std::size_t most = 0;  // texts that were in memory together

  [[nodiscard]] bool wants_more(const Pair& pair) const { return pair.more; }
  [[nodiscard]] std::uint64_t bytes(DocId, bool) const { return size; }
  Result<void> build(Shelf<Features>& shelf) {
    most = std::max(most, shelf.documents.size());
    for (std::size_t i = 0; i < shelf.documents.size(); ++i) {
      ++read[shelf.documents[i]];
      shelf.features.emplace_back(shelf.documents[i], shelf.more[i]);
    }
    return {};
  }
  [[nodiscard]] Verdict compare(const Pair& pair, const Features& a, const Features& b) const {
    return {a.first == pair.a && b.first == pair.b && (!pair.more || (a.second && b.second))};
  }
  void take(const Pair& pair, Verdict verdict) {
    EXPECT_TRUE(verdict.right) << pair.a << ' ' << pair.b;
    ++compared[{pair.a, pair.b}];
  }
};

constexpr std::uint64_t kSmallestBudget = 1;

Notes compared(const std::vector<Notes::Pair>& pairs, std::uint64_t size,
               std::uint64_t memory = kSmallestBudget) {
  const Context context;
  RunContext run(context, memory);
  Notes notes{size};
  TextBands<Notes> bands(notes, pairs, run);
  std::size_t last = 0, all = 0;
  while (!bands.done()) {
    all += bands.next_band().size();
    last = 0;
    EXPECT_TRUE(bands.compare([&](std::size_t n) { last = n; }));
    EXPECT_GT(last, 0U);
  }
  EXPECT_EQ(all, pairs.size());
  EXPECT_EQ(notes.compared.size(), pairs.size());
  for (const auto& [pair, times] : notes.compared) EXPECT_EQ(times, 1);
  return notes;
}

/// Every text with those of the same number modulo `families`.
std::vector<Notes::Pair> families_of(DocId documents, DocId families) {
  std::vector<Notes::Pair> pairs;
  for (DocId a = 0; a < documents; ++a)
    for (DocId b = a + families; b < documents; b += families) pairs.push_back({a, b, a % 3 == 0});
  return pairs;
}

constexpr std::uint64_t kLarge = 200 << 10, kSmall = 1 << 10;

TEST(TextBands, ReadEachTextOnceWhereMemoryHasRoomForAll) {
  for (const auto& [document, times] : compared(families_of(60, 6), kSmall).read) EXPECT_EQ(times, 1);
}

TEST(TextBands, ReadEachTextOnceWhereMemoryHasRoomForItsFamily) {
  const Notes notes = compared(families_of(600, 100), kLarge);  // the members of a family stand far apart
  for (const auto& [document, times] : notes.read) EXPECT_EQ(times, 1);
  EXPECT_LE(notes.most * kLarge, 5U << 20);
}

TEST(TextBands, DivideAFamilyThatMemoryHasNoRoomFor) {
  const Notes notes = compared(families_of(100, 1), kLarge);
  EXPECT_LE(notes.most * kLarge, 5U << 20);
  for (const auto& [document, times] : notes.read) EXPECT_LE(times, 12) << "the number of bands";
}

TEST(TextBands, AreSmallEvenIfMemoryHasRoomForAll) {
  constexpr std::uint64_t kOneMebibyte = 1 << 20;
  const Notes notes = compared(families_of(200, 1), kOneMebibyte, std::uint64_t{8} << 30);
  EXPECT_LE(notes.most * kOneMebibyte, 65U << 20);
  for (const auto& [document, times] : notes.read) EXPECT_LE(times, 7) << "the number of bands";
}

TEST(TextBands, OfNoPairsAreNone) { EXPECT_TRUE(compared({}, kLarge).read.empty()); }

}  // namespace
}  // namespace leitong
