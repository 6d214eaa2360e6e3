#include "online/durable_mark.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "base/system.hpp"
#include "base/try.hpp"
#include "io/output_file.hpp"
#include "io/read_file.hpp"
#include "io/staged.hpp"
#include "online/bytes.hpp"

namespace leitong::online {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kManifest = "MANIFEST-";

std::uint64_t mark_hash(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string packed(const Durable& durable) {
  std::string bytes(value_bytes(durable));
  return bytes.append(value_bytes(mark_hash(bytes)));
}
constexpr std::size_t kBytes = sizeof(Durable) + sizeof(std::uint64_t);

fs::path copy_of_manifest(const fs::path& place) { return place / "files"; }

std::optional<std::uint64_t> number_of(std::string_view manifest) {
  std::uint64_t number = 0;
  if (!manifest.starts_with(kManifest)) return std::nullopt;
  const char* const end = manifest.data() + manifest.size();
  const auto [at, error] = std::from_chars(manifest.data() + kManifest.size(), end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

}  // namespace

Result<Durable> read_durable(const fs::path& place) {
  const fs::path path = place / "durable";
  auto bytes = read_whole_file(path, 1 << 10);
  if (!bytes && bytes.error().code == ErrorCode::not_found) return Durable();
  if (!bytes) return tl::unexpected<Error>(std::move(bytes).error());
  Durable latest;
  std::string_view rest = *bytes;
  if (bytes->size() < kBytes) return latest;  // the process that wrote the first state was killed meanwhile
  bool is_whole = false;
  for (; rest.size() >= kBytes; rest.remove_prefix(kBytes)) {
    Durable durable;
    std::string_view one = rest.substr(0, kBytes);
    if (!take_value(one, durable) || packed(durable) != rest.substr(0, kBytes)) continue;
    if (!is_whole || durable.turn > latest.turn) latest = durable;
    is_whole = true;
  }
  if (!is_whole) return fail(ErrorCode::corrupt, fmt::format("{}: is damaged", path.string()));
  return latest;
}

std::string manifest_name(const fs::path& place) {
  std::string name = read_whole_file(place / "texts" / "CURRENT", 1 << 10).value_or("");
  if (!name.ends_with('\n')) return {};
  name.pop_back();
  return number_of(name) ? name : std::string();
}

Result<void> check_manifest(const fs::path& place, const Durable& durable) {
  const fs::path current = place / "texts" / "CURRENT";
  const std::string name = manifest_name(place);
  const std::optional<std::uint64_t> number = number_of(name);
  std::error_code error;
  if (!number || *number < durable.manifest || !fs::exists(place / "texts" / name, error))
    return fail(ErrorCode::corrupt,
                fmt::format("{}: doesn't name the list of the files in its folder", current.string()));
  // The manifest is a new one; the last writer was killed before it noted this.
  if (*number != durable.manifest) return {};
  const fs::path path = place / "texts" / name;
  LEITONG_ASSIGN(const std::string bytes, read_whole_file(path));
  if (bytes.size() < durable.manifest_bytes)
    return fail(ErrorCode::corrupt, fmt::format("{}: ends at byte {} of {}", path.string(), bytes.size(),
                                                durable.manifest_bytes));
  if (mark_hash(std::string_view(bytes).substr(0, durable.manifest_bytes)) != durable.manifest_hash)
    return fail(ErrorCode::corrupt, fmt::format("{}: is damaged within its first {} bytes", path.string(),
                                                durable.manifest_bytes));
  return {};
}

Result<void> restore_manifest(const fs::path& place) {
  // A damaged file says nothing about the manifest.
  const Durable durable = read_durable(place).value_or(Durable());
  const auto put = [](const fs::path& path, std::string_view bytes) -> Result<void> {
    LEITONG_ASSIGN(const auto file, OutputFile::create(path, true));
    LEITONG_TRY(file->write(bytes));
    return file->commit();
  };
  if (durable.manifest == 0 || check_manifest(place, durable)) return {};
  const std::string copy = read_whole_file(copy_of_manifest(place)).value_or("");
  if (copy.size() != durable.manifest_bytes || mark_hash(copy) != durable.manifest_hash) return {};
  const std::string name = fmt::format("{}{:06}", kManifest, durable.manifest);
  LEITONG_TRY(put(place / "texts" / name, copy));
  return put(place / "texts" / "CURRENT", name + "\n");
}

Result<bool> holds_index(const fs::path& place) {
  const fs::path folder = place / "texts";
  std::error_code error;
  if (fs::exists(folder / "CURRENT", error)) return true;
  const auto missing = [&]() -> Result<bool> {
    return fail(ErrorCode::corrupt, fmt::format("{}: is missing, and other files of an index are there",
                                                (folder / "CURRENT").string()));
  };
  LEITONG_ASSIGN(const Durable durable, read_durable(place));
  if (durable.write > 0) return missing();
  // RocksDB makes these after CURRENT.
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (const fs::path kind = entry.path().extension(); kind == ".sst" || kind == ".log") return missing();
  return false;
}

Result<std::unique_ptr<DurableMark>> DurableMark::open(const fs::path& place) {
  const fs::path path = place / "durable";
  std::unique_ptr<DurableMark> mark(new DurableMark(place));
  // An unreadable file is replaced, because the caller repairs the index.
  mark->state_ = read_durable(place).value_or(Durable());
  mark->file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const auto size = mark->file_ < 0 ? off_t{-1} : ::lseek(mark->file_, 0, SEEK_END);
  const bool as_long = size >= static_cast<off_t>(kBytes);
  if (size < 0 ||
      (!as_long && (::ftruncate(mark->file_, 0) != 0 || !mark->put() || ::fsync(mark->file_) != 0)))
    return fail(ErrorCode::io, fmt::format("{}: can't be written: {}", path.string(), std::strerror(errno)));
  if (!as_long) LEITONG_TRY(sync_folder_of(path));
  return mark;
}

DurableMark::~DurableMark() {
  if (file_ >= 0) ::close(file_);
}

bool DurableMark::put() const {
  const std::string bytes = packed(state_);
  const auto place = static_cast<off_t>(state_.turn % 2 * kBytes);
  return ::pwrite(file_, bytes.data(), bytes.size(), place) == static_cast<ssize_t>(bytes.size());
}

void DurableMark::note(std::uint64_t write) {
  state_.write = write;
  ++state_.turn;
  look_at_manifest();
  static_cast<void>(put());
}

// RocksDB may be writing to the manifest, so its end need not be durable yet.
void DurableMark::look_at_manifest() {
  const std::string name = manifest_name(place_);
  const std::optional<std::uint64_t> number = number_of(name);
  const fs::path path = place_ / "texts" / name;
  std::error_code error;
  if (!number || (*number == state_.manifest && fs::file_size(path, error) == state_.manifest_bytes)) return;
  const auto bytes = read_whole_file(path);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (bytes && file >= 0 && !system::sync_content(file)) {
    std::ofstream(copy_of_manifest(place_), std::ios::binary) << *bytes;
    state_.manifest = *number;
    state_.manifest_bytes = bytes->size();
    state_.manifest_hash = mark_hash(*bytes);
  }
  if (file >= 0) ::close(file);
}

}  // namespace leitong::online
