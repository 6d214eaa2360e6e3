#include "corpus/record_store.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"

namespace leitong {
namespace {

/// The most open files: a run over thousands of files must not exhaust the descriptors.
constexpr std::size_t kOpenFiles = 64;

/// Records of up to kSmall bytes that follow each other with gaps of at most this size are read in blocks of
/// kAhead, because a system call for each would cost more than most of them. (Across wider gaps the copying
/// would cost more than the calls.)
constexpr std::size_t kSmall = std::size_t{8} << 10, kAhead = std::size_t{64} << 10;

/// `read_at(offset, to, least, most)` reads up to `most` bytes of the file, and at least `least`.
template <class ReadAt>
Result<void> read_ahead(std::uint64_t offset, char* out, std::size_t size, ReadAhead& ahead,
                        const ReadAt& read_at) {
  const std::uint64_t end = ahead.begin + ahead.bytes.size();
  const bool follows = offset >= ahead.begin && offset <= end + kSmall;
  if (!follows || size > kSmall) {
    ahead.begin = offset + size;
    ahead.bytes.clear();
    LEITONG_TRY(read_at(offset, out, size, size));
    return {};
  }
  if (offset + size > end) {
    ahead.begin = offset;
    ahead.bytes.resize_for_overwrite(kAhead);
    const Result<std::size_t> got = read_at(offset, ahead.bytes.data(), size, kAhead);
    ahead.bytes.resize_for_overwrite(got.value_or(0));
    LEITONG_TRY(got);
  }
  std::copy_n(ahead.bytes.data() + (offset - ahead.begin), size, out);
  return {};
}

}  // namespace

tl::unexpected<Error> changed_file(std::string_view path) {
  return fail(ErrorCode::corrupt,
              fmt::format("{}: the file was changed while it was being read; run again", path));
}

void RecordStore::begin_spooled(std::uint32_t source) {
  const std::lock_guard lock(mutex_);
  spooled_.push_back({source, spool_.size()});
}

Result<void> RecordStore::move_to(std::uint32_t source, StoreCursor& cursor) const {
  if (cursor.source == source) return {};
  cursor.source = UINT32_MAX;
  cursor.ahead = {};
  const std::lock_guard lock(mutex_);
  const auto in_spool =
      std::lower_bound(spooled_.begin(), spooled_.end(), source,
                       [](const Spooled& entry, std::uint32_t wanted) { return entry.source < wanted; });
  if (in_spool != spooled_.end() && in_spool->source == source) {
    cursor.file = nullptr;
    cursor.begin = in_spool->begin;
    cursor.source = source;
    return {};
  }
  const auto is_source = [&](const auto& entry) { return entry.first == source; };
  const auto open = std::find_if(open_files_.begin(), open_files_.end(), is_source);
  if (open != open_files_.end()) {
    open_files_.splice(open_files_.begin(), open_files_, open);
  } else {
    LEITONG_ASSIGN(ReadFile file, ReadFile::open(std::string(sources_.path(source)), stop_));
    open_files_.emplace_front(source, std::make_shared<const ReadFile>(std::move(file)));
    if (open_files_.size() > kOpenFiles) open_files_.pop_back();
  }
  cursor.file = open_files_.front().second;
  cursor.source = source;
  return {};
}

bool RecordStore::is_spooled(std::uint32_t source) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::binary_search(spooled_, source, {}, &Spooled::source);
}

std::optional<std::uint64_t> RecordStore::spooled_size(std::uint32_t source) const {
  const auto found =
      std::lower_bound(spooled_.begin(), spooled_.end(), source,
                       [](const Spooled& entry, std::uint32_t wanted) { return entry.source < wanted; });
  if (found == spooled_.end() || found->source != source) return std::nullopt;
  return (found + 1 == spooled_.end() ? spool_.size() : (found + 1)->begin) - found->begin;
}

Result<void> RecordStore::read(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                               StoreCursor& cursor) const {
  LEITONG_TRY(stop_.check());
  LEITONG_TRY(move_to(source, cursor));
  if (cursor.file == nullptr) return spool_.read(cursor.begin + offset, out, size, cursor.blocks);
  return read_file(offset, out, size, cursor);
}

Result<void> RecordStore::read_file(std::uint64_t offset, char* out, std::size_t size,
                                    StoreCursor& cursor) const {
  const auto read_at = [&](std::uint64_t from, char* to, std::size_t least,
                           std::size_t most) -> Result<std::size_t> {
    LEITONG_ASSIGN(const std::size_t got, cursor.file->read_at(from, to, most));
    if (got < least || cursor.file->stamp() != sources_[cursor.source].stamp)
      return changed_file(sources_.path(cursor.source));
    return got;
  };
  return read_ahead(offset, out, size, cursor.ahead, read_at);
}

Result<std::uint64_t> RecordStore::append_rows(std::string_view rows) {
  if (!rows_) {
    LEITONG_ASSIGN(rows_, folder_.new_file());
  }
  LEITONG_ASSIGN(const std::uint64_t begin, rows_->append(rows.data(), rows.size()));
  rows_size_ = begin + rows.size();
  return begin;
}

Result<void> RecordStore::read_rows(std::uint64_t offset, char* out, std::size_t size,
                                    ReadAhead& ahead) const {
  LEITONG_TRY(stop_.check());
  const auto read_at = [&](std::uint64_t from, char* to, std::size_t /*least*/,
                           std::size_t most) -> Result<std::size_t> {
    most = static_cast<std::size_t>(std::min<std::uint64_t>(most, rows_size_ - from));
    LEITONG_TRY(rows_->read(from, to, most));
    return most;
  };
  return read_ahead(offset, out, size, ahead, read_at);
}

Result<std::size_t> RecordStore::read_up_to(std::uint32_t source, std::uint64_t offset, char* out,
                                            std::size_t size, StoreCursor& cursor) const {
  const std::uint64_t end = spooled_size(source).value_or(sources_[source].stamp.size);
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, end - std::min(offset, end)));
  LEITONG_TRY(read(source, offset, out, size, cursor));
  return size;
}

}  // namespace leitong
