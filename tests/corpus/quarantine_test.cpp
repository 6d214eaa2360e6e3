#include "corpus/quarantine.hpp"

#include <gmock/gmock.h>

#include "corpus/corpus_fixture.hpp"

namespace leitong {
namespace {

TEST(Quarantine, GivesBackWhatWasAddedFromMemoryAndFromDisk) {
  TemporaryFolder folder;
  Quarantine quarantine{WorkFolder(folder / "work")};
  EXPECT_EQ(quarantine.first(), "");
  std::vector<std::string> expected;
  for (int i = 0; i < 5000; ++i) {  // some 2 MB: more than one block on disk, and a rest in memory
    const std::string id = i % 3 == 0 ? "" : std::to_string(i), place = "a\n:" + std::to_string(i);
    const std::string reason(static_cast<std::size_t>(i) % 900, 'r');
    ASSERT_TRUE(quarantine.add({id, place, reason}));
    expected.push_back(id + "|" + place + "|" + reason);
  }
  std::vector<std::string> seen;
  ASSERT_TRUE(quarantine.for_each([&](const QuarantinedRecord& record) -> Result<void> {
    seen.push_back(std::string(record.id).append("|").append(record.place).append("|").append(record.reason));
    return {};
  }));
  EXPECT_EQ(quarantine.size(), expected.size());
  EXPECT_TRUE(seen == expected);
  EXPECT_EQ(quarantine.first(), "a\n:0: ");
}

TEST(Quarantine, EndsWithTheFirstFailure) {
  TemporaryFolder folder;
  Quarantine quarantine{WorkFolder(folder / "work")};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(quarantine.add({"", "p", "r"}));
  int calls = 0;
  const auto result = quarantine.for_each([&](const QuarantinedRecord&) -> Result<void> {
    return ++calls == 2 ? fail(ErrorCode::io, "full") : Result<void>();
  });
  EXPECT_FALSE(result);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace leitong
