#include "job/trim_restorable.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/try.hpp"
#include "corpus/source_pieces.hpp"
#include "io/restorable_file.hpp"
#include "io/table_files.hpp"

namespace leitong {
namespace {

constexpr std::size_t kLoggedWords = std::size_t{1} << 15;

/// Turns the pieces of the input into steps.
class TrimmedPieces final : public PieceSink {
 public:
  TrimmedPieces(const Corpus& corpus, TrimmedPlaces& places, RestorableWriter& writer)
      : corpus_(corpus), scratch_(corpus.new_scratch()), places_(places), writer_(writer) {}

  Result<void> begin_source(std::string_view path, bool stored, std::string_view table) override {
    const auto kind = table == "parquet" ? TableKind::parquet : TableKind::arrow;
    writer_.begin_source(path, stored,
                         static_cast<std::uint8_t>(table.empty() ? 0 : 1 + static_cast<int>(kind)));
    const auto& files = places_.written().files();
    kept_ = file_ < files.size() && files[file_].path.data() == path.data() ? &files[file_++] : nullptr;
    return {};
  }

  Result<void> piece(DocId document, std::uint64_t begin, std::uint64_t size,
                     std::string_view bytes) override {
    if (document == kNoDocument) return writer_.between(bytes);
    if (begin == 0) {
      LEITONG_TRY(places_.next(document, size, fate_));
      if (fate_.removed) {
        LEITONG_ASSIGN(name_, corpus_.id(document, *scratch_));
      }
    }
    if (fate_.removed) return writer_.removed(name_, std::nullopt, begin, size, bytes);
    if (fate_.rewritten) return writer_.between(bytes);
    return split(begin, bytes);
  }

  Result<void> end_source(std::string_view lost) override {
    return writer_.end_source(kept_ == nullptr ? 0 : kept_->bytes, kept_ != nullptr, lost);
  }

 private:
  /// Bytes of a record, which begin at byte `begin` of it: those that were written, and those that were not.
  Result<void> split(std::uint64_t begin, std::string_view bytes) {
    const std::uint64_t end = begin + bytes.size();
    std::uint64_t at = begin;
    // Byte `here` of the record, behind an edit, is byte `there` of the output.
    std::uint64_t here = 0, there = fate_.begin;
    const auto pass_on = [&](std::uint64_t stop, bool written) -> Result<void> {
      stop = std::min(stop, end);
      if (stop <= at) return {};
      const std::string_view part =
          bytes.substr(static_cast<std::size_t>(at - begin), static_cast<std::size_t>(stop - at));
      const std::uint64_t output_at = there + (at - here);
      at = stop;
      return written ? writer_.copied(output_at, part) : writer_.between(part);
    };
    for (const TextEdit& edit : fate_.edits) {
      LEITONG_TRY(pass_on(edit.begin, true));
      LEITONG_TRY(pass_on(edit.end, false));
      there += edit.begin - here + edit.put;
      here = edit.end;
    }
    return pass_on(end, true);
  }

  const Corpus& corpus_;
  std::unique_ptr<ReadScratch> scratch_;
  TrimmedPlaces& places_;
  RestorableWriter& writer_;
  std::size_t file_ = 0;                      // the next of the files that were written
  const WrittenFiles::File* kept_ = nullptr;  // of the source, if it has one of its own
  TrimmedPlaces::Fate fate_;                  // of the record whose pieces come
  std::string name_;
};

/// Receives the rows that left or were changed.
class TrimmedRows final : public RowSink {
 public:
  TrimmedRows(const Corpus& corpus, TrimmedPlaces& places, RestorableWriter& writer)
      : corpus_(corpus), scratch_(corpus.new_scratch()), places_(places), writer_(writer) {}

  /// What became of a row, of which the sink is told next.
  Result<RowFate> fate_of(DocId document) {
    LEITONG_TRY(places_.next(document, 0, fate_));
    if (!fate_.removed) return fate_.rewritten ? RowFate::changed : RowFate::stays;
    LEITONG_ASSIGN(name_, corpus_.id(document, *scratch_));
    return RowFate::left;
  }

  Result<void> begin_table(std::string_view path) override {
    file_ = places_.written().file_of(path, file_);
    return {};
  }
  void row(RowFate fate, DocId document) override {
    if (fate == RowFate::stays) return writer_.row_stays();
    if (fate == RowFate::changed) return writer_.row_changed();
    writer_.row_left(document == kNoDocument ? std::string_view() : name_);
  }
  Result<void> write(std::string_view bytes) override { return writer_.rows(bytes); }
  Result<void> end_table() override { return writer_.end_table(places_.written().hash_of(file_)); }

 private:
  const Corpus& corpus_;
  std::unique_ptr<ReadScratch> scratch_;
  TrimmedPlaces& places_;
  RestorableWriter& writer_;
  TrimmedPlaces::Fate fate_;
  std::string name_;
  std::size_t file_ = 0;  // of the files that were written
};

}  // namespace

Result<void> TrimmedPlaces::wrote(DocId document, const KeptPlace& place, std::span<const TextEdit> edits) {
  const bool is_row = place.size == 0;  // which has no bytes of its own
  const std::uint64_t begin = is_row ? expected_ : written_.file_begin() + place.begin;
  const std::uint64_t end = begin + place.size;
  const bool rewritten = !place.unchanged;
  if (begin != expected_ || rewritten || !edits.empty())
    LEITONG_TRY(log(document, {false, rewritten, begin, {edits.begin(), edits.end()}}, end));
  expected_ = end;
  return {};
}

Result<void> TrimmedPlaces::removed(DocId document) { return log(document, {.removed = true}, expected_); }

Result<void> TrimmedPlaces::log(DocId document, const Fate& fate, std::uint64_t end) {
  const std::uint64_t kind = fate.removed ? 1 : fate.rewritten ? 2 : 0;
  for (const std::uint64_t word :
       {std::uint64_t{document}, kind, fate.begin, end, std::uint64_t{fate.edits.size()}})
    words_.push_back(word);
  for (const TextEdit& edit : fate.edits)
    for (const std::size_t word : {edit.begin, edit.end, edit.put}) words_.push_back(word);
  return words_.size() < kLoggedWords ? Result<void>{} : flush();
}

Result<void> TrimmedPlaces::flush() {
  if (!file_) {
    LEITONG_ASSIGN(file_, folder_.new_file());
  }
  LEITONG_TRY(file_->append(words_.data(), words_.size() * sizeof(std::uint64_t)));
  words_.clear();
  return {};
}

Result<std::uint64_t> TrimmedPlaces::read_word() {
  if (at_ == words_.size()) {
    const auto bytes = static_cast<std::size_t>(
        std::min<std::uint64_t>(kLoggedWords * sizeof(std::uint64_t), file_->size() - read_));
    words_.resize_for_overwrite(bytes / sizeof(std::uint64_t));
    LEITONG_TRY(file_->read(read_, words_.data(), bytes));
    read_ += bytes;
    at_ = 0;
  }
  return words_[at_++];
}

Result<void> TrimmedPlaces::read_entry() {
  document_ = kNoDocument;
  if (at_ == words_.size() && read_ == file_->size()) return {};
  LEITONG_ASSIGN(const std::uint64_t document, read_word());
  LEITONG_ASSIGN(const std::uint64_t kind, read_word());
  LEITONG_ASSIGN(fate_.begin, read_word());
  LEITONG_ASSIGN(end_, read_word());
  LEITONG_ASSIGN(const std::uint64_t edits, read_word());
  document_ = static_cast<DocId>(document);
  fate_.removed = kind == 1;
  fate_.rewritten = kind == 2;
  fate_.edits.resize(static_cast<std::size_t>(edits));
  for (TextEdit& edit : fate_.edits)
    for (std::size_t* const word : {&edit.begin, &edit.end, &edit.put}) {
      LEITONG_ASSIGN(*word, read_word());
    }
  return {};
}

Result<void> TrimmedPlaces::next(DocId document, std::uint64_t size, Fate& fate) {
  if (!std::exchange(reading_, true)) {
    LEITONG_TRY(flush());
    expected_ = 0;
    LEITONG_TRY(read_entry());
  }
  if (document != document_) {
    fate.removed = fate.rewritten = false;
    fate.begin = expected_;
    fate.edits.clear();
    expected_ += size;
    return {};
  }
  std::swap(fate, fate_);
  expected_ = end_;
  return read_entry();
}

Result<void> write_trim_restorable(const Corpus& corpus, TrimmedPlaces& places, KeptForm form,
                                   std::uint64_t kept_bytes, OutputFile& out, const RunContext& run) {
  // No record is written as a difference from another one.
  const auto new_reader = []() -> RestorableWriter::ReadBase {
    return [](std::uint32_t, std::uint64_t, std::size_t, char*) { return Result<void>{}; };
  };
  LEITONG_ASSIGN(const auto writer,
                 RestorableWriter::create([&](std::string_view bytes) { return out.write(bytes); },
                                          new_reader, run.memory.for_buffers() / 2, run.stop));
  TrimmedPieces pieces(corpus, places, *writer);
  LEITONG_TRY(corpus.cut_sources(pieces));
  TrimmedRows rows(corpus, places, *writer);
  LEITONG_TRY(corpus.copy_left_rows([&](DocId document) { return rows.fate_of(document); }, rows));
  return writer->finish({.form = form, .kept_bytes = kept_bytes});
}

}  // namespace leitong
