// The files of a spread run give back what was put into them, and damage is named.
#include "spread/part_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace leitong::spread {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Row {
  std::uint64_t text = 0;
  std::uint32_t count = 0, unused = 0;
  bool operator==(const Row&) const = default;
};

class PartFileTest : public ::testing::Test {
 protected:
  PartFileTest() : folder_(fs::temp_directory_path() / ("part-file-" + std::to_string(::getpid()))) {}
  ~PartFileTest() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path path() const { return folder_ / "join" / "0"; }

  Context context_;
  const fs::path folder_;
};

std::vector<Row> rows(std::size_t count, std::uint64_t first) {
  std::vector<Row> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back({first + i * i, static_cast<std::uint32_t>(i % 7)});
  return made;
}

TEST_F(PartFileTest, PiecesOfAPackedRangeComeBackInTheirOrder) {
  PackedRanges<Row> packed(3);
  std::vector<Row> first, last;
  for (const std::size_t size : {std::size_t{1}, std::size_t{0}, std::size_t{4096}, std::size_t{10'001}}) {
    const std::vector<Row> piece = rows(size, size << 40), other = rows(size / 2, 5);
    ASSERT_TRUE(packed.append(0, piece));
    ASSERT_TRUE(packed.append(2, other));
    first.insert(first.end(), piece.begin(), piece.end());
    last.insert(last.end(), other.begin(), other.end());
  }
  auto writer = PartWriter::create(path(), context_).value();
  ASSERT_TRUE(writer.put("rows", packed));
  ASSERT_TRUE(writer.put("other", std::vector<std::uint32_t>{1, 2}));
  ASSERT_TRUE(writer.finish());

  const auto file = PartFile::open(path()).value();
  PodVector<Row> found;
  ASSERT_TRUE(file.append_unpacked("rows", 0, found));
  EXPECT_TRUE(std::ranges::equal(found, first));
  ASSERT_TRUE(file.append_unpacked("rows", 1, found));
  EXPECT_EQ(found.size(), first.size()) << "nothing was put into this range";
  found.clear();
  ASSERT_TRUE(file.append_unpacked("rows", 2, found));
  EXPECT_TRUE(std::ranges::equal(found, last));
  EXPECT_THAT(file.all<std::uint32_t>("other").value(), ElementsAre(1, 2));
}

TEST_F(PartFileTest, BytesThatAreNoValuesAreRefused) {
  auto writer = PartWriter::create(path(), context_).value();
  ASSERT_TRUE(writer.put("rows", Ranged<char>{{'n', 'o', ' ', 'f', 'r', 'a', 'm', 'e'}}));
  PackedRanges<std::uint32_t> packed(1);
  ASSERT_TRUE(packed.append(0, std::vector<std::uint32_t>{1, 2, 3}));
  ASSERT_TRUE(writer.put("numbers", packed));
  ASSERT_TRUE(writer.finish());

  const auto file = PartFile::open(path()).value();
  PodVector<Row> found;
  for (const char* const column : {"rows", "numbers"}) {
    const auto read = file.append_unpacked(column, 0, found);
    ASSERT_FALSE(read) << column;
    EXPECT_EQ(read.error().code, ErrorCode::corrupt);
    EXPECT_THAT(read.error().message, HasSubstr(path().string()));
  }
}

}  // namespace
}  // namespace leitong::spread
