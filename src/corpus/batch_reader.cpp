#include "corpus/batch_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "corpus/csv_record.hpp"
#include "corpus/csv_scanner.hpp"

namespace leitong {
namespace {

constexpr std::size_t kSniffedBytes = 4096;
// A batch of small files ends at either.
constexpr std::uint32_t kMostFiles = 256;
constexpr std::uint64_t kFileBytes = std::uint64_t{4} << 20;

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

/// Why a source of many records can't be read at all, or empty.
std::string unreadable(InputKind kind, std::string_view path, std::string_view first_bytes) {
  if (first_bytes.starts_with("\xff\xfe") || first_bytes.starts_with("\xfe\xff"))
    return "the file is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8";
  const std::size_t begin = first_bytes.find_first_not_of(" \t\r\n");
  if (kind == InputKind::jsonl && without_compression_ending(path).ends_with(".json") &&
      begin != std::string_view::npos && first_bytes[begin] == '[')
    return "the file is one JSON array, not one object a line; convert it first: jq -c '.[]'";
  return {};
}

/// By content, without reading on. A file that can't be read is taken for a text, whose reader will say why.
InputKind sniff(const std::string& path, StopToken stop) {
  auto file = ReadFile::open(path, stop);
  if (!file) return InputKind::text;
  auto stored = std::make_unique<StoredBytes>(std::move(*file), nullptr);
  const auto first = stored->peek();
  if (!first) return InputKind::text;
  const Compression compression = compression_of_content(*first, path);
  const auto decoder = make_decoder(compression, std::move(stored));
  std::string begin(kSniffedBytes, '\0');
  const auto got = decoder->read(begin.data(), begin.size());
  if (!got) return InputKind::text;
  begin.resize(*got);
  return kind_of_content(begin, false);
}

}  // namespace

Result<std::unique_ptr<Batch>> BatchReader::next() {
  auto batch = std::make_unique<Batch>();
  while (true) {
    if (stream_) {
      batch->source = next_source_ - 1;
      LEITONG_ASSIGN(const bool filled, stream_->next(*batch));
      if (filled) {
        batch->skipped_lines = std::exchange(header_lines_, 0);
        return batch;
      }
      stream_.reset();
    }
    if (next_source_ == sources_.size()) return nullptr;
    batch->source = next_source_;
    LEITONG_ASSIGN(const bool filled, open_source(*batch));
    if (filled) return batch;
  }
}

bool BatchReader::is_file_document(std::uint32_t source) {
  Source& candidate = sources_[source];
  if (!candidate.regular) return false;
  if (candidate.kind == InputKind::automatic)
    candidate.kind = sniff(std::string(sources_.path(source)), settings_.stop);
  return is_one_document(candidate.kind);
}

void BatchReader::take_files(Batch& batch) {
  batch.files = true;
  std::uint64_t bytes = sources_[next_source_].stamp.size;
  std::uint32_t end = next_source_ + 1;
  while (end < sources_.size() && end - next_source_ < kMostFiles && is_file_document(end)) {
    bytes += sources_[end].stamp.size;
    if (bytes > kFileBytes) break;
    ++end;
  }
  batch.source_count = end - next_source_;
  next_source_ = end;
}

Result<bool> BatchReader::open_source(Batch& batch) {
  const std::string path(sources_.path(next_source_));
  if (const std::string* error = sources_.error(next_source_)) {
    batch.fault = *error;
    ++next_source_;
    return true;
  }
  if (is_file_document(next_source_)) {
    take_files(batch);
    return true;
  }
  const std::uint32_t source = next_source_++;
  auto file = ReadFile::open(path, settings_.stop);
  if (!file) {
    batch.fault = without_path(file.error().message, path);
    return true;
  }
  Source& opened = sources_[source];
  const bool can_be_read_again = file->can_be_read_again();
  opened.stamp = file->stamp();
  auto stored = std::make_unique<StoredBytes>(std::move(*file), &bytes_read_);
  const auto first = stored->peek();
  if (!first) {
    batch.fault = without_path(first.error().message, path);
    return true;
  }
  opened.compression = compression_of_content(*first, path);
  const bool spooled = !can_be_read_again || opened.compression != Compression::none;
  LEITONG_TRY(open_stream(source, make_decoder(opened.compression, std::move(stored)), spooled));
  LEITONG_ASSIGN(const std::string_view bytes, stream_->peek());
  if (opened.kind == InputKind::automatic) opened.kind = kind_of_content(bytes, true);
  if (!is_one_document(opened.kind)) {
    if (std::string why = unreadable(opened.kind, path, bytes); !why.empty()) {
      batch.fault = std::move(why);
      stream_.reset();
      return true;
    }
    // A table that was named has the columns that were meant; one among other files of a folder needn't.
    if (Result<void> skipped = skip_head(source, bytes); !skipped) {
      if (!opened.listed)
        return fail(skipped.error().code, fmt::format("{}:1: {}", path, skipped.error().message));
      batch.fault = std::move(skipped).error().message;
      stream_.reset();
      return true;
    }
  }
  stream_->set_scanner(make_record_scanner(opened.kind));
  return false;
}

Result<void> BatchReader::open_stream(std::uint32_t source, std::unique_ptr<ByteStream> bytes, bool spooled) {
  StreamReader::Access access;
  if (spooled) {
    store_.begin_spooled(source);
    access.keep = [this](std::string_view read) { return store_.spool().append(read); };
  }
  access.again = [this, source](std::uint64_t offset, char* out, std::size_t size) {
    return store_.read(source, offset, out, size, cursor_);
  };
  stream_ = std::make_unique<StreamReader>(std::move(bytes), std::move(access), settings_.max_record_bytes);
  return {};
}

Result<void> BatchReader::skip_head(std::uint32_t source, std::string_view first_bytes) {
  SourceHead head;
  header_lines_ = 0;
  if (first_bytes.starts_with(kUtf8Mark)) head.preamble = kUtf8Mark;
  const InputKind kind = sources_[source].kind;
  if (is_table(kind) && first_bytes.size() > head.preamble.size()) {
    const std::string_view after_mark = first_bytes.substr(head.preamble.size());
    std::vector<std::uint32_t> ends;
    CsvScanner(table_delimiter(kind)).whole_records(after_mark, true, ends);
    const std::string_view header = after_mark.substr(0, ends.front());
    LEITONG_ASSIGN(head.csv,
                   CsvRecordReader().read_header(without_line_end(header), table_delimiter(kind), names_));
    head.preamble += header;
    header_lines_ = static_cast<std::uint64_t>(std::count(header.begin(), header.end(), '\n'));
  }
  if (head.preamble.empty()) return {};
  stream_->skip(head.preamble.size());
  sources_.set_head(source, std::move(head));
  return {};
}

}  // namespace leitong
