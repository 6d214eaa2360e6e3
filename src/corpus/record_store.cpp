#include "corpus/record_store.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"

namespace leitong {
namespace {

/// Files held open at once; a run over thousands of files must not exhaust the descriptors.
constexpr std::size_t kOpenFiles = 64;

/// Records up to kSmall bytes that follow each other, with no more than that between them, come in blocks of
/// kAhead, and not by a visit to the system each, which costs more than most of them do. (Across wider gaps
/// the copying of what nobody wants would cost more than the visits.)
constexpr std::size_t kSmall = std::size_t{8} << 10, kAhead = std::size_t{64} << 10;

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
  cursor.ahead_begin = 0;
  cursor.ahead.clear();
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

Result<void> RecordStore::read(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                               StoreCursor& cursor) const {
  LEITONG_TRY(stop_.check());
  LEITONG_TRY(move_to(source, cursor));
  if (cursor.file == nullptr) return spool_.read(cursor.begin + offset, out, size, cursor.blocks);
  return read_file(offset, out, size, cursor);
}

Result<void> RecordStore::read_file(std::uint64_t offset, char* out, std::size_t size,
                                    StoreCursor& cursor) const {
  const auto read_at = [&](char* to, std::size_t most) -> Result<std::size_t> {
    LEITONG_ASSIGN(const std::size_t got, cursor.file->read_at(offset, to, most));
    if (got < size || cursor.file->stamp() != sources_[cursor.source].stamp)
      return changed_file(sources_.path(cursor.source));
    return got;
  };
  PodVector<char>& ahead = cursor.ahead;
  const std::uint64_t ahead_end = cursor.ahead_begin + ahead.size();
  const bool follows = offset >= cursor.ahead_begin && offset <= ahead_end + kSmall;
  if (!follows || size > kSmall) {
    LEITONG_TRY(read_at(out, size));
    cursor.ahead_begin = offset + size;
    ahead.clear();
    return {};
  }
  if (offset + size > ahead_end) {
    ahead.resize_for_overwrite(kAhead);
    const Result<std::size_t> got = read_at(ahead.data(), kAhead);
    ahead.resize_for_overwrite(got.value_or(0));
    cursor.ahead_begin = offset;
    LEITONG_TRY(got);
  }
  std::copy_n(ahead.data() + (offset - cursor.ahead_begin), size, out);
  return {};
}

Result<std::size_t> RecordStore::read_up_to(std::uint32_t source, std::uint64_t offset, char* out,
                                            std::size_t size, StoreCursor& cursor) const {
  LEITONG_TRY(move_to(source, cursor));
  std::uint64_t end = sources_[source].stamp.size;
  if (cursor.file == nullptr) {
    const auto next =
        std::upper_bound(spooled_.begin(), spooled_.end(), source,
                         [](std::uint32_t wanted, const Spooled& entry) { return wanted < entry.source; });
    end = (next == spooled_.end() ? spool_.size() : next->begin) - cursor.begin;
  }
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, end - std::min(offset, end)));
  LEITONG_TRY(read(source, offset, out, size, cursor));
  return size;
}

}  // namespace leitong
