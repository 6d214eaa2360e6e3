#include "job/sampled_source.hpp"

#include "base/try.hpp"

namespace leitong {
namespace {

struct PartBatch final : RecordBatch {
  PartBatch(std::size_t part_, std::unique_ptr<RecordBatch> batch_) : part(part_), batch(std::move(batch_)) {}
  std::size_t part;
  std::unique_ptr<RecordBatch> batch;
};

/// One scratch for each part, made at first use.
struct PartScratch final : ReadScratch {
  explicit PartScratch(std::size_t parts) : scratches(parts) {}
  ReadScratch& of(const Corpus& corpus, std::size_t part) {
    if (!scratches[part]) scratches[part] = corpus.new_scratch();
    return *scratches[part];
  }
  std::vector<std::unique_ptr<ReadScratch>> scratches;
};

}  // namespace

SampledSource::SampledSource(std::vector<std::unique_ptr<Corpus>> corpora, std::uint64_t part_bytes)
    : corpora_(std::move(corpora)), part_bytes_(part_bytes) {}

std::unique_ptr<ReadScratch> SampledSource::new_scratch() const {
  return std::make_unique<PartScratch>(corpora_.size());
}

Result<std::unique_ptr<RecordBatch>> SampledSource::next_batch() {
  for (; current_ < corpora_.size(); ++current_) {
    Corpus& corpus = *corpora_[current_];
    if (corpus.bytes_read() > part_bytes_) {
      ++cut_;
      continue;
    }
    LEITONG_ASSIGN(std::unique_ptr<RecordBatch> batch, corpus.next_batch());
    if (batch) return std::unique_ptr<RecordBatch>(std::make_unique<PartBatch>(current_, std::move(batch)));
  }
  return std::unique_ptr<RecordBatch>();
}

void SampledSource::parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const {
  auto& part = static_cast<PartBatch&>(batch);
  const Corpus& corpus = *corpora_[part.part];
  corpus.parse(*part.batch, static_cast<PartScratch&>(scratch).of(corpus, part.part), each);
}

Result<void> SampledSource::commit(RecordBatch& batch) {
  auto& part = static_cast<PartBatch&>(batch);
  return corpora_[part.part]->commit(*part.batch);
}

std::uint64_t SampledSource::size() const noexcept {
  std::uint64_t documents = 0;
  for (const auto& corpus : corpora_) documents += corpus->size();
  return documents;
}

std::uint64_t SampledSource::bytes_read() const noexcept {
  std::uint64_t bytes = 0;
  for (const auto& corpus : corpora_) bytes += corpus->bytes_read();
  return bytes;
}

std::uint64_t SampledSource::quarantined() const noexcept {
  std::uint64_t records = 0;
  for (const auto& corpus : corpora_) records += corpus->quarantined();
  return records;
}

Result<DocumentText> SampledSource::read(DocId document, ReadScratch& scratch) const {
  std::size_t part = 0;
  for (; document >= corpora_[part]->size(); ++part) document -= static_cast<DocId>(corpora_[part]->size());
  const Corpus& corpus = *corpora_[part];
  return corpus.read(document, static_cast<PartScratch&>(scratch).of(corpus, part));
}

}  // namespace leitong
