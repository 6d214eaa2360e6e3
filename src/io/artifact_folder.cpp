#include "io/artifact_folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/try.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAbout = "about", kLock = "lock", kEnding = ".stage", kUnfinished = ".part";

tl::unexpected<Error> system_failure(const fs::path& path, std::string_view what) {
  return fail(ErrorCode::io, fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

Result<void> write_whole(const fs::path& path, std::string_view bytes) {
  fs::path unfinished = path;
  unfinished += kUnfinished;
  std::ofstream file(unfinished, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) return system_failure(path, "can't be written");
  if (::rename(unfinished.c_str(), path.c_str()) != 0) return system_failure(path, "can't be put in place");
  return {};
}

std::map<std::string, std::string> lines_by_name(const std::string& about) {
  std::map<std::string, std::string> lines;
  for (std::size_t begin = 0, end; begin < about.size(); begin = end + 1) {
    end = std::min(about.find('\n', begin), about.size());
    const std::string line = about.substr(begin, end - begin);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    lines[line.substr(0, tab)] = line.substr(std::min(tab + 1, line.size()));
  }
  return lines;
}

/// The differences in words, at most a few.
std::string differences(const std::string& there, const std::string& here) {
  constexpr std::size_t kMost = 4;
  const auto theirs = lines_by_name(there);
  auto ours = lines_by_name(here);
  std::vector<std::string> found;
  for (const auto& [name, value] : theirs) {
    const auto own = ours.find(name);
    const std::string now = own == ours.end() ? "none" : own->second;
    if (own != ours.end()) ours.erase(own);
    if (value != now) found.push_back(fmt::format("{} was {}, is {}", name, value, now));
  }
  for (const auto& [name, value] : ours) found.push_back(fmt::format("{} was none, is {}", name, value));
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i) text += (i > 0 ? "; " : "") + found[i];
  if (found.size() > kMost) text += fmt::format("; and {} more", found.size() - kMost);
  return text;
}

}  // namespace

struct ArtifactWriter::Target {
  explicit Target(fs::path path)
      : place(std::move(path)),
        unfinished(place.string() + std::string(kUnfinished)),
        file(unfinished, std::ios::binary) {}
  Result<void> write(std::string_view bytes) {
    if (file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return {};
    return system_failure(place, "can't be written");
  }
  Result<void> put_in_place() {
    file.close();
    if (!file) return system_failure(place, "can't be written");
    if (::rename(unfinished.c_str(), place.c_str()) != 0)
      return system_failure(place, "can't be put in place");
    return {};
  }

  fs::path place, unfinished;
  std::ofstream file;
};

ArtifactWriter::ArtifactWriter(std::unique_ptr<Target> target, SectionWriter sections)
    : target_(std::move(target)), sections_(std::make_unique<SectionWriter>(std::move(sections))) {}
ArtifactWriter::ArtifactWriter(ArtifactWriter&&) noexcept = default;
ArtifactWriter& ArtifactWriter::operator=(ArtifactWriter&&) noexcept = default;
ArtifactWriter::~ArtifactWriter() = default;

Result<void> ArtifactWriter::finish() {
  LEITONG_TRY(sections_->finish());
  return target_->put_in_place();
}

/// Held during the life of the process: the system releases it even after a kill.
struct ArtifactFolder::Lock {
  explicit Lock(int opened) : descriptor(opened) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { ::close(descriptor); }
  int descriptor;
};

ArtifactFolder::ArtifactFolder(fs::path path, std::unique_ptr<Lock> lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}
ArtifactFolder::ArtifactFolder(ArtifactFolder&&) noexcept = default;
ArtifactFolder& ArtifactFolder::operator=(ArtifactFolder&&) noexcept = default;
ArtifactFolder::~ArtifactFolder() = default;

Result<ArtifactFolder> ArtifactFolder::open(fs::path path, const std::string& about) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!fs::is_directory(path, error))
    return fail(ErrorCode::io, fmt::format("{}: can't make the folder of stages", path.string()));
  const bool known = fs::exists(path / kAbout, error);
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    // Beside a lock, an unfinished "about" may remain from an earlier run.
    if (!known && name != kLock && name != std::string(kAbout) + std::string(kUnfinished))
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: the folder holds other files ({}); choose a new or empty one",
                              path.string(), name));
  }
  const int descriptor = ::open((path / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return system_failure(path / kLock, "can't be opened");
  auto lock = std::make_unique<Lock>(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    return fail(ErrorCode::io, fmt::format("{}: another run is using this folder", path.string()));
  if (known) {
    std::ifstream file(path / kAbout, std::ios::binary);
    const std::string there{std::istreambuf_iterator<char>(file), {}};
    if (there != about)
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: the stages in this folder are of another run: {}. Choose another folder, or "
                      "remove this one",
                      path.string(), differences(there, about)));
  } else {
    LEITONG_TRY(write_whole(path / kAbout, about));
  }
  return ArtifactFolder(std::move(path), std::move(lock));
}

bool ArtifactFolder::has(std::string_view name) const {
  std::error_code error;
  return fs::exists(path_ / fmt::format("{}{}", name, kEnding), error);
}

Result<ArtifactWriter> ArtifactFolder::begin(std::string_view name, std::string_view kind,
                                             std::uint32_t version) const {
  auto target = std::make_unique<ArtifactWriter::Target>(path_ / fmt::format("{}{}", name, kEnding));
  LEITONG_ASSIGN(
      SectionWriter sections,
      SectionWriter::create([into = target.get()](std::string_view bytes) { return into->write(bytes); },
                            kind, version));
  return ArtifactWriter(std::move(target), std::move(sections));
}

Result<void> ArtifactFolder::write(std::string_view name, std::string_view kind, std::uint32_t version,
                                   const std::function<Result<void>(SectionWriter&)>& fill) const {
  LEITONG_ASSIGN(ArtifactWriter writer, begin(name, kind, version));
  LEITONG_TRY(fill(writer.sections()));
  return writer.finish();
}

Result<SectionFile> ArtifactFolder::read(std::string_view name, std::string_view kind,
                                         std::uint32_t version) const {
  LEITONG_ASSIGN(SectionFile file,
                 SectionFile::open(path_ / fmt::format("{}{}", name, kEnding), kind, version));
  LEITONG_TRY(file.verify());
  return file;
}

Result<void> ArtifactFolder::remove(std::string_view name) const {
  std::error_code error;
  fs::remove(path_ / fmt::format("{}{}", name, kEnding), error);
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't remove {}: {}", path_.string(), name, error.message()));
  return {};
}

Result<void> ArtifactFolder::clear() {
  std::error_code error;
  std::vector<fs::path> own;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error))
    if (const fs::path ending = entry.path().extension(); ending == kEnding || ending == kUnfinished)
      own.push_back(entry.path());
  // "about" is deleted after the artifacts, so that a folder that a kill leaves half-cleared still belongs to
  // its run.
  own.push_back(path_ / kAbout);
  own.push_back(path_ / kLock);
  for (const fs::path& path : own)
    if (fs::remove(path, error); error)
      return fail(ErrorCode::io, fmt::format("{}: can't be removed: {}", path.string(), error.message()));
  return {};
}

}  // namespace leitong
