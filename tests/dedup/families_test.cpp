#include "dedup/families.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "corpus/memory_documents.hpp"
#include "dedup/pair_list.hpp"
#include "dedup/texts.hpp"

namespace leitong {
namespace {

// Families of so many documents, all of them members.
struct Families {
  explicit Families(std::vector<std::uint32_t> sizes) {
    for (const std::uint32_t size : sizes) {
      documents.emplace_back(size);
      families.push_back({size, documents.back()});
    }
  }
  std::vector<std::vector<DocId>> documents;
  std::vector<Family> families;
};

TEST(Families, AreCompletedUpToAFixedSizeHoweverManyThereAre) {
  EXPECT_EQ(largest_to_complete({}, 1'000), kFamily);
  EXPECT_EQ(largest_to_complete(Families({65, kFamily, kFamily, kFamily}).families, 10), kFamily);
}

TEST(Families, LargerOnesAreCompletedFromTheSmallestWhileThatIsLinear) {
  const Families families({3'000, 600, 1'000});
  const std::uint64_t two = families.families[1].comparisons() + families.families[2].comparisons();
  EXPECT_EQ(largest_to_complete(families.families, two / kMoreComparisons + 1), 1'000u);
  EXPECT_EQ(largest_to_complete(families.families, two / kMoreComparisons - 1), 600u);
  EXPECT_EQ(largest_to_complete(families.families, 10), kFamily);
}

TEST(Families, OfOneSizeAreCompletedAllOrNone) {
  const Families families({600, 600});
  const std::uint64_t one = families.families[0].comparisons();
  EXPECT_EQ(largest_to_complete(families.families, one / kMoreComparisons + 1), kFamily);
  EXPECT_EQ(largest_to_complete(families.families, 2 * one / kMoreComparisons), 600u);
}

class CommonBelow final : public Method {
 public:
  explicit CommonBelow(DocId end) : end_(end) {}
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return nullptr; }
  void sketch(const DocumentView&, Scratch&, PodVector<std::uint64_t>&) const override {}
  Result<void> add(DocId, std::span<const std::uint64_t>) override { return {}; }
  Result<void> find(CandidateSink&) override { return {}; }
  [[nodiscard]] bool is_common(DocId document) const override { return document < end_; }
  [[nodiscard]] MethodFigures figures() const override { return {}; }

 private:
  DocId end_;
};

TEST(Families, BeyondTheFixedSizeFindThePairsOfAllTheirMembersInALargeCorpus) {
  constexpr DocId kMembers = kFamily + 8;
  testing::Random random(1);
  const std::string source = testing::random_text(random, 100);
  std::vector<std::string> texts;
  for (DocId d = 0; d < kMembers; ++d) texts.push_back(testing::edited(source, random, 400));
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  const Rule rule;
  const CommonBelow method(kMembers);
  const std::atomic<bool> stop{false};
  for (const bool large : {false, true}) {
    DocumentTable table;
    table.units.resize(large ? kMembers * kMembers / 2 / kMoreComparisons : kMembers, 100);
    table.content.resize(table.units.size(), 0);
    MemoryBudget memory;
    Verifier verifier(documents, table, memory, {rule, true, stop, {}});
    std::vector<VerifiedPair> pairs;  // what the leader led to
    for (DocId d = 1; d < kMembers; ++d) pairs.push_back({0, d, 1, 1, 1});
    ASSERT_TRUE(complete_families(pairs, table, verifier, method, rule));
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end(), kByDocuments));
    EXPECT_EQ(pairs.size(), large ? kMembers * (kMembers - 1) / 2 : kMembers - 1);
  }
}

}  // namespace
}  // namespace leitong
