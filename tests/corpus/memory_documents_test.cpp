#include "corpus/memory_documents.hpp"

#include "corpus/corpus_fixture.hpp"

namespace leitong {
namespace {

TEST(MemoryDocuments, StreamsAndReadsAgain) {
  const std::string large(3 << 20, 'x');
  const std::vector<std::string_view> texts{"one", large, large, "four"};
  MemoryDocuments documents(texts);
  const Streamed streamed = stream(documents);
  ASSERT_EQ(streamed.documents.size(), texts.size());
  EXPECT_EQ(documents.size(), texts.size());
  const auto scratch = documents.new_scratch();
  for (DocId i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(streamed.documents[i].text, texts[i]);
    EXPECT_EQ(documents.read(i, *scratch)->text, texts[i]);
  }
}

}  // namespace
}  // namespace leitong
