#include "job/restorable.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "corpus/source_pieces.hpp"
#include "io/table_files.hpp"

namespace leitong {
namespace {

constexpr std::size_t kOddInMemory = std::size_t{1} << 15;

static_assert(kPieceBytes <= kRestorePart);

/// Turns the pieces of the input into steps.
class Removals final : public PieceSink {
 public:
  Removals(const Outcome& outcome, const IdTable& ids, KeptPlaces& places, const RestorableFacts& facts,
           RestorableWriter& writer)
      : outcome_(outcome), ids_(ids), places_(places), facts_(facts), writer_(writer) {}

  Result<void> begin_source(std::string_view path, bool stored, std::string_view table) override {
    const auto kind = table == "parquet" ? TableKind::parquet : TableKind::arrow;
    writer_.begin_source(path, stored,
                         static_cast<std::uint8_t>(table.empty() ? 0 : 1 + static_cast<int>(kind)));
    const auto& files = places_.written().files();
    has_file_ = file_ < files.size() && files[file_].path.data() == path.data();
    if (!has_file_) return {};
    const std::uint64_t end = file_ + 1 < files.size() ? files[file_ + 1].begin : facts_.kept_bytes;
    file_bytes_ = end - files[file_++].begin;
    return {};
  }

  Result<void> piece(DocId document, std::uint64_t begin, std::uint64_t size,
                     std::string_view bytes) override {
    if (document == kNoDocument) return writer_.between(bytes);
    const Settlement& settlement = outcome_.found.settlement;
    if (!settlement.stays(document)) {
      if (begin == 0) base_ = base_of(settlement.kept[document]);
      return writer_.removed(ids_[document], base_, begin, size, bytes);
    }
    // A document that came from a pipe is in no kept file.
    if (facts_.form != KeptForm::file && !has_file_) return writer_.between(bytes);
    if (begin == 0) {
      LEITONG_ASSIGN(kept_, places_.next(document, size));
    }
    if (kept_.unchanged) return writer_.copied(kept_.begin + begin, bytes);
    return writer_.changed({document, kept_.begin, kept_.size}, begin, size, bytes);
  }

  Result<void> end_source(std::string_view lost) override {
    return writer_.end_source(has_file_ ? file_bytes_ : 0, has_file_, lost);
  }

 private:
  [[nodiscard]] std::optional<RestorableWriter::Base> base_of(DocId kept) const {
    const auto place = places_.of_base(kept);
    if (!place) return std::nullopt;
    return RestorableWriter::Base{kept, place->begin, place->size};
  }

  const Outcome& outcome_;
  const IdTable& ids_;
  KeptPlaces& places_;
  const RestorableFacts& facts_;
  RestorableWriter& writer_;
  std::size_t file_ = 0;   // the next of places_.written().files()
  bool has_file_ = false;  // true if the source is among them
  std::uint64_t file_bytes_ = 0;
  std::optional<RestorableWriter::Base> base_;  // of the record whose pieces are being read
  KeptPlace kept_;
};

/// Receives the rows that left.
class RemovedRows final : public RowSink {
 public:
  RemovedRows(const IdTable& ids, const KeptPlaces& places, RestorableWriter& writer)
      : ids_(ids), places_(places), writer_(writer) {}

  Result<void> begin_table(std::string_view path) override {
    file_ = places_.written().file_of(path, file_);
    return {};
  }
  void row(RowFate fate, DocId document) override {
    if (fate == RowFate::stays) return writer_.row_stays();
    writer_.row_left(document == kNoDocument ? std::string_view() : ids_[document]);
  }
  Result<void> write(std::string_view bytes) override { return writer_.rows(bytes); }
  Result<void> end_table() override { return writer_.end_table(places_.written().hash_of(file_)); }

 private:
  const IdTable& ids_;
  const KeptPlaces& places_;
  RestorableWriter& writer_;
  std::size_t file_ = 0;  // of places_.written().files()
};

}  // namespace

KeptPlaces::KeptPlaces(const Outcome& outcome, WorkFolder folder) : folder_(std::move(folder)) {
  const Settlement& settlement = outcome.found.settlement;
  for (DocId d = 0; d < outcome.documents(); ++d)
    if (!settlement.stays(d)) followed_.push_back(settlement.kept[d]);
  std::ranges::sort(followed_);
  followed_.erase(std::ranges::unique(followed_).begin(), followed_.end());
  bases_.resize(followed_.size());
}
Result<void> KeptPlaces::add(DocId document, const KeptPlace& place) {
  if (place.size == 0) return {};  // a row, which has no bytes of its own
  const std::uint64_t begin = written_.file_begin() + place.begin;
  if (const auto index = index_of_base(document)) bases_[*index] = {begin, place.size};
  if (begin != expected_ || !place.unchanged) odd_.push_back({begin, place.size, document, place.unchanged});
  expected_ = begin + place.size;
  return odd_.size() >= kOddInMemory ? flush() : Result<void>{};
}

Result<void> KeptPlaces::flush() {
  if (!file_) {
    LEITONG_ASSIGN(file_, folder_.new_file());
  }
  LEITONG_TRY(file_->append(odd_.data(), odd_.size() * sizeof(Odd)));
  odd_.clear();
  return {};
}

Result<KeptPlace> KeptPlaces::next(DocId document, std::uint64_t size) {
  if (!std::exchange(asked_, true)) {
    if (file_) LEITONG_TRY(flush());
    expected_ = 0;
  }
  if (file_ && next_ == odd_.size() && read_ < file_->size()) {
    odd_.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(kOddInMemory, (file_->size() - read_) / sizeof(Odd))));
    LEITONG_TRY(file_->read(read_, odd_.data(), odd_.size() * sizeof(Odd)));
    read_ += odd_.size() * sizeof(Odd);
    next_ = 0;
  }
  KeptPlace place{expected_, size, true};
  if (next_ < odd_.size() && odd_[next_].document == document) {
    place = {odd_[next_].begin, odd_[next_].size, odd_[next_].unchanged};
    ++next_;
  }
  expected_ = place.begin + place.size;
  return place;
}

std::optional<KeptPlace> KeptPlaces::of_base(DocId document) const {
  const auto index = index_of_base(document);
  if (!index || bases_[*index].size == 0) return std::nullopt;
  return KeptPlace{bases_[*index].begin, bases_[*index].size, true};
}

std::optional<std::size_t> KeptPlaces::index_of_base(DocId document) const {
  const auto at = std::ranges::lower_bound(followed_, document);
  if (at == followed_.end() || *at != document) return std::nullopt;
  return static_cast<std::size_t>(at - followed_.begin());
}

Result<void> write_restorable(const Corpus& corpus, const Outcome& outcome, const IdTable& ids,
                              KeptPlaces& places, const RestorableFacts& facts, OutputFile& out,
                              const RunContext& run) {
  const auto new_reader = [&]() -> RestorableWriter::ReadBase {
    std::shared_ptr<ReadScratch> scratch = corpus.new_scratch();
    return [&corpus, scratch](DocId document, std::uint64_t begin, std::size_t size, char* to) {
      return corpus.read_kept(document, begin, size, to, *scratch);
    };
  };
  LEITONG_ASSIGN(const auto writer,
                 RestorableWriter::create([&](std::string_view bytes) { return out.write(bytes); },
                                          new_reader, run.memory.for_buffers() / 2, run.stop));
  Removals removals(outcome, ids, places, facts, *writer);
  LEITONG_TRY(corpus.cut_sources(removals));
  RemovedRows rows(ids, places, *writer);
  LEITONG_TRY(corpus.copy_left_rows(
      [&](DocId d) { return outcome.found.settlement.stays(d) ? RowFate::stays : RowFate::left; }, rows));
  return writer->finish(facts);
}

}  // namespace leitong
