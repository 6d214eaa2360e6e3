#include "corpus/kept_copy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "corpus/batch.hpp"
#include "corpus/stream_reader.hpp"

namespace leitong {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{4} << 20;
constexpr std::size_t kLongestLineEnd = 2;

class KeptCopier {
 public:
  KeptCopier(const KeptInput& input, const std::function<Result<void>(std::string_view)>& write)
      : input_(input), write_(write) {}

  Result<void> add(const Place& place) {
    if (place.source != source_) {
      LEITONG_TRY(flush());
      LEITONG_TRY(begin_source(place.source));
    }
    const std::uint64_t end = place.offset + place.length;
    if (place.offset < window_begin_ || end + kLongestLineEnd > window_begin_ + window_.size()) {
      const bool at_source_end = window_is_last_ && place.offset >= window_begin_;
      if (!at_source_end) {
        LEITONG_TRY(flush());
        LEITONG_TRY(load(place));
      }
    }
    const std::size_t begin = static_cast<std::size_t>(place.offset - window_begin_);
    const std::size_t stop = begin + place.length;
    if (stop > window_.size()) return changed_file(input_.sources.path(place.source));
    const std::string_view rest = window_.view().substr(stop);
    const std::size_t line_end = rest.starts_with("\n") ? 1 : rest.starts_with("\r\n") ? 2 : 0;
    if (begin != run_end_) {
      LEITONG_TRY(flush());
      run_begin_ = begin;
    }
    run_end_ = stop + line_end;
    lacks_line_end_ = line_end == 0;
    return {};
  }

  /// A table that nothing is kept of keeps its header, so that it can still be read as one.
  Result<void> finish() {
    if (source_ != UINT32_MAX) return flush();
    for (std::uint32_t i = 0; i < input_.sources.size(); ++i)
      if (const Source& source = input_.sources[i];
          !source.reference && is_table(source.kind) && source.head != nullptr)
        return write_(source.head->preamble);
    return {};
  }

 private:
  Result<void> flush() {
    if (run_begin_ == run_end_) return {};
    LEITONG_TRY(put(window_.view().substr(run_begin_, run_end_ - run_begin_)));
    run_begin_ = run_end_ = 0;
    owes_line_end_ = lacks_line_end_;
    return {};
  }

  Result<void> put(std::string_view bytes) {
    if (owes_line_end_) LEITONG_TRY(write_("\n"));
    owes_line_end_ = false;
    return write_(bytes);
  }

  Result<void> begin_source(std::uint32_t source) {
    const bool is_first = source_ == UINT32_MAX;
    source_ = source;
    window_begin_ = 0;
    window_.resize(0);
    window_is_last_ = false;
    const SourceHead* head = input_.sources[source].head;
    if (is_first && head != nullptr) LEITONG_TRY(write_(head->preamble));
    return {};
  }

  Result<void> load(const Place& place) {
    const std::size_t wanted = std::max<std::size_t>(kWindowBytes, place.length + kLongestLineEnd);
    window_.resize(wanted);
    LEITONG_ASSIGN(const std::size_t got,
                   input_.store.read_up_to(place.source, place.offset, window_.data(), wanted, cursor_));
    window_.shrink(got);
    window_begin_ = place.offset;
    window_is_last_ = got < wanted;
    run_begin_ = run_end_ = 0;
    return {};
  }

  const KeptInput& input_;
  const std::function<Result<void>(std::string_view)>& write_;
  StoreCursor cursor_;
  std::uint32_t source_ = UINT32_MAX;
  PaddedBytes window_;
  std::uint64_t window_begin_ = 0;           // in the source
  bool window_is_last_ = false;              // it reaches the source's end
  std::size_t run_begin_ = 0, run_end_ = 0;  // in the window: what is kept and not written yet
  bool lacks_line_end_ = false;              // the run's last record
  bool owes_line_end_ = false;               // what was written last
};

std::string_view header_of(const Source& source) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  std::string_view header = source.head == nullptr ? std::string_view() : source.head->preamble;
  if (header.starts_with(kUtf8Mark)) header.remove_prefix(kUtf8Mark.size());
  return without_line_end(header);
}

}  // namespace

Result<void> check_copyable(const KeptInput& input) {
  std::uint32_t first = UINT32_MAX;
  Result<void> result;
  input.places.each_source(input.first, [&](std::uint32_t source) {
    const Source& here = input.sources[source];
    const std::string_view path = input.sources.path(source);
    if (!result) return;
    if (is_one_document(here.kind)) {
      result = fail(
          ErrorCode::unsupported,
          fmt::format(
              "{}: a file that is one document can't be copied into a file of records; read it alone, then "
              "the output is a list of paths or a folder",
              path));
      return;
    }
    if (first == UINT32_MAX) first = source;
    const Source& model = input.sources[first];
    if (here.kind != model.kind)
      result = fail(
          ErrorCode::unsupported,
          fmt::format(
              "{}: {} records can't be written into one file with the {} records of {}; use one kind a run",
              path, input_kind_name(here.kind), input_kind_name(model.kind), input.sources.path(first)));
    else if (header_of(here) != header_of(model))
      result = fail(
          ErrorCode::unsupported,
          fmt::format(
              "{}: its header differs from that of {}; give all files the same columns in the same order",
              path, input.sources.path(first)));
  });
  return result;
}

Result<void> copy_kept(const KeptInput& input, const std::function<bool(DocId)>& keep,
                       const std::function<Result<void>(std::string_view)>& write) {
  LEITONG_TRY(check_copyable(input));
  KeptCopier copier(input, write);
  for (DocId document = input.first; document < input.places.size(); ++document)
    if (keep(document)) LEITONG_TRY(copier.add(input.places[document]));
  return copier.finish();
}

}  // namespace leitong
