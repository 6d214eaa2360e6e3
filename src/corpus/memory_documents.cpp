#include "corpus/memory_documents.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kMemoryBatchBytes = std::uint64_t{4} << 20;

struct Slice final : RecordBatch {
  std::span<const std::string_view> texts;
};

}  // namespace

std::unique_ptr<ReadScratch> MemoryDocuments::new_scratch() const { return std::make_unique<ReadScratch>(); }

Result<std::unique_ptr<RecordBatch>> MemoryDocuments::next_batch() {
  if (next_ == texts_.size()) return nullptr;
  const std::size_t begin = next_;
  for (std::uint64_t bytes = 0; next_ < texts_.size() && bytes < kMemoryBatchBytes; ++next_)
    bytes += texts_[next_].size();
  auto slice = std::make_unique<Slice>();
  slice->texts = texts_.subspan(begin, next_ - begin);
  return slice;
}

void MemoryDocuments::parse(RecordBatch& batch, ReadScratch&, const EachDocument& each) const {
  const auto texts = static_cast<const Slice&>(batch).texts;
  for (const std::string_view text : texts) each({{}, text});
}

Result<void> MemoryDocuments::commit(RecordBatch& batch) {
  const auto texts = static_cast<const Slice&>(batch).texts;
  committed_ += texts.size();
  for (const std::string_view text : texts) bytes_read_ += text.size();
  return {};
}

Result<DocumentText> MemoryDocuments::read(DocId document, ReadScratch&) const {
  return DocumentText{{}, texts_[document]};
}

}  // namespace leitong
