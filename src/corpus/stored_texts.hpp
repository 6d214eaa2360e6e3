// Texts that a caller adds in batches: in memory up to a limit, then compressed in the work folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "corpus/documents.hpp"
#include "corpus/spool.hpp"
#include "io/work_folder.hpp"

namespace leitong {

/// Texts in the order in which they are appended; all are appended before the stream begins. Documents have
/// no ids. 12 bytes a text beside its stored bytes.
class StoredTexts final : public DocumentSource {
 public:
  /// `memory`: bytes of text that stay in memory.
  StoredTexts(WorkFolder work, std::uint64_t memory);

  /// REQUIRES valid UTF-8 of less than 4 GiB, and fewer than kNoDocument texts so far. Fails with io if the
  /// work folder cannot be written.
  Result<void> append(std::string_view text);
  [[nodiscard]] std::uint64_t stored() const noexcept { return lengths_.size(); }

  [[nodiscard]] std::unique_ptr<ReadScratch> new_scratch() const override;
  Result<std::unique_ptr<RecordBatch>> next_batch() override;
  void parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const override;
  Result<void> commit(RecordBatch& batch) override;
  [[nodiscard]] std::uint64_t size() const noexcept override { return committed_; }
  [[nodiscard]] std::uint64_t bytes_read() const noexcept override { return bytes_read_; }
  [[nodiscard]] std::uint64_t total_bytes() const noexcept override { return bytes_; }
  Result<DocumentText> read(DocId document, ReadScratch& scratch) const override;

 private:
  struct Slice;
  struct Scratch;

  char* room_for(std::size_t size);
  [[nodiscard]] Result<std::string_view> text(std::uint64_t number, ReadScratch& scratch) const;

  std::uint64_t memory_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;  // in the last block
  std::size_t room_ = 0;  // bytes from there on
  Spool spool_;
  std::uint64_t first_spooled_ = UINT64_MAX;
  PodVector<std::uint64_t> places_;  // an address in a block, or an offset in the spool
  PodVector<std::uint32_t> lengths_;
  std::uint64_t bytes_ = 0, next_ = 0, committed_ = 0, bytes_read_ = 0;
};

}  // namespace leitong
