#include "dedup/template/shingled_texts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "corpus/memory_documents.hpp"
#include "feature/shingles.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

using Hashes = std::vector<std::uint32_t>;

Hashes ordered_of(const std::string& text) {
  PodVector<Unit> units;
  PodVector<std::uint32_t> hashes;
  to_units(text, units);
  shingle_hashes(units, hashes);
  return {hashes.begin(), hashes.end()};
}

Hashes copy(std::span<const std::uint32_t> values) { return {values.begin(), values.end()}; }

TEST(ShingledTexts, GivesTheShinglesInTheirOrderAndAsASet) {
  testing::Random random(1);
  const std::vector<std::string> texts = {testing::random_text(random, 90), testing::random_text(random, 300),
                                          "", testing::random_text(random, 70'000)};
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  const ShingledTexts shingled(documents, nullptr);
  auto reader = shingled.new_reader();
  for (DocId d = 0; d < texts.size(); ++d) {
    const Hashes ordered = ordered_of(texts[d]);
    const std::set<std::uint32_t> set(ordered.begin(), ordered.end());
    const auto text = shingled.text(d, reader);
    ASSERT_TRUE(text);
    EXPECT_EQ(copy(text->ordered), ordered) << d;
    EXPECT_EQ(copy(text->set), Hashes(set.begin(), set.end())) << d;
    const auto once = shingled.ordered(d, reader);
    ASSERT_TRUE(once);
    EXPECT_EQ(copy(*once), ordered) << d;
  }
}

}  // namespace
}  // namespace leitong
