#include "corpus/record_store.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace leitong {
namespace {

/// Files held open at once; a run over thousands of files must not exhaust the descriptors.
constexpr std::size_t kOpenFiles = 64;

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
    LEITONG_ASSIGN(ReadFile file, ReadFile::open(std::string(sources_.path(source))));
    open_files_.emplace_front(source, std::make_shared<const ReadFile>(std::move(file)));
    if (open_files_.size() > kOpenFiles) open_files_.pop_back();
  }
  cursor.file = open_files_.front().second;
  cursor.source = source;
  return {};
}

Result<void> RecordStore::read(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                               StoreCursor& cursor) const {
  LEITONG_TRY(move_to(source, cursor));
  if (cursor.file == nullptr) return spool_.read(cursor.begin + offset, out, size, cursor.blocks);
  LEITONG_ASSIGN(const std::size_t got, cursor.file->read_at(offset, out, size));
  if (got != size || cursor.file->stamp() != sources_[source].stamp)
    return changed_file(sources_.path(source));
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
