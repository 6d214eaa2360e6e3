#include "dedup/template/marks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "leitong/context.hpp"

namespace leitong {
namespace {

using MarksOf = std::map<DocId, std::vector<std::uint32_t>>;

TEST(TemplateMarks, GiveTheMarksOfAnyDocumentsWhereverTheyLie) {
  constexpr DocId kDocuments = 3'000;
  const Context context;
  for (const std::uint64_t memory : {std::uint64_t{1} << 30, MemoryBudget::least(kDocuments)}) {
    RunContext run(context, memory);
    TemplateMarks marks(kDocuments, run);
    TemplateMarks::Writer writer(marks);
    std::mt19937 random(7);
    MarksOf expected;
    for (DocId d = 0; d < kDocuments; ++d) {
      // Many documents have no marks, some have more than are read at once.
      const std::uint32_t count = random() % 3 == 0 ? 0 : random() % 500 == 0 ? 20'000 : random() % 700;
      for (std::uint32_t i = 0; i < count; ++i) {
        expected[d].push_back(64 * i + random() % 64);
        ASSERT_TRUE(writer.add(d, {expected[d].back(), 8 + i % 5, 0, i % 2 == 0}));
      }
    }
    ASSERT_TRUE(writer.flush());
    ASSERT_TRUE(marks.sort());
    for (const std::uint32_t one_in : {1u, 2u, 5u, 40u, 1'000u}) {
      std::vector<DocId> wanted;
      for (DocId d = 0; d < kDocuments; ++d)
        if (random() % one_in == 0) wanted.push_back(d);
      std::vector<std::vector<ShingleMark>> marks_of(wanted.size());
      ASSERT_TRUE(marks.for_documents(wanted, [&](std::size_t i, std::span<const ShingleMark> all) {
        EXPECT_TRUE(marks_of[i].empty());
        marks_of[i].assign(all.begin(), all.end());
      }));
      MarksOf seen;
      for (std::size_t i = 0; i < wanted.size(); ++i)
        for (const ShingleMark& mark : marks_of[i]) {
          seen[wanted[i]].push_back(mark.shingle);
          EXPECT_EQ(mark.is_template, (seen[wanted[i]].size() - 1) % 2 == 0);
        }
      MarksOf of_wanted;
      for (const DocId d : wanted)
        if (expected.contains(d)) of_wanted[d] = expected[d];
      EXPECT_EQ(seen, of_wanted) << "one in " << one_in;
    }
  }
}

}  // namespace
}  // namespace leitong
