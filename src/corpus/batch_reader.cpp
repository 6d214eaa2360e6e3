#include "corpus/batch_reader.hpp"

#include <fmt/core.h>

#include <utility>

#include "base/try.hpp"
#include "corpus/charset.hpp"
#include "corpus/foreign_file.hpp"
#include "io/encoding.hpp"

namespace leitong {
namespace {

constexpr std::size_t kSniffedBytes = 4096;
// A batch of small files ends at either limit.
constexpr std::uint32_t kMostFiles = 256;
constexpr std::uint64_t kFileBytes = std::uint64_t{4} << 20;

Beginning beginning_of(std::string_view bytes, bool is_stream) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  return {bytes, is_stream};
}

std::unique_ptr<Batch> fault(std::uint32_t source, std::string why) {
  auto batch = std::make_unique<Batch>();
  batch->source = source;
  batch->files = true;  // there are no records to parse
  batch->source_count = 0;
  batch->fault = std::move(why);
  return batch;
}

}  // namespace

Result<std::unique_ptr<Batch>> BatchReader::next() {
  while (true) {
    if (stream_) {
      LEITONG_ASSIGN(std::unique_ptr<Batch> batch, stream_->next());
      if (batch != nullptr) {
        batch->source = next_source_ - 1;
        return batch;
      }
      stream_.reset();
    }
    if (next_source_ == access_.sources.size()) return nullptr;
    LEITONG_ASSIGN(std::unique_ptr<Batch> batch, open_source());
    if (batch != nullptr) return batch;
  }
}

/// By content, without reading further. A file that cannot be read gets the format that claims everything,
/// whose reader will report the reason. A container of many texts in no known format is a source with an
/// error.
void BatchReader::sniff(std::uint32_t source) {
  const std::string path(access_.sources.path(source));
  std::string begin;
  auto file = ReadFile::open(path, access_.stop);
  if (!file && file.error().code == ErrorCode::limit) return;  // nothing is known of it
  if (file) {
    auto stored = std::make_unique<StoredBytes>(std::move(*file), nullptr);
    if (const auto first = stored->peek()) {
      const Compression compression = compression_of_content(*first, path);
      const auto decoder = make_decoder(compression, std::move(stored), access_.max_window_bytes);
      begin.resize(kSniffedBytes);
      begin.resize(decoder->read(begin.data(), begin.size()).value_or(0));
    }
  }
  const Beginning beginning = beginning_of(begin, false);
  access_.sources[source].format = formats_.by_content(beginning);
  if (std::string what = container_by_content(beginning.bytes); !what.empty())
    access_.sources.set_error(source, std::move(what));
}

bool BatchReader::is_file_document(std::uint32_t source) {
  Source& candidate = access_.sources[source];
  if (!candidate.regular) return false;
  if (candidate.format == nullptr) sniff(source);
  return candidate.format != nullptr && candidate.format->info().one_document_a_file &&
         access_.sources.error(source) == nullptr;
}

std::unique_ptr<Batch> BatchReader::take_files() {
  auto batch = std::make_unique<Batch>();
  const SourceList& sources = access_.sources;
  const RecordFormat* format = sources[next_source_].format;
  batch->source = next_source_;
  batch->files = true;
  std::uint64_t bytes = sources[next_source_].stamp.size;
  std::uint32_t end = next_source_ + 1;
  while (end < sources.size() && end - next_source_ < kMostFiles && is_file_document(end) &&
         sources[end].format == format) {
    bytes += sources[end].stamp.size;
    if (bytes > kFileBytes) break;
    ++end;
  }
  batch->source_count = end - next_source_;
  next_source_ = end;
  return batch;
}

Result<std::unique_ptr<Batch>> BatchReader::open_source() {
  if (const std::string* error = access_.sources.error(next_source_)) return fault(next_source_++, *error);
  if (is_file_document(next_source_)) return take_files();
  if (const std::string* error = access_.sources.error(next_source_)) return fault(next_source_++, *error);
  if (access_.sources[next_source_].given) return open_given(next_source_++);
  return open_stream(next_source_++);
}

Result<std::unique_ptr<Batch>> BatchReader::open_given(std::uint32_t source) {
  LEITONG_ASSIGN(stream_, access_.sources[source].format->open(access_, {source, nullptr, false}));
  return nullptr;
}

Result<std::unique_ptr<Batch>> BatchReader::cant_be_read(std::uint32_t source, const Error& error) const {
  const std::string_view path = access_.sources.path(source);
  if (ends_run(error, access_.sources[source])) return error_at(path, error);
  return fault(source, without_path(error.message, path));
}

Result<std::unique_ptr<Batch>> BatchReader::open_stream(std::uint32_t source) {
  const std::string path(access_.sources.path(source));
  auto file = ReadFile::open(path, access_.stop);
  if (!file && file.error().code == ErrorCode::limit) return error_at(path, file.error());
  if (!file) return cant_be_read(source, file.error());
  Source& opened = access_.sources[source];
  bool spooled = !file->can_be_read_again();
  opened.stamp = file->stamp();
  auto stored = std::make_unique<StoredBytes>(std::move(*file), &access_.bytes_read);
  const auto first = stored->peek();
  if (!first) return cant_be_read(source, first.error());
  const Compression compression = compression_of_content(*first, path);
  spooled |= compression != Compression::none;
  auto bytes = std::make_unique<PeekedBytes>(
      make_decoder(compression, std::move(stored), access_.max_window_bytes), as_it_comes_);

  if (opened.format == nullptr) {
    const RecordFormat* claiming = formats_.by_content(beginning_of(bytes->peek(), true));
    if (claiming != nullptr && !claiming->info().is_text()) opened.format = claiming;
  }
  const bool is_text = opened.format == nullptr || opened.format->info().is_text();
  if (is_text)
    if (std::string what = foreign_by_content(bytes->peek()); !what.empty())
      return fault(source, std::move(what));
  std::string encoding = encoding_.empty() ? std::string(encoding_of_mark(bytes->peek())) : encoding_;
  if (opened.format == nullptr && is_utf8_encoding(encoding)) {
    const Beginning beginning = beginning_of(bytes->peek(), true);
    if (std::string what = container_by_content(beginning.bytes); !what.empty())
      return fault(source, std::move(what));
    opened.format = formats_.by_content(beginning);
  }
  // Files that are one document each are decoded by their own reader.
  if (is_text && encoding.empty() && opened.format != nullptr && !opened.format->info().one_document_a_file)
    encoding = encoding_of_records(bytes->peek());
  if (is_text && !is_utf8_encoding(encoding)) {
    bytes = std::make_unique<PeekedBytes>(make_transcoder(encoding, std::move(bytes)), as_it_comes_);
    spooled = true;
    opened.decoded = true;
  }
  const std::string_view first_bytes = bytes->peek();
  if (opened.format == nullptr) opened.format = formats_.by_content(beginning_of(first_bytes, true));
  if (opened.format == nullptr) return fault(source, "of no known kind");
  if (!opened.format->info().one_document_a_file && is_text)
    if (std::string what = binary_content(first_bytes); !what.empty()) return fault(source, std::move(what));

  auto stream = opened.format->open(access_, {source, std::move(bytes), spooled});
  if (stream) {
    stream_ = std::move(*stream);
    return nullptr;
  }
  const Error& error = stream.error();
  if (error.code == ErrorCode::cancelled) return tl::unexpected<Error>(error);
  // A table that was named must have the wanted columns; one among other files of a folder need not. A fault
  // that would also affect the next table ends the run.
  if (opened.listed && error.code != ErrorCode::unsupported && error.code != ErrorCode::limit)
    return fault(source, error.message);
  return fail(error.code,
              fmt::format("{}{} {}", path, opened.format->info().is_table ? ":" : ":1:", error.message));
}

}  // namespace leitong
