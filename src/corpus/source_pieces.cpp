#include "corpus/source_pieces.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::size_t kReadBytes = std::size_t{4} << 20;
constexpr std::size_t kLineEndBytes = 2;

bool stands_on_lines(const Source& source) { return source.head != nullptr && source.head->is_scattered; }

}  // namespace

Result<std::string> SourcePieces::open(std::uint32_t source) {
  source_ = source;
  window_.clear();
  window_begin_ = 0;
  file_.reset();
  if (const auto spooled = access_.store.spooled_size(source)) {
    size_ = *spooled;
    return std::string();
  }
  size_ = 0;
  const std::string path(access_.sources.path(source));
  const std::string* const error = access_.sources.error(source);
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown))
    return error != nullptr ? *error : std::string("what is no file can't be read a second time");
  auto file = ReadFile::open(path, access_.stop);
  if (!file && file.error().code == ErrorCode::cancelled) return tl::unexpected<Error>(file.error());
  if (!file) return without_path(file.error().message, path);
  const Source& listed = access_.sources[source];
  const FileStamp stamp = file->stamp();
  if (listed.stamp.modified != 0 && stamp != listed.stamp) return changed_file(path);
  size_ = stamp.size;
  file_.emplace(std::move(*file));
  return std::string();
}

Result<std::string_view> SourcePieces::bytes_at(std::uint64_t offset, std::size_t least) {
  least = static_cast<std::size_t>(std::min<std::uint64_t>(least, size_ - std::min(offset, size_)));
  const std::uint64_t end = window_begin_ + window_.size();
  if (offset < window_begin_ || offset + least > end) {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(kReadBytes, least), size_ - offset));
    window_.resize(wanted);
    window_begin_ = offset;
    if (!file_) {
      LEITONG_TRY(access_.store.read(source_, offset, window_.data(), wanted, cursor_));
    } else {
      LEITONG_TRY(access_.stop.check());
      LEITONG_ASSIGN(const std::size_t got, file_->read_at(offset, window_.data(), wanted));
      if (got < wanted) return changed_file(access_.sources.path(source_));
    }
  }
  return std::string_view(window_).substr(static_cast<std::size_t>(offset - window_begin_));
}

Result<void> SourcePieces::hand_on(PieceSink& sink, DocId document, std::uint64_t begin, std::uint64_t size) {
  for (std::uint64_t done = 0; done < size;) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, size - done));
    LEITONG_ASSIGN(const std::string_view bytes, bytes_at(begin + done, part));
    if (bytes.size() < part) return changed_file(access_.sources.path(source_));
    LEITONG_TRY(sink.piece(document, done, size, bytes.substr(0, part)));
    done += part;
  }
  return {};
}

Result<std::size_t> SourcePieces::line_end_at(std::uint64_t offset) {
  LEITONG_ASSIGN(const std::string_view rest, bytes_at(offset, kLineEndBytes));
  return rest.starts_with("\n") ? 1 : rest.starts_with("\r\n") ? 2 : 0;
}

Result<DocId> SourcePieces::cut_source(std::uint32_t source, DocId document, std::string_view cut,
                                       PieceSink& sink) {
  LEITONG_ASSIGN(std::string lost, open(source));
  const Source& about = access_.sources[source];
  const bool is_table = about.head != nullptr && about.format->info().is_table;
  LEITONG_TRY(sink.begin_source(access_.sources.path(source), file_.has_value(),
                                is_table ? about.format->info().name : std::string_view()));
  if (is_table) {
    while (document < places_.size() && places_.source(document) == source) ++document;
    LEITONG_TRY(sink.end_source(lost.empty() ? cut : std::string_view(lost)));
    return document;
  }
  const bool scattered = stands_on_lines(about);
  std::uint64_t done = 0;
  for (; document < places_.size(); ++document) {
    const Place place = places_[document];
    if (place.source != source) break;
    if (!lost.empty()) return changed_file(access_.sources.path(source));
    if (const RecordFormat& format = *about.format; !format.has_byte_places())
      return fail(ErrorCode::unsupported,
                  fmt::format("{}: records of the kind {} can't be written as differences",
                              access_.sources.path(source), format.info().name));
    if (place.line == 0 && file_) {
      LEITONG_TRY(hand_on(sink, document, 0, size_));
      done = size_;
      continue;
    }
    LEITONG_TRY(hand_on(sink, kNoDocument, done, place.position - done));
    std::uint64_t size = place.detail;
    if (!scattered) {
      LEITONG_ASSIGN(const std::size_t line_end, line_end_at(place.position + size));
      size += line_end;
    }
    LEITONG_TRY(hand_on(sink, document, place.position, size));
    done = place.position + size;
  }
  LEITONG_TRY(hand_on(sink, kNoDocument, done, size_ - done));
  if (file_ && about.stamp.modified != 0 && file_->stamp() != about.stamp)
    return changed_file(access_.sources.path(source));
  LEITONG_TRY(sink.end_source(lost.empty() && !file_ ? cut : std::string_view(lost)));
  return document;
}

Result<void> KeptBytes::read(const Place& place, std::uint64_t begin, std::size_t size, char* out) {
  const Source& source = access_.sources[place.source];
  const std::uint64_t at = place.line == 0 && source.regular ? 0 : place.position;
  if (!stands_on_lines(source)) return access_.store.read(place.source, at + begin, out, size, cursor_);
  // As it is written on a line of its own.
  record_.resize(place.detail);
  LEITONG_TRY(access_.store.read(place.source, at, record_.data(), record_.size(), cursor_));
  std::string_view line = record_.view();
  if (line.find('\n') != std::string_view::npos) {
    line_.resize(record_.size());
    std::size_t written = 0;
    if (simdjson::minify(record_.data(), record_.size(), line_.data(), written) != simdjson::SUCCESS)
      return changed_file(access_.sources.path(place.source));
    line = line_.view().substr(0, written);
  }
  if (begin > line.size() || size > line.size() - begin)
    return changed_file(access_.sources.path(place.source));
  std::memcpy(out, line.data() + begin, size);
  return {};
}

}  // namespace leitong
