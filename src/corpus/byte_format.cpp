#include "corpus/byte_format.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "corpus/document_file.hpp"
#include "corpus/foreign_file.hpp"
#include "corpus/kept_copy.hpp"

namespace leitong {
namespace {

/// A larger buffer is freed after use.
constexpr std::size_t kKeptBuffer = std::size_t{16} << 20;

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

}  // namespace

std::uint64_t count_lines(std::string_view bytes) noexcept {
  return static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

Result<std::unique_ptr<RecordStream>> ByteFormat::open(const InputAccess& access, OpenedSource source) const {
  std::unique_ptr<SourceHead> head;
  if (!info().one_document_a_file) {
    const std::string_view first_bytes = source.bytes->peek();
    const std::string_view mark = first_bytes.starts_with(kUtf8Mark) ? kUtf8Mark : std::string_view();
    if (first_bytes.size() > mark.size()) {
      LEITONG_ASSIGN(head, read_head(first_bytes.substr(mark.size()), access.names));
    }
    if (head == nullptr && !mark.empty()) head = std::make_unique<SourceHead>();
    if (head != nullptr) head->preamble.insert(0, mark);
  }
  const std::uint32_t number = source.number;
  auto stream = std::make_unique<StreamReader>(access, std::move(source), new_scanner(head.get()));
  if (head == nullptr) return stream;
  LEITONG_TRY(stream->skip(head->preamble.size()));
  access.sources.set_head(number, std::move(head));
  return stream;
}

std::unique_ptr<KeptWriter> ByteFormat::new_writer(const InputAccess& access, const WriteBytes& write) const {
  return make_byte_writer(access, write, info().is_archive);
}

Result<std::string> ByteParserBase::load(std::uint32_t source, bool counted, FileStamp& stamp) {
  if (bytes_.capacity() > kKeptBuffer) bytes_ = PaddedBytes();
  const std::string path(access_.sources.path(source));
  LEITONG_ASSIGN(std::string refused,
                 load_document_file(path, access_.max_record_bytes, access_.max_window_bytes, access_.stop,
                                    counted ? &access_.bytes_read : nullptr, bytes_, stamp));
  const bool is_text = access_.sources[source].format->info().is_text();
  return refused.empty() && is_text ? foreign_by_content(bytes_.view()) : refused;
}

void ByteParserBase::reject_file(Batch& batch, std::uint32_t index, Error error) const {
  const std::uint32_t number = batch.source + index;
  const std::string_view path = access_.sources.path(number);
  if (ends_run(error, source(number)) || error.code == ErrorCode::limit) {
    if (!batch.failure) batch.failure = error_at(path, error).value();
    return;
  }
  const bool cut_short = error.code == ErrorCode::corrupt;
  batch.rejected.push_back({0, index, {}, without_path(std::move(error).message, path), cut_short});
}

Result<void> ByteParserBase::fetch(const Place& place) {
  if (bytes_.capacity() > kKeptBuffer) bytes_ = PaddedBytes();
  bytes_.resize(place.detail);
  return access_.store.read(place.source, place.position, bytes_.data(), place.detail, cursor_);
}

tl::unexpected<Error> ByteParserBase::changed(std::uint32_t source) const {
  return changed_file(access_.sources.path(source));
}

}  // namespace leitong
