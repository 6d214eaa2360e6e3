#include "io/artifact_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/packing.hpp"
#include "io/shard_log.hpp"
#include "temp_path.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Artifacts : public ::testing::Test {
 protected:
  Result<ArtifactFolder> open(std::string about = "input\ta.jsonl\nthreshold\t0.5\n") {
    return ArtifactFolder::open(place_, std::move(about));
  }
  static Result<void> write(const ArtifactFolder& folder, std::string_view name, std::string_view text) {
    return folder.write(name, "test", 1, [&](SectionWriter& writer) {
      return writer.section("text", std::span<const char>(text.data(), text.size()));
    });
  }
  static std::string text_of(const SectionFile& file) {
    const auto section = file.section<char>("text").value();
    return {section.begin(), section.end()};
  }
  void damage(const std::string& name) {
    std::fstream file(place_ / name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(70);
    file.put('!');
  }
  void TearDown() override { fs::remove_all(place_); }
  const fs::path place_ = test::temp_path();
};

TEST_F(Artifacts, OutliveTheRunThatWroteThem) {
  ASSERT_TRUE(write(open().value(), "pairs", "1 2"));
  const ArtifactFolder again = open().value();
  EXPECT_TRUE(again.has("pairs"));
  EXPECT_FALSE(again.has("decisions"));
  EXPECT_EQ(text_of(again.read("pairs", "test", 1).value()), "1 2");
}

TEST_F(Artifacts, OfAnotherRunAreRefusedWithWhatDiffers) {
  ASSERT_TRUE(open());
  const auto other = open("input\ta.jsonl\nthreshold\t0.6\nstrict\tyes\n");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(other.error().message, HasSubstr("threshold was 0.5, is 0.6; strict was none, is yes"));
}

TEST_F(Artifacts, AreNotPutAmongOtherFiles) {
  fs::create_directories(place_);
  std::ofstream(place_ / "thesis.txt") << "years of work";
  const auto refused = open();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("thesis.txt"));
}

TEST_F(Artifacts, BelongToOneProcessAtATime) {
  const auto first = open();
  ASSERT_TRUE(first);
  const auto second = open();
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another run"));
}

TEST_F(Artifacts, ThatAreDamagedSaySo) {
  const ArtifactFolder folder = open().value();
  ASSERT_TRUE(write(folder, "pairs", std::string(1000, 'x')));
  damage("pairs.stage");
  const auto read = folder.read("pairs", "test", 1);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::corrupt);
}

TEST_F(Artifacts, AreGoneAfterClear) {
  {
    ArtifactFolder folder = open().value();
    ASSERT_TRUE(write(folder, "pairs", "1 2"));
    std::ofstream(place_ / "note.txt") << "mine";
    ASSERT_TRUE(folder.clear());
  }
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(place_)) left.push_back(entry.path().filename());
  EXPECT_EQ(left, std::vector<std::string>{"note.txt"});
}

TEST_F(Artifacts, ShardsOfALogAreReadInOrderAndContinued) {
  {
    const ArtifactFolder folder = open().value();
    ShardLog log = ShardLog::open(folder, "log", 1).value();
    EXPECT_EQ(log.size(), 0u);
    ASSERT_TRUE(log.append("one"));
    ASSERT_TRUE(log.append(""));
    ASSERT_TRUE(log.flush());
    ASSERT_TRUE(log.append("lost with the process"));
  }
  const ArtifactFolder folder = open().value();
  {
    ShardLog log = ShardLog::open(folder, "log", 1).value();
    ASSERT_EQ(log.size(), 2u);
    EXPECT_EQ(log[0], "one");
    EXPECT_EQ(log[1], "");
    ASSERT_TRUE(log.append("three"));
    ASSERT_TRUE(log.flush());
  }
  const ShardLog log = ShardLog::open(folder, "log", 1).value();
  ASSERT_EQ(log.size(), 3u);
  EXPECT_EQ(log[2], "three");
}

TEST_F(Artifacts, LogsEndAtTheFirstDamagedShard) {
  const ArtifactFolder folder = open().value();
  for (const char* record : {"one", "two", "three"}) {
    ShardLog log = ShardLog::open(folder, "log", 1).value();
    ASSERT_TRUE(log.append(record));
    ASSERT_TRUE(log.flush());
  }
  damage("log-2.stage");
  const ShardLog log = ShardLog::open(folder, "log", 1).value();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_FALSE(folder.has("log-2"));
  EXPECT_FALSE(folder.has("log-3"));
}

TEST(Packing, GivesBackWhatWasPackedAndNoticesWhatIsShort) {
  std::string bytes;
  Packer packer(bytes);
  const std::vector<std::uint32_t> numbers = {7, 8};
  packer.value(3.5);
  packer.array(std::span<const std::uint32_t>(numbers));
  packer.text("雷同");
  for (const std::size_t cut : {bytes.size(), bytes.size() - 1, std::size_t{9}, std::size_t{0}}) {
    Unpacker unpacker(std::string_view(bytes).substr(0, cut));
    std::vector<std::uint32_t> back;
    const double value = unpacker.value<double>();
    unpacker.array(back);
    const std::string_view text = unpacker.text();
    EXPECT_EQ(unpacker.done().has_value(), cut == bytes.size());
    if (cut != bytes.size()) continue;
    EXPECT_EQ(value, 3.5);
    EXPECT_EQ(back, numbers);
    EXPECT_EQ(text, "雷同");
  }
}

}  // namespace
}  // namespace leitong
