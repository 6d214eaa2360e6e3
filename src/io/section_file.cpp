#include "io/section_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/packing.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

static_assert(std::endian::native == std::endian::little, "sections are mapped as they are");

constexpr std::size_t kAlignment = 64;
constexpr std::array<char, 8> kSectionMagic = {'l', 'e', 'i', 't', 'o', 'n', 'g', '\n'};
constexpr std::array<char, 8> kEndMagic = {'\n', 'g', 'n', 'o', 't', 'i', 'e', 'l'};

struct Header {
  std::array<char, 8> magic;
  std::array<char, kMaxKindName> kind;
  std::uint32_t version;
  std::uint32_t chunk;
};
struct Entry {
  std::array<char, kMaxSectionName> name;
  std::uint64_t offset, size;
};
struct Trailer {
  std::uint64_t table;  // its offset
  std::uint64_t sections;
  std::uint64_t checksum;  // XXH3 of the table, seeded with its offset + its sections
  std::array<char, 8> magic;
};
static_assert(sizeof(Header) == 32 && sizeof(Entry) == 40 && sizeof(Trailer) == 32);

template <std::size_t N>
std::array<char, N> padded(std::string_view name) {
  std::array<char, N> result{};
  std::copy(name.begin(), name.end(), result.begin());
  return result;
}

template <std::size_t N>
std::string_view unpadded(const std::array<char, N>& name) {
  return {name.data(), static_cast<std::size_t>(std::find(name.begin(), name.end(), '\0') - name.begin())};
}

/// A name in a form for messages, whatever bytes it has.
std::string printable(std::string_view name) {
  std::string shown(name);
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return shown;
}

std::uint64_t table_checksum(std::string_view table, std::uint64_t offset, std::uint64_t sections) {
  return XXH3_64bits_withSeed(table.data(), table.size(), offset + sections);
}

tl::unexpected<Error> open_failure(const std::filesystem::path& path, int error) {
  return fail(error == ENOENT ? ErrorCode::not_found : ErrorCode::io,
              fmt::format("{}: can't be opened: {}", path.string(), std::strerror(error)));
}

std::uint64_t chunks_before(std::uint64_t table) { return (table + kSectionChunk - 1) / kSectionChunk; }

}  // namespace

Result<SectionWriter> SectionWriter::create(ByteSink sink, std::string_view kind, std::uint32_t version) {
  if (kind.empty() || kind.size() > kMaxKindName)
    return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" can't name a kind of file", kind));
  SectionWriter writer;
  writer.sink_ = std::move(sink);
  const Header header{kSectionMagic, padded<kMaxKindName>(kind), version, kSectionChunk};
  LEITONG_TRY(writer.put(value_bytes(header)));
  return writer;
}

Result<void> SectionWriter::put(std::string_view bytes) {
  size_ += bytes.size();
  LEITONG_TRY(sink_(bytes));
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kSectionChunk - chunk_.size());
    chunk_ += part;
    bytes.remove_prefix(part.size());
    if (chunk_.size() < kSectionChunk) break;
    checksums_.push_back(XXH3_64bits(chunk_.data(), chunk_.size()));
    chunk_.clear();
  }
  return {};
}

Result<void> SectionWriter::pad() {
  static constexpr std::array<char, kAlignment> kZeros{};
  return put({kZeros.data(), (kAlignment - size_ % kAlignment) % kAlignment});
}

Result<void> SectionWriter::begin(std::string_view section) {
  if (section.empty() || section.size() > kMaxSectionName)
    return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" can't name a section", section));
  LEITONG_TRY(pad());
  sections_.push_back({std::string(section), size_, 0});
  return {};
}

Result<void> SectionWriter::append(std::string_view bytes) {
  sections_.back().size += bytes.size();
  return put(bytes);
}

Result<void> SectionWriter::finish() {
  LEITONG_TRY(pad());
  if (!chunk_.empty()) checksums_.push_back(XXH3_64bits(chunk_.data(), chunk_.size()));
  std::string table;
  for (const Section& section : sections_)
    table += value_bytes(Entry{padded<kMaxSectionName>(section.name), section.offset, section.size});
  table.append(reinterpret_cast<const char*>(checksums_.data()), checksums_.size() * sizeof(std::uint64_t));
  const Trailer trailer{size_, sections_.size(), table_checksum(table, size_, sections_.size()), kEndMagic};
  LEITONG_TRY(sink_(table));
  return sink_(value_bytes(trailer));
}

tl::unexpected<Error> SectionFile::damaged(std::uint64_t offset, std::string_view what) const {
  return fail(ErrorCode::corrupt,
              fmt::format("{}: {} at offset {}; {}", path_.string(), what, offset, advice_));
}

Result<SectionFile> SectionFile::open(const std::filesystem::path& path, std::string_view kind,
                                      std::uint32_t version, std::string_view advice) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return open_failure(path, errno);
  auto file = open(fd, path, kind, version, advice);
  ::close(fd);
  return file;
}

Result<SectionFile> SectionFile::open(int fd, const std::filesystem::path& path, std::string_view kind,
                                      std::uint32_t version, std::string_view advice) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
    return open_failure(path, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  SectionFile file;
  file.path_ = path;
  file.advice_ = advice;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < sizeof(Header) + sizeof(Trailer)) return file.damaged(size, "the file ends too early");
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) return open_failure(path, errno);
  file.data_ = static_cast<const std::byte*>(mapped);
  file.size_ = size;

  const auto& header = *reinterpret_cast<const Header*>(file.data_);
  if (header.magic != kSectionMagic)
    return fail(
        ErrorCode::corrupt,
        fmt::format("{}: is no file of leitong's, or a compressed one; such are mapped, so unpack it first",
                    path.string()));
  if (header.kind != padded<kMaxKindName>(kind))
    return fail(ErrorCode::corrupt, fmt::format("{}: is a file of kind \"{}\", not \"{}\"", path.string(),
                                                printable(unpadded(header.kind)), kind));
  if (header.version != version)
    return fail(ErrorCode::unsupported,
                fmt::format("{}: has version {} of the format, this program reads version {}; {}",
                            path.string(), header.version, version, advice));
  if (header.chunk != kSectionChunk) return file.damaged(offsetof(Header, chunk), "a damaged header");

  const std::uint64_t end = size - sizeof(Trailer);
  Trailer trailer{};
  std::memcpy(&trailer, file.data_ + end, sizeof trailer);
  if (trailer.magic != kEndMagic) return file.damaged(size, "the file was cut short or never finished");
  if (trailer.table < sizeof(Header) || trailer.table > end || trailer.table % kAlignment != 0 ||
      trailer.sections > (end - trailer.table) / sizeof(Entry) ||
      end - trailer.table !=
          trailer.sections * sizeof(Entry) + chunks_before(trailer.table) * sizeof(std::uint64_t))
    return file.damaged(end, "a damaged trailer");
  const std::string_view table(reinterpret_cast<const char*>(file.data_) + trailer.table,
                               end - trailer.table);
  if (trailer.checksum != table_checksum(table, trailer.table, trailer.sections))
    return file.damaged(trailer.table, "a damaged table of sections");
  const std::span entries(reinterpret_cast<const Entry*>(table.data()), trailer.sections);
  for (const Entry& entry : entries)
    if (entry.offset % kAlignment != 0 || entry.offset > trailer.table ||
        entry.size > trailer.table - entry.offset)
      return file.damaged(trailer.table, "a section that lies outside");
  file.table_ = trailer.table;
  file.sections_ = static_cast<std::uint32_t>(trailer.sections);
  file.checked_ = std::make_unique<std::atomic<std::uint64_t>[]>(chunks_before(trailer.table) / 64 + 1);
  return file;
}

SectionFile::SectionFile(SectionFile&& other) noexcept
    : path_(std::move(other.path_)),
      advice_(other.advice_),
      data_(std::exchange(other.data_, nullptr)),
      size_(other.size_),
      table_(other.table_),
      sections_(other.sections_),
      checked_(std::move(other.checked_)) {}

SectionFile& SectionFile::operator=(SectionFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(advice_, other.advice_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(table_, other.table_);
  std::swap(sections_, other.sections_);
  std::swap(checked_, other.checked_);
  return *this;
}

SectionFile::~SectionFile() {
  if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

Result<std::span<const std::byte>> SectionFile::find(std::string_view name, std::size_t unit) const {
  const std::span entries(reinterpret_cast<const Entry*>(data_ + table_), sections_);
  for (const Entry& entry : entries) {
    if (unpadded(entry.name) != name) continue;
    if (entry.size % unit != 0) return damaged(entry.offset, "a section of an odd size");
    return std::span(data_ + entry.offset, entry.size);
  }
  return damaged(table_, fmt::format("section \"{}\" is missing", name));
}

Result<void> SectionFile::check_chunk(std::size_t chunk) const {
  const std::uint64_t bit = std::uint64_t{1} << (chunk % 64);
  if (checked_[chunk / 64].load(std::memory_order_relaxed) & bit) return {};
  const std::uint64_t begin = chunk * kSectionChunk;
  const std::uint64_t bytes = std::min<std::uint64_t>(kSectionChunk, table_ - begin);
  std::uint64_t expected = 0;
  std::memcpy(&expected, data_ + table_ + sections_ * sizeof(Entry) + chunk * sizeof expected,
              sizeof expected);
  if (XXH3_64bits(data_ + begin, bytes) != expected)
    return damaged(begin, fmt::format("damaged data in the {} bytes", bytes));
  checked_[chunk / 64].fetch_or(bit, std::memory_order_relaxed);
  return {};
}

Result<void> SectionFile::check(std::span<const std::byte> bytes) const {
  if (bytes.empty()) return {};
  const auto begin = static_cast<std::size_t>(bytes.data() - data_);
  for (std::size_t chunk = begin / kSectionChunk; chunk <= (begin + bytes.size() - 1) / kSectionChunk;
       ++chunk)
    LEITONG_TRY(check_chunk(chunk));
  return {};
}

Result<void> SectionFile::verify() const {
  for (std::size_t chunk = 0; chunk < chunks_before(table_); ++chunk) LEITONG_TRY(check_chunk(chunk));
  return {};
}

}  // namespace leitong
