#include "io/output_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/system.hpp"
#include "base/try.hpp"
#include "io/compression.hpp"
#include "io/encoder.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

/// Small writes are collected up to this size.
constexpr std::size_t kGathered = std::size_t{1} << 20;

tl::unexpected<Error> write_failure(const std::string& name, const char* what, int error) {
  const char* hint = error == ENOSPC || error == EDQUOT || error == EFBIG
                         ? "; no output was left behind, free space or choose another place"
                     : error == EPIPE ? " (the reader has gone)"
                                      : "";
  return fail(ErrorCode::io, fmt::format("{}: can't be {}: {}{}", name, what, std::strerror(error), hint));
}

class PosixOutput final : public OutputFile {
 public:
  /// `temporary` is empty if bytes are written directly to their place.
  PosixOutput(int fd, fs::path path, fs::path temporary, bool force, StopToken stop,
              const OutputFileOptions& options)
      : OutputFile(stop),
        fd_(fd),
        path_(std::move(path)),
        temporary_(std::move(temporary)),
        name_(path_ == "-" ? "standard output" : path_.string()),
        direct_(temporary_.empty()),
        force_(force),
        flushes_(!direct_ && !options.within_folder),
        compression_(options.compression.value_or(compression_of_name(path_.string()))),
        encoder_(make_encoder(compression_)),
        sink_([this](std::string_view bytes) { return gather(bytes); }) {}

  ~PosixOutput() override {
    if (fd_ >= 0) ::close(fd_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  Result<void> write(std::string_view bytes) override {
    if (bytes.empty() && !failed_) return {};
    LEITONG_TRY(stop_.check());
    member_is_empty_ = false;
    return encoder_ ? encoder_->write(bytes, sink_) : gather(bytes);
  }

  Result<void> end_member() override {
    if (!encoder_) return {};
    LEITONG_TRY(encoder_->finish(sink_));
    encoder_ = make_encoder(compression_);
    has_members_ = member_is_empty_ = true;
    return {};
  }

  [[nodiscard]] const std::string& name() const override { return name_; }

  Result<void> finish() override {
    if (encoder_ && !(member_is_empty_ && has_members_)) LEITONG_TRY(encoder_->finish(sink_));
    LEITONG_TRY(put(gathered_));
    gathered_.clear();
    if (flushes_ && ::fsync(fd_) != 0) return write_failure(name_, "written", errno);
    return close_fd();
  }

  [[nodiscard]] Result<void> check_place() const override {
    struct stat status {};
    if (direct_ || ::lstat(path_.c_str(), &status) != 0) return {};
    if (!force_) return appeared_meanwhile();
    if (S_ISDIR(status.st_mode)) return write_failure(name_, "put in place", EISDIR);
    return {};
  }

  Result<void> appear() override {
    if (direct_) return {};
    std::error_code error;
    if (!force_) error = system::rename_to_new(temporary_, path_);
    // Some network file systems have no rename that keeps an existing file.
    if (force_ || (error == std::errc::invalid_argument && ::access(path_.c_str(), F_OK) != 0))
      fs::rename(temporary_, path_, error);
    if (error == std::errc::file_exists) return appeared_meanwhile();
    if (error) return write_failure(name_, "put in place", error.value());
    temporary_.clear();
    return {};
  }

  [[nodiscard]] Result<void> make_durable() const override {
    return flushes_ ? sync_folder_of(path_) : Result<void>{};
  }

 private:
  Result<void> gather(std::string_view bytes) {
    if (failed_) return write_failure(name_, "written", failed_);
    if (gathered_.size() + bytes.size() > kGathered) {
      LEITONG_TRY(put(gathered_));
      gathered_.clear();
    }
    if (bytes.size() >= kGathered) return put(bytes);
    gathered_ += bytes;
    return {};
  }

  Result<void> put(std::string_view bytes) {
    if (failed_) return write_failure(name_, "written", failed_);
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) return write_failure(name_, "written", failed_ = errno);
      if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
      if (!bytes.empty()) LEITONG_TRY(stop_.check());  // the reader of a pipe may be slow
    }
    return {};
  }

  Result<void> close_fd() {
    const int fd = std::exchange(fd_, -1);
    if (::close(fd) != 0 && errno != EINTR) return write_failure(name_, "written", errno);
    return {};
  }

  [[nodiscard]] tl::unexpected<Error> appeared_meanwhile() const {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: appeared during the run and is left as it is", name_));
  }

  int fd_;
  fs::path path_, temporary_;
  std::string name_;
  bool direct_, force_, flushes_;
  Compression compression_;
  int failed_ = 0;  // errno of the first failure
  std::string gathered_;
  std::unique_ptr<Encoder> encoder_;
  bool has_members_ = false;     // complete ones before the present one
  bool member_is_empty_ = true;  // the present one
  Encoder::Sink sink_;
};

Result<std::unique_ptr<OutputFile>> open_directly(const fs::path& path, bool force, StopToken stop,
                                                  const OutputFileOptions& options) {
  const int fd = path == "-" ? ::dup(STDOUT_FILENO) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return write_failure(path == "-" ? "standard output" : path.string(), "written", errno);
  return std::make_unique<PosixOutput>(fd, path, fs::path(), force, stop, options);
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const fs::path& path, bool force, StopToken stop,
                                                       OutputFileOptions options) {
  if (path.empty()) return fail(ErrorCode::invalid_argument, "an output file needs a name");
  if (path == "-") return open_directly(path, force, stop, options);
  fs::path target = path;
  std::error_code unknown;
  struct stat status {};  // of the file behind a link
  const bool replaces = ::stat(path.c_str(), &status) == 0;
  // A link of the system, such as /dev/stdout, may lead to a pipe without a path.
  if (replaces && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    return open_directly(path, force, stop, options);
  if (fs::is_symlink(path, unknown)) {
    target = fs::canonical(path, unknown);
    if (unknown)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: is a link to what isn't there ({}); remove the link first", path.string(),
                              unknown.message()));
  }
  if (replaces) {
    if (S_ISDIR(status.st_mode))
      return fail(ErrorCode::invalid_argument, fmt::format("{}: is a folder; name a file", path.string()));
    if (!force)
      return fail(ErrorCode::invalid_argument, fmt::format("{}: exists; force overwrites it", path.string()),
                  "force");
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    const fs::path temporary = temporary_name(target, attempt);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
    // The new file has the permissions of the old one, even while it is written. If modes cannot be set, only
    // the owner can read it.
    if (fd >= 0 && replaces) (void)::fchmod(fd, status.st_mode & 0777);
    if (fd >= 0) return std::make_unique<PosixOutput>(fd, target, temporary, force, stop, options);
    if (errno == EEXIST) continue;
    if (errno == ENOENT)
      return fail(ErrorCode::not_found,
                  fmt::format("{}: its folder doesn't exist; make it first", path.string()));
    return write_failure(path.string(), "created", errno);
  }
  return write_failure(path.string(), "created", EEXIST);
}

Result<void> OutputFile::commit() {
  Staged* const alone[] = {this};
  return commit_all(alone, stop_);
}

}  // namespace leitong
