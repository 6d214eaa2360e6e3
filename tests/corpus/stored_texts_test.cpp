#include "corpus/stored_texts.hpp"

#include "corpus/corpus_fixture.hpp"

namespace leitong {
namespace {

// Texts of sizes around the 64 KiB of a spooled block and the 4 MiB of a block in memory.
std::vector<std::string> texts_of_all_sizes() {
  std::vector<std::string> texts;
  for (const std::size_t size :
       {1u, 0u, 17u, 65'535u, 65'536u, 65'537u, 3u << 20, 5u << 20, 2u, 1u << 20, 3u})
    texts.emplace_back(size, static_cast<char>('a' + texts.size()));
  return texts;
}

void expect_back(const std::vector<std::string>& texts, std::uint64_t memory) {
  StoredTexts stored(WorkFolder{}, memory);
  for (const std::string& text : texts) ASSERT_TRUE(stored.append(text));
  ASSERT_EQ(stored.stored(), texts.size());
  const Streamed streamed = stream(stored);
  ASSERT_EQ(streamed.documents.size(), texts.size());
  EXPECT_EQ(stored.size(), texts.size());
  EXPECT_EQ(stored.bytes_read(), stored.total_bytes());
  const auto scratch = stored.new_scratch();
  for (DocId i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(streamed.documents[i].text, texts[i]) << i;
    EXPECT_EQ(stored.read(i, *scratch)->text, texts[i]) << i;
  }
}

TEST(StoredTexts, ComeBackFromMemory) { expect_back(texts_of_all_sizes(), UINT64_MAX); }
TEST(StoredTexts, ComeBackFromTheWorkFolder) { expect_back(texts_of_all_sizes(), 0); }
TEST(StoredTexts, ComeBackFromBoth) { expect_back(texts_of_all_sizes(), std::uint64_t{9} << 20); }

TEST(StoredTexts, NameTheWorkFolderThatCannotBeWritten) {
  StoredTexts stored(WorkFolder{"/proc/nowhere"}, 0);
  const auto result = stored.append(std::string(100'000, 'x'));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_NE(result.error().message.find("/proc/nowhere"), std::string::npos);
}

}  // namespace
}  // namespace leitong
