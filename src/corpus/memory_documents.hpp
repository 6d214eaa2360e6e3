// Documents that the caller holds in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "corpus/documents.hpp"

namespace leitong {

/// Texts in the given order; document i is texts[i]. The caller keeps the texts alive; they are valid UTF-8,
/// which this does not check. A text may be empty. Documents have no ids.
class MemoryDocuments final : public DocumentSource {
 public:
  explicit MemoryDocuments(std::span<const std::string_view> texts) : texts_(texts) {}

  [[nodiscard]] std::unique_ptr<ReadScratch> new_scratch() const override;
  Result<std::unique_ptr<RecordBatch>> next_batch() override;
  void parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const override;
  Result<void> commit(RecordBatch& batch) override;
  [[nodiscard]] std::uint64_t size() const noexcept override { return committed_; }
  [[nodiscard]] std::uint64_t bytes_read() const noexcept override { return bytes_read_; }
  [[nodiscard]] std::uint64_t total_bytes() const noexcept override { return 0; }
  Result<DocumentText> read(DocId document, ReadScratch& scratch) const override;

 private:
  std::span<const std::string_view> texts_;
  std::size_t next_ = 0;
  std::uint64_t committed_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace leitong
