#include "dedup/families.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "cluster/stored.hpp"
#include "corpus/memory_documents.hpp"
#include "dedup/texts.hpp"

namespace leitong {
namespace {

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

TEST(Families, FindThePairsOfAllTheirMembersUpToAFixedSize) {
  testing::Random random(1);
  const std::string source = testing::random_text(random, 100);
  std::vector<std::string> texts;
  for (DocId d = 0; d <= kFamily; ++d) texts.push_back(testing::edited(source, random, 400));
  const auto views = testing::views(texts);
  const MemoryDocuments documents(views);
  const Rule rule;
  const CommonBelow method(kFamily + 1);
  const std::atomic<bool> stop{false};
  for (const DocId members : {kFamily, kFamily + 1}) {
    DocumentTable table;
    table.units.resize(members, 100);
    table.content.resize(members, 0);
    std::vector<VerifiedPair> led;  // what the leader led to
    for (DocId d = 1; d < members; ++d) led.push_back({0, d, 1, 1, 1});
    testing::Stored pairs(members, led);
    Verifier verifier(documents, table, pairs, {rule, true, stop, {}});
    ASSERT_TRUE(complete_families(pairs, table, verifier, method, rule));
    EXPECT_EQ(pairs.list().size(), members == kFamily ? members * (members - 1) / 2 : members - 1);
  }
}

}  // namespace
}  // namespace leitong
