// A source of documents from the beginnings of several corpora.
#pragma once

#include <memory>
#include <vector>

#include "corpus/corpus.hpp"
#include "corpus/documents.hpp"

namespace leitong {

/// The documents of the first `part_bytes` stored bytes (and of the batch that exceeds them) of each corpus,
/// one corpus after another. Contracts as in DocumentSource.
class SampledSource final : public DocumentSource {
 public:
  SampledSource(std::vector<std::unique_ptr<Corpus>> corpora, std::uint64_t part_bytes);

  [[nodiscard]] std::unique_ptr<ReadScratch> new_scratch() const override;
  Result<std::unique_ptr<RecordBatch>> next_batch() override;
  void parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const override;
  Result<void> commit(RecordBatch& batch) override;
  [[nodiscard]] std::uint64_t size() const noexcept override;
  [[nodiscard]] std::uint64_t bytes_read() const noexcept override;
  [[nodiscard]] std::uint64_t total_bytes() const noexcept override { return 0; }
  Result<DocumentText> read(DocId document, ReadScratch& scratch) const override;

  [[nodiscard]] std::uint64_t quarantined() const noexcept;
  /// True if every corpus was read to its end.
  [[nodiscard]] bool exhausted() const noexcept { return cut_ == 0; }

 private:
  std::vector<std::unique_ptr<Corpus>> corpora_;
  std::uint64_t part_bytes_;
  std::size_t current_ = 0;  // the corpus that is being read
  std::size_t cut_ = 0;      // corpora that were not read to their end
};

}  // namespace leitong
