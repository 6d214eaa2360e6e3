#include "base/memory.hpp"

#include <gtest/gtest.h>

namespace leitong {
namespace {

constexpr std::uint64_t kGiga = 1'000'000'000, kDocuments = 100'000'000,
                        kOfDocuments = kDocuments * MemoryBudget::kPerDocument;

std::uint64_t without_limit(std::uint64_t text_bytes, std::uint64_t available) {
  return MemoryBudget::without_limit(kDocuments, text_bytes, available);
}

TEST(MemoryBudget, WithoutALimitBuffersTakeTwiceTheTextsWhereMemoryIsPlenty) {
  EXPECT_EQ(without_limit(20 * kGiga, 1000 * kGiga), MemoryBudget::kFixed + kOfDocuments + 40 * kGiga);
}

TEST(MemoryBudget, WithoutALimitBuffersTakeHalfOfWhatTheDocumentsLeave) {
  const std::uint64_t rest = 8 * kGiga;
  EXPECT_EQ(without_limit(20 * kGiga, MemoryBudget::kFixed + kOfDocuments + rest),
            MemoryBudget::kFixed + kOfDocuments + rest / 2);
}

TEST(MemoryBudget, IsNeverBelowTheLeastThatCanWork) {
  for (const std::uint64_t available : {std::uint64_t{0}, kGiga, kOfDocuments})
    EXPECT_EQ(without_limit(20 * kGiga, available), MemoryBudget::least(kDocuments));
  EXPECT_FALSE(MemoryBudget(0, kGiga).too_small());
}

TEST(MemoryBudget, IsExceededByWhatIsHeldAboveTheBuffers) {
  MemoryBudget budget(MemoryBudget::least(kDocuments));
  budget.set_documents(kDocuments);
  EXPECT_EQ(budget.for_buffers(), MemoryBudget::kLeastBuffers);
  HeldMemory held(budget, MemoryBudget::kLeastBuffers);
  EXPECT_FALSE(budget.exceeded());
  EXPECT_EQ(budget.left(), 0U);
  held.set(MemoryBudget::kLeastBuffers + 1);
  EXPECT_TRUE(budget.exceeded());
  budget.set_documents(kDocuments + 1);
  EXPECT_TRUE(budget.too_small());
}

}  // namespace
}  // namespace leitong
