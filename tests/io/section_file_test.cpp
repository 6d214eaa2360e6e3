#include "io/section_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "temp_path.hpp"

namespace leitong {
namespace {

std::string sample() {
  std::string file;
  const auto sink = [&](std::string_view bytes) -> Result<void> {
    file += bytes;
    return {};
  };
  auto writer = SectionWriter::create(sink, "sample", 3);
  std::vector<std::uint64_t> numbers(20000);  // several chunks
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i * i;
  EXPECT_TRUE(writer->section<std::uint64_t>("numbers", numbers));
  EXPECT_TRUE(writer->begin("text"));
  EXPECT_TRUE(writer->append("two "));
  EXPECT_TRUE(writer->append("parts"));
  EXPECT_TRUE(writer->begin("nothing"));
  EXPECT_TRUE(writer->finish());
  return file;
}

class SectionFileTest : public ::testing::Test {
 protected:
  std::filesystem::path write(std::string_view bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
    return path_;
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::filesystem::path path_ = test::temp_path();
};

TEST_F(SectionFileTest, GivesBackItsSections) {
  const auto file = SectionFile::open(write(sample()), "sample", 3);
  ASSERT_TRUE(file) << file.error().message;
  const auto numbers = file->section<std::uint64_t>("numbers");
  ASSERT_TRUE(numbers);
  ASSERT_EQ(numbers->size(), 20000u);
  EXPECT_EQ((*numbers)[19999], 19999u * 19999u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers->data()) % 64, 0u);
  const auto text = file->section<char>("text");
  ASSERT_TRUE(text);
  EXPECT_EQ(std::string_view(text->data(), text->size()), "two parts");
  EXPECT_TRUE(file->section<char>("nothing")->empty());
  EXPECT_TRUE(file->verify());
}

TEST_F(SectionFileTest, NamesWhatIsMissing) {
  const auto file = SectionFile::open(write(sample()), "sample", 3);
  const auto missing = file->section<char>("absent");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::corrupt);
  EXPECT_NE(missing.error().message.find("\"absent\""), std::string::npos);
  EXPECT_FALSE(file->section<std::uint64_t>("text"));  // nine bytes
  EXPECT_EQ(SectionFile::open("/nowhere/at/all", "sample", 3).error().code, ErrorCode::not_found);
}

TEST_F(SectionFileTest, RefusesAnotherKindAndAnotherVersion) {
  const auto path = write(sample());
  EXPECT_EQ(SectionFile::open(path, "simple", 3).error().code, ErrorCode::corrupt);
  const auto newer = SectionFile::open(path, "sample", 4);
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::unsupported);
  EXPECT_NE(newer.error().message.find("version 3"), std::string::npos);
}

TEST_F(SectionFileTest, EveryTruncationIsDetectedAtOpening) {
  const std::string whole = sample();
  for (std::size_t size = 0; size < whole.size(); size += size < 256 || whole.size() - size < 512 ? 1 : 997)
    EXPECT_FALSE(SectionFile::open(write(whole.substr(0, size)), "sample", 3)) << size;
}

TEST_F(SectionFileTest, EveryFlippedBitIsDetected) {
  std::string bytes = sample();
  for (std::size_t at = 0; at < bytes.size(); at += at < 256 || bytes.size() - at < 600 ? 1 : 1009) {
    const int bit = static_cast<int>(at % 8);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    const auto file = SectionFile::open(write(bytes), "sample", 3);
    EXPECT_FALSE(file && file->verify()) << at << ":" << bit;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
  }
}

TEST_F(SectionFileTest, CheckReadsOnlyTheChunksOfItsBytes) {
  std::string bytes = sample();
  bytes[3 * kSectionChunk / 2] ^= 1;  // in the second chunk
  const auto file = SectionFile::open(write(bytes), "sample", 3);
  ASSERT_TRUE(file);
  const auto numbers = std::as_bytes(*file->section<std::uint64_t>("numbers"));
  EXPECT_TRUE(file->check(numbers.first(8)));
  EXPECT_TRUE(file->check(numbers.last(8)));
  const auto damaged = file->check(numbers.subspan(kSectionChunk, 8));
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("offset 65536"), std::string::npos) << damaged.error().message;
}

TEST(SectionWriter, ReturnsTheErrorOfItsSink) {
  int calls = 0;
  auto writer = SectionWriter::create(
      [&](std::string_view) -> Result<void> {
        if (++calls == 1) return {};
        return fail(ErrorCode::io, "full");
      },
      "sample", 1);
  ASSERT_TRUE(writer);
  const std::array<std::uint64_t, 4> some{};
  EXPECT_EQ(writer->section<std::uint64_t>("numbers", some).error().message, "full");
}

}  // namespace
}  // namespace leitong
