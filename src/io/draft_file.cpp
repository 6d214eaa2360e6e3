#include "io/draft_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/system.hpp"

namespace leitong {

tl::unexpected<Error> DraftFile::refused(std::string_view what, int error) const {
  return fail(ErrorCode::io,
              fmt::format("{}: a file can't be {} there: {}", folder_.string(), what, std::strerror(error)));
}

Result<DraftFile> DraftFile::create(const std::filesystem::path& folder, bool to_be_kept) {
  DraftFile draft(system::open_unnamed(folder), folder, {});
  if (draft.fd_ >= 0) return draft;
  std::string name = (folder / "unfinished-XXXXXX").string();
  draft.fd_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (draft.fd_ < 0) return draft.refused("made", errno);
  if (to_be_kept)
    draft.name_ = std::move(name);
  else
    ::unlink(name.c_str());
  return draft;
}

DraftFile::~DraftFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

Result<void> DraftFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return refused("written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> DraftFile::keep_as(const std::filesystem::path& path) {
  if (::fsync(fd_) != 0) return refused("written", errno);
  if (!name_.empty()) {
    if (std::rename(name_.c_str(), path.c_str()) != 0) return refused("named", errno);
    name_.clear();
    return {};
  }
  if (const std::error_code error = system::name_unnamed(fd_, path); error && error != std::errc::file_exists)
    return refused("named", error.value());
  return {};
}

}  // namespace leitong
