#include "io/restorable_block.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace leitong {
namespace {

using ::testing::HasSubstr;
using Kind = RestoreStep::Kind;

/// A copy of five bytes, a record with a base, a record that equals its base, and the end.
RestoreBlock a_block() {
  RestoreBlock block;
  block.steps = {
      {Kind::copied, 5}, {Kind::record, 9}, {Kind::same, 0}, {Kind::between, 1}, {Kind::source_end, 0}};
  block.bases = {{100, 8}};
  block.names = std::string("one\0two\0", 8);
  block.content = "harbours!\n";
  block.checksums = {record_checksum("harbours!"), record_checksum("harbours"), record_checksum("\n")};
  block.restored = 5 + 9 + 8 + 1;
  block.hash = 7;
  return block;
}
constexpr std::string_view kBase = "harbours";

std::string packed(const RestoreBlock& block) {
  std::string out;
  EXPECT_TRUE(BlockEncoder().encode(block, kBase, out));
  return out;
}

TEST(RestorableBlock, ComesOutAsItWentIn) {
  const RestoreBlock block = a_block();
  const std::string bytes = packed(block);
  BlockDecoder decoder;
  RestoreBlock out;
  ASSERT_TRUE(decoder.directory(bytes, out));
  ASSERT_TRUE(decoder.content(bytes, kBase, out));
  EXPECT_EQ(out.content, block.content);
  EXPECT_EQ(out.names, block.names);
  EXPECT_EQ(out.bases, block.bases);
  EXPECT_EQ(out.checksums, block.checksums);
  EXPECT_EQ(out.restored, block.restored);
  EXPECT_EQ(out.hash, block.hash);
  std::string seen;
  ASSERT_TRUE(for_each_step(
      out, kBase, [&](const RestoreStep& step, std::string_view part, std::string_view name) -> Result<void> {
        seen.append(std::to_string(static_cast<int>(step.kind))).append(name).append("=").append(part) += ' ';
        return {};
      }));
  EXPECT_EQ(seen, "0= 2one=harbours! 5two=harbours 4=\n 6= ");
  EXPECT_TRUE(check_content(out, kBase));
}

TEST(RestorableBlock, KeptTextThatHasChangedIsNamedWithTheRecord) {
  const std::string bytes = packed(a_block());
  BlockDecoder decoder;
  RestoreBlock out;
  ASSERT_TRUE(decoder.directory(bytes, out));
  ASSERT_TRUE(decoder.content(bytes, kBase, out));
  const auto refused = check_content(out, "harbourt");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("\"two\""));
  EXPECT_THAT(refused.error().message, HasSubstr("between bytes 100 and 108"));
}

TEST(RestorableBlock, AnyBytesAreUnpackedOrRefused) {
  const std::string bytes = packed(a_block());
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int flip : {1, 0x80, 0xff}) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ flip);
      BlockDecoder decoder;
      RestoreBlock out;
      if (!decoder.directory(other, out)) continue;
      EXPECT_LE(out.steps.size(), kMostSteps);
      if (decoder.content(other, kBase, out)) {
        EXPECT_EQ(out.content.size(), 10u);
      }
    }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    BlockDecoder decoder;
    RestoreBlock out;
    EXPECT_FALSE(decoder.directory(bytes.substr(0, size), out)) << size;
  }
}

TEST(RestorableBlock, SizesBeyondTheBoundsAreRefusedBeforeAnythingIsAllocated) {
  std::string bytes = packed(a_block());
  const std::uint32_t huge = 0xfffffff0;
  for (const std::size_t at : {0, 8}) {
    std::string other = bytes;
    std::memcpy(other.data() + at, &huge, sizeof huge);
    BlockDecoder decoder;
    RestoreBlock out;
    const auto refused = decoder.directory(other, out);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("too large"));
  }
}

}  // namespace
}  // namespace leitong
