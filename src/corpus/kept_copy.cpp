#include "corpus/kept_copy.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>

#include "base/try.hpp"
#include "corpus/padded_bytes.hpp"
#include "corpus/record_store.hpp"
#include "corpus/source_list.hpp"

namespace leitong {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{4} << 20;
constexpr std::size_t kLongestLineEnd = 2;

class ByteWriter final : public KeptWriter {
 public:
  ByteWriter(const InputAccess& access, const WriteBytes& write, bool one_by_one)
      : access_(access), write_(write), one_by_one_(one_by_one) {}

  Result<void> begin(std::uint32_t source) override {
    LEITONG_TRY(flush());
    return begin_source(source);
  }

  Result<void> add(const Place& place) override {
    LEITONG_ASSIGN(const std::size_t begin, reach(place));
    const std::size_t stop = begin + place.detail;
    if (is_scattered_) return put_on_a_line(window_.view().substr(begin, place.detail));
    const std::string_view rest = window_.view().substr(stop);
    const std::size_t line_end = rest.starts_with("\n") ? 1 : rest.starts_with("\r\n") ? 2 : 0;
    if (begin != run_end_ || one_by_one_) {
      LEITONG_TRY(flush());
      run_begin_ = begin;
    }
    last_ = {.begin = written_ + (owes_line_end_ ? 1 : 0) + (begin - run_begin_),
             .size = place.detail + line_end};
    run_end_ = stop + line_end;
    lacks_line_end_ = line_end == 0;
    return {};
  }

  Result<void> prepare_cuts(const RecordFormat& format) override {
    cutter_ = format.new_cutter(access_);
    return cutter_ != nullptr ? Result<void>{} : KeptWriter::prepare_cuts(format);
  }

  Result<void> add_cut(const Place& place, std::span<const ByteRange> cuts,
                       std::span<const TextEdit>& edits) override {
    LEITONG_ASSIGN(const std::size_t begin, reach(place));
    const std::string_view all = window_.view();
    Result<std::string_view> changed =
        cutter_->cut(access_.sources[place.source], all.substr(begin, place.detail), cuts);
    if (!changed) return changed_file(access_.sources.path(place.source));
    edits = cutter_->edits();
    return put_changed(place, begin, *changed);
  }

  Result<void> extend(const RecordFormat& format, const std::vector<AddedField>& fields) override {
    appender_ = format.new_appender(fields);
    return appender_ != nullptr ? Result<void>{} : KeptWriter::extend(format, fields);
  }

  Result<void> add_extended(const Place& place, std::span<const AddedValue> values) override {
    LEITONG_ASSIGN(const std::size_t begin, reach(place));
    const std::string_view record = window_.view().substr(begin, place.detail);
    Result<std::string_view> extended = appender_->append(access_.sources[place.source], record, values);
    if (!extended)
      return error_at(fmt::format("{}:{}", access_.sources.path(place.source), place.line), extended.error());
    return put_changed(place, begin, *extended);
  }

  [[nodiscard]] KeptPlace last() const override { return last_; }

  /// A table without kept records keeps its header, so that it can still be read as one.
  Result<void> finish() override {
    if (source_ != UINT32_MAX) {
      LEITONG_TRY(flush());
      return is_scattered_ && owes_line_end_ ? write("\n") : Result<void>{};
    }
    for (std::uint32_t i = 0; i < access_.sources.size(); ++i)
      if (const Source& source = access_.sources[i];
          !source.reference && source.head != nullptr && source.head->is_table)
        return begin_source(i);
    return {};
  }

 private:
  /// Has the window hold the record and its line end. Where it begins there.
  Result<std::size_t> reach(const Place& place) {
    if (place.source != source_) LEITONG_TRY(begin(place.source));
    const std::uint64_t end = place.position + place.detail;
    if (place.position < window_begin_ || end + kLongestLineEnd > window_begin_ + window_.size()) {
      const bool at_source_end = window_is_last_ && place.position >= window_begin_;
      if (!at_source_end) {
        LEITONG_TRY(flush());
        LEITONG_TRY(load(place));
      }
    }
    const auto begin = static_cast<std::size_t>(place.position - window_begin_);
    if (begin + place.detail > window_.size()) return changed_file(access_.sources.path(place.source));
    return begin;
  }

  /// Writes a record that was changed, with the line end that it has at `begin` in the window.
  Result<void> put_changed(const Place& place, std::size_t begin, std::string_view changed) {
    if (is_scattered_) return put_on_a_line(changed);
    LEITONG_TRY(flush());
    const std::string_view rest = window_.view().substr(begin + place.detail);
    const std::string_view line_end = rest.starts_with("\n") ? "\n" : rest.starts_with("\r\n") ? "\r\n" : "";
    last_ = {written_ + (owes_line_end_ ? 1 : 0), changed.size() + line_end.size(), true};
    LEITONG_TRY(put(changed));
    LEITONG_TRY(write(line_end));
    owes_line_end_ = line_end.empty();
    return {};
  }

  Result<void> flush() {
    if (run_begin_ == run_end_) return {};
    LEITONG_TRY(put(window_.view().substr(run_begin_, run_end_ - run_begin_)));
    run_begin_ = run_end_ = 0;
    owes_line_end_ = lacks_line_end_;
    return {};
  }

  Result<void> put(std::string_view bytes) {
    if (owes_line_end_) LEITONG_TRY(write("\n"));
    owes_line_end_ = false;
    return write(bytes);
  }

  Result<void> write(std::string_view bytes) {
    written_ += bytes.size();
    return write_(bytes);
  }

  Result<void> put_on_a_line(std::string_view record) {
    const bool spans_lines = record.find('\n') != std::string_view::npos;
    if (spans_lines) {
      // A new buffer each time would cost more than the copying.
      line_.resize(record.size());
      std::size_t size = 0;
      if (simdjson::minify(record.data(), record.size(), line_.data(), size) != simdjson::SUCCESS)
        return changed_file(access_.sources.path(source_));
      line_.shrink(size);
      record = line_.view();
    }
    last_ = {written_ + (owes_line_end_ ? 1 : 0), record.size(), !spans_lines};
    LEITONG_TRY(put(record));
    owes_line_end_ = true;
    return {};
  }

  Result<void> begin_source(std::uint32_t source) {
    const bool is_first = source_ == UINT32_MAX;
    source_ = source;
    window_begin_ = 0;
    window_.resize(0);
    window_is_last_ = false;
    const SourceHead* head = access_.sources[source].head;
    is_scattered_ = head != nullptr && head->is_scattered;
    return is_first && head != nullptr ? write_preamble(access_.sources[source]) : Result<void>{};
  }

  Result<void> write_preamble(const Source& source) {
    if (appender_ == nullptr) return write(source.head->preamble);
    Result<std::string> extended = appender_->head(source);
    return extended ? write(*extended) : error_at(access_.sources.path(source_), extended.error());
  }

  Result<void> load(const Place& place) {
    const std::size_t wanted = std::max<std::size_t>(kWindowBytes, place.detail + kLongestLineEnd);
    window_.resize(wanted);
    LEITONG_ASSIGN(const std::size_t got,
                   access_.store.read_up_to(place.source, place.position, window_.data(), wanted, cursor_));
    window_.shrink(got);
    window_begin_ = place.position;
    window_is_last_ = got < wanted;
    run_begin_ = run_end_ = 0;
    return {};
  }

  const InputAccess& access_;
  const WriteBytes& write_;
  const bool one_by_one_;
  std::unique_ptr<FieldAppender> appender_;  // null: records get no fields
  std::unique_ptr<TextCutter> cutter_;       // null: texts stay as they are
  StoreCursor cursor_;
  std::uint32_t source_ = UINT32_MAX;
  std::uint64_t written_ = 0;
  KeptPlace last_;
  PaddedBytes window_, line_;
  bool is_scattered_ = false;
  std::uint64_t window_begin_ = 0;           // in the source
  bool window_is_last_ = false;              // the window reaches the source's end
  std::size_t run_begin_ = 0, run_end_ = 0;  // in the window: kept and not written yet
  bool lacks_line_end_ = false;              // the last record of the run
  bool owes_line_end_ = false;               // the last written record lacks its line end
};

}  // namespace

std::unique_ptr<KeptWriter> make_byte_writer(const InputAccess& access, const WriteBytes& write,
                                             bool one_by_one) {
  return std::make_unique<ByteWriter>(access, write, one_by_one);
}

}  // namespace leitong
