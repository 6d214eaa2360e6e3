#include "corpus/source_list.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "corpus/corpus.hpp"

namespace leitong {
namespace {

// A path can't be longer than what the system takes; deeper folders are reported, not followed.
constexpr std::size_t kDeepestFolder = 1000;

std::uint64_t bytes_of(const struct stat& status) {
  return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

}  // namespace

Result<void> SourceList::add(const std::string& path, InputKind kind, bool reference, bool found) {
  struct stat status {};
  if (path == "-") {
    has_pipe_ |= ::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode);
    add_source(path, kind, reference, false, bytes_of(status));
    return {};
  }
  if (::stat(path.c_str(), &status) != 0 || ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) {
    const int error = errno;
    if (!found)
      return fail(error == ENOENT || error == ENOTDIR ? ErrorCode::not_found : ErrorCode::io,
                  fmt::format("{}: can't be read: {}", path.empty() ? "\"\"" : path, std::strerror(error)));
    add_broken(path, reference, std::strerror(error));
  } else if (S_ISDIR(status.st_mode)) {
    std::vector<Ancestor> ancestors{{status.st_dev, status.st_ino}};
    std::string folder = path;
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    add_folder(folder, kind, reference, ancestors);
  } else {
    has_pipe_ |= !S_ISREG(status.st_mode);
    add_source(path, kind, reference, S_ISREG(status.st_mode), bytes_of(status));
  }
  return {};
}

const std::string* SourceList::error(std::uint32_t i) const noexcept {
  const auto found = errors_.find(i);
  return found == errors_.end() ? nullptr : &found->second;
}

Source& SourceList::add_source(std::string_view path, InputKind kind, bool reference, bool regular,
                               std::uint64_t size) {
  Source source;
  source.path_begin = paths_.size();
  source.path_size = static_cast<std::uint32_t>(path.size());
  source.stamp.size = size;
  source.kind = kind == InputKind::automatic ? kind_of_name(path) : kind;
  source.reference = reference;
  source.regular = regular;
  paths_ += path;
  total_bytes_ += size;
  return sources_.emplace_back(source);
}

void SourceList::add_broken(std::string_view path, bool reference, std::string why) {
  errors_.emplace(size(), std::move(why));
  add_source(path, InputKind::text, reference, false, 0);
}

void SourceList::add_folder(const std::string& path, InputKind kind, bool reference,
                            std::vector<Ancestor>& ancestors) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), &::closedir);
  if (!folder) return add_broken(path, reference, std::string("can't be listed: ") + std::strerror(errno));

  struct Entry {
    std::string name;  // a folder's ends in "/", which makes the order of names the order of whole paths
    struct stat status;
    int error;
  };
  std::vector<Entry> entries;
  const std::string prefix = path.ends_with('/') ? path : path + "/";
  errno = 0;
  while (const dirent* item = ::readdir(folder.get())) {
    if (item->d_name[0] == '.') continue;
    Entry entry{item->d_name, {}, 0};
    if (::stat((prefix + entry.name).c_str(), &entry.status) != 0) entry.error = errno;
    if (entry.error == 0 && S_ISDIR(entry.status.st_mode)) entry.name += '/';
    entries.push_back(std::move(entry));
    errno = 0;
  }
  if (errno != 0)
    add_broken(path, reference, std::string("can't be listed to its end: ") + std::strerror(errno));
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });

  for (const Entry& entry : entries) {
    std::string whole = prefix + entry.name;
    if (entry.error != 0) {
      add_broken(whole, reference, std::strerror(entry.error));
    } else if (S_ISREG(entry.status.st_mode)) {
      add_source(whole, kind, reference, true, bytes_of(entry.status)).listed = true;
    } else if (!S_ISDIR(entry.status.st_mode)) {
      add_broken(whole, reference, "not a file but a pipe, socket or device; name it itself to read it");
    } else {
      const Ancestor self{entry.status.st_dev, entry.status.st_ino};
      if (std::find(ancestors.begin(), ancestors.end(), self) != ancestors.end()) {
        continue;  // a link back up: all that lies there is being listed already
      }
      whole.pop_back();
      if (ancestors.size() == kDeepestFolder) {
        add_broken(whole, reference, "folders are nested too deep");
        continue;
      }
      ancestors.push_back(self);
      add_folder(whole, kind, reference, ancestors);
      ancestors.pop_back();
    }
  }
}

Result<SourceList> list_sources(const InputOptions& options) {
  SourceList sources;
  for (const std::string& path : options.reference_paths)
    LEITONG_TRY(sources.add(path, options.kind, true, options.found));
  for (const std::string& path : options.paths)
    LEITONG_TRY(sources.add(path, options.kind, false, options.found));
  return sources;
}

}  // namespace leitong
