#include "corpus/source_list.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "corpus/foreign_file.hpp"
#include "corpus/record_format.hpp"
#include "io/read_file.hpp"

namespace leitong {
namespace {

std::uint64_t bytes_of(const struct stat& status) {
  return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

/// Files that Spark, Hadoop and the libraries of datasets put into a folder of data, and that hold none.
bool is_beside_data(std::string_view name, bool has_arrow_files) {
  for (const std::string_view known :
       {"_SUCCESS", "_metadata", "_common_metadata", "_temporary", "dataset_dict.json"})
    if (name == known) return true;
  if (name.starts_with("_started_") || name.starts_with("_committed_")) return true;
  return has_arrow_files && (name == "state.json" || name == "dataset_info.json");
}

}  // namespace

bool ends_run(const Error& error, const Source& source) noexcept {
  return error.code == ErrorCode::cancelled || (error.code != ErrorCode::corrupt && !source.listed);
}

tl::unexpected<Error> error_at(std::string_view path, const Error& error) {
  if (error.code == ErrorCode::cancelled) return tl::unexpected<Error>(error);
  return fail(error.code, fmt::format("{}: {}", path == "-" ? "standard input" : path,
                                      without_path(error.message, path)));
}

/// A file below a folder, or something that cannot be one.
struct SourceList::Found {
  std::string path;
  std::uint64_t size = 0;
  std::string why;  // why it cannot be read; empty for a file
};

/// Lists folders one after another, never nested, so that neither the depth nor the number of folders takes
/// descriptors or stack. Folders behind links come last, when all real folders are known.
class SourceList::FolderWalk {
 public:
  Result<std::vector<Found>> list(const std::string& root, const struct stat& status) {
    seen_.insert({status.st_dev, status.st_ino});
    folders_.push_back(root);
    while (!folders_.empty() || !links_.empty()) {
      if (folders_.empty()) follow_link();
      while (!folders_.empty()) {
        const std::string folder = std::move(folders_.back());
        folders_.pop_back();
        LEITONG_TRY(list_one(folder));
      }
    }
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.path < b.path; });
    return std::move(found_);
  }

 private:
  struct Link {
    std::string path;
    std::pair<dev_t, ino_t> folder;
    bool operator<(const Link& other) const { return path < other.path; }
  };

  void follow_link() {
    const Link link = *links_.begin();
    links_.erase(links_.begin());
    if (seen_.insert(link.folder).second) folders_.push_back(link.path);
  }

  Result<void> list_one(const std::string& path) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), &::closedir);
    if (!folder) {
      Error error = system_refused(path, "listed", errno);
      if (error.code == ErrorCode::limit) return tl::unexpected<Error>(std::move(error));
      found_.push_back({path, 0, without_path(std::move(error.message), path)});
      return {};
    }
    const std::string prefix = path.ends_with('/') ? path : path + "/";
    std::vector<std::string> names;
    bool has_arrow_files = false;
    errno = 0;
    while (const dirent* item = ::readdir(folder.get())) {
      if (item->d_name[0] != '.') names.emplace_back(item->d_name);
      has_arrow_files |= std::string_view(item->d_name).ends_with(".arrow");
      errno = 0;
    }
    const int error = errno;
    for (const std::string& name : names)
      if (!is_beside_data(name, has_arrow_files)) add(prefix + name);
    errno = error;
    if (errno != 0)
      found_.push_back({path, 0, std::string("can't be listed to its end: ") + std::strerror(errno)});
    return {};
  }

  void add(std::string path) {
    struct stat status {
    }, own{};
    if (::stat(path.c_str(), &status) != 0) {
      found_.push_back({std::move(path), 0, std::strerror(errno)});
    } else if (S_ISREG(status.st_mode)) {
      found_.push_back({std::move(path), bytes_of(status), {}});
    } else if (!S_ISDIR(status.st_mode)) {
      found_.push_back(
          {std::move(path), 0, "not a file but a pipe, socket or device; name it itself to read it"});
    } else if (::lstat(path.c_str(), &own) == 0 && S_ISLNK(own.st_mode)) {
      links_.insert({std::move(path), {status.st_dev, status.st_ino}});
    } else if (seen_.insert({status.st_dev, status.st_ino}).second) {
      folders_.push_back(std::move(path));
    }
  }

  std::vector<Found> found_;
  std::vector<std::string> folders_;  // to be listed
  std::set<Link> links_;              // to folders, followed in the order of their paths
  std::set<std::pair<dev_t, ino_t>> seen_;
};

Result<void> SourceList::add(const std::string& path, const RecordFormat* format, bool reference,
                             bool found) {
  struct stat status {};
  if (path == "-") {
    has_pipe_ |= ::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode);
    add_source(path, format, reference, false, found, bytes_of(status));
    return {};
  }
  if (::stat(path.c_str(), &status) != 0 || ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) {
    const int error = errno;
    if (!found)
      return fail(error == ENOENT || error == ENOTDIR ? ErrorCode::not_found : ErrorCode::io,
                  fmt::format("{}: can't be read: {}", path.empty() ? "\"\"" : path, std::strerror(error)));
    add_broken(path, reference, std::strerror(error));
  } else if (S_ISDIR(status.st_mode)) {
    std::string folder = path;
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    LEITONG_ASSIGN(std::vector<Found> files, FolderWalk().list(folder, status));
    for (Found& file : files) {
      if (file.why.empty())
        add_source(file.path, format, reference, true, true, file.size);
      else
        add_broken(file.path, reference, std::move(file.why));
    }
  } else {
    has_pipe_ |= !S_ISREG(status.st_mode);
    add_source(path, format, reference, S_ISREG(status.st_mode), found, bytes_of(status));
  }
  return {};
}

void SourceList::add_given(std::string_view name, const RecordFormat* format, const FileStamp& stamp) {
  add_source(name, format, true, false, false, stamp.size);
  sources_.back().stamp = stamp;
  sources_.back().given = true;
}

void SourceList::add_file(std::string_view path, const FileStamp& stamp) {
  add_source(path, nullptr, false, true, false, stamp.size);
  sources_.back().stamp = stamp;
}

const std::string* SourceList::error(std::uint32_t i) const noexcept {
  const auto found = errors_.find(i);
  return found == errors_.end() ? nullptr : &found->second;
}

void SourceList::add_source(std::string_view path, const RecordFormat* format, bool reference, bool regular,
                            bool listed, std::uint64_t size) {
  if (format == nullptr) format = formats_->by_ending(path);
  if (format == nullptr)
    if (std::string what = foreign_by_name(path); !what.empty())
      return add_broken(path, reference, std::move(what));
  Source source;
  source.path_begin = paths_.size();
  source.path_size = static_cast<std::uint32_t>(path.size());
  source.stamp.size = size;
  source.format = format;
  source.reference = reference;
  source.regular = regular;
  source.listed = listed;
  paths_ += path;
  total_bytes_ += size;
  sources_.push_back(source);
}

void SourceList::add_broken(std::string_view path, bool reference, std::string why) {
  errors_.emplace(size(), std::move(why));
  Source source;
  source.path_begin = paths_.size();
  source.path_size = static_cast<std::uint32_t>(path.size());
  source.reference = reference;
  source.listed = true;
  paths_ += path;
  sources_.push_back(source);
}

Result<SourceList> list_sources(const InputOptions& options) {
  const FormatRegistry& formats = options.formats != nullptr ? *options.formats : standard_formats();
  const RecordFormat* format = nullptr;
  if (!options.kind.empty()) {
    format = formats.by_name(options.kind);
    if (format == nullptr)
      return fail(ErrorCode::invalid_argument, fmt::format("unknown kind of input \"{}\"; choose one of {}",
                                                           options.kind, fmt::join(formats.names(), ", ")));
  }
  SourceList sources(formats);
  for (const std::string& path : options.reference_paths)
    LEITONG_TRY(sources.add(path, format, true, options.found));
  for (const InputOptions::Given& given : options.given_references)
    sources.add_given(given.name, given.format.get(), given.stamp);
  for (const std::string& path : options.paths) LEITONG_TRY(sources.add(path, format, false, options.found));
  return sources;
}

}  // namespace leitong
