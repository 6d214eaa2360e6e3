#include "dedup/settling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "corpus/memory_documents.hpp"
#include "dedup/families.hpp"
#include "dedup/find_pairs.hpp"
#include "feature/shingles.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

PodVector<std::uint32_t> shingles_of(std::string_view text) {
  PodVector<Unit> units;
  PodVector<std::uint32_t> set, scratch;
  to_units(text, units);
  shingle_set(units, set, scratch);
  return set;
}

// Decides by the rule, for candidates of common keys; does not check that the similarity is spread over the
// whole texts.
bool alike(std::string_view x, std::string_view y) {
  const PodVector<std::uint32_t> a = shingles_of(x), b = shingles_of(y);
  std::vector<std::uint32_t> shared;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
  return Rule{}.decide({0, 1, 0, true}, shared.size(), a.size(), b.size()).has_value();
}

// A family of copies at all distances, too large to be completed.
std::vector<std::string> large_family() {
  testing::Random random(4);
  const std::string source = testing::random_text(random, 300);
  std::vector<std::string> texts;
  for (DocId d = 0; d < kFamily + 500; ++d) texts.push_back(testing::edited(source, random, 30 + d % 60));
  return texts;
}

TEST(Settling, WhatIsSimilarToTheBestOfALargeFamilyLeavesForThem) {
  const std::vector<std::string> texts = large_family();
  const auto views = testing::views(texts);
  MemoryDocuments documents(views);
  const Context context;
  RunContext run(context);
  const auto found = find_pairs(documents, {}, longest_first, run);
  ASSERT_TRUE(found) << found.error().message;
  const Settlement& settlement = found->settlement;
  const DocId family = settlement.component.back();
  ASSERT_GT(std::count(settlement.component.begin(), settlement.component.end(), family), kFamily);

  std::vector<DocId> staying;
  for (DocId d = 0; d < texts.size(); ++d)
    if (settlement.stays(d) && settlement.component[d] == family) staying.push_back(d);
  std::stable_sort(staying.begin(), staying.end(),
                   [&](DocId x, DocId y) { return found->table.units[x] > found->table.units[y]; });
  std::uint64_t similar = 0;
  for (std::size_t best = 0; best < std::min<std::size_t>(staying.size(), 64); ++best)
    for (std::size_t other = best + 1; other < staying.size(); ++other)
      similar += alike(texts[staying[best]], texts[staying[other]]);
  EXPECT_EQ(similar, 0u) << "of " << staying.size() << " that stay";
  EXPECT_LT(found->candidates, 300 * texts.size()) << "not all with all";
}

}  // namespace
}  // namespace leitong
