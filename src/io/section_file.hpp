// Files that are mapped instead of read: named sections of plain arrays with checksums, which open at once at
// any size.
//
// Layout, little-endian (docs/format.md has all bytes): a header, the sections at multiples of 64 bytes, a
// table of sections and of one checksum for each chunk of 64 KiB before it, a trailer. It is written from
// front to back, so any sink can be used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/try.hpp"
#include "leitong/byte_sink.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The bytes of one checksum.
inline constexpr std::size_t kSectionChunk = std::size_t{1} << 16;
/// Longest name of a kind of file, and of a section.
inline constexpr std::size_t kMaxKindName = 16, kMaxSectionName = 24;

/// Writes such a file: begin() a section, append() to it, and so on; finish() once. The call that meets the
/// first error of the sink returns it.
class SectionWriter {
 public:
  /// `kind` names the kind of file ("dictionary"), `version` the layout of its sections.
  static Result<SectionWriter> create(ByteSink sink, std::string_view kind, std::uint32_t version);
  /// Ends the previous section, if there is one.
  Result<void> begin(std::string_view section);
  Result<void> append(std::string_view bytes);
  /// The whole section in one call. `T` has no padding.
  template <class T>
  Result<void> section(std::string_view name, std::span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    LEITONG_TRY(begin(name));
    return append({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  Result<void> finish();

 private:
  struct Section {
    std::string name;
    std::uint64_t offset, size;
  };
  SectionWriter() = default;
  Result<void> put(std::string_view bytes);
  Result<void> pad();

  ByteSink sink_;
  std::uint64_t size_ = 0;
  std::vector<Section> sections_;
  std::string chunk_;  // the bytes since the last full chunk
  std::vector<std::uint64_t> checksums_;
};

/// Such a file, mapped read-only and shared with other processes. Thread-safe.
class SectionFile {
 public:
  static constexpr std::string_view kMakeAnew = "make the file anew";

  /// Checks the header, the trailer and the table, for any size of file: no section is read. Fails with
  /// not_found or io; with corrupt (naming file and offset) for a file that is cut short, damaged there or of
  /// another kind; with unsupported for another version. `advice`: how to repair such a file, for messages;
  /// it must live as long.
  static Result<SectionFile> open(const std::filesystem::path& path, std::string_view kind,
                                  std::uint32_t version, std::string_view advice = kMakeAnew);
  /// The same for an open file, whose name is only for messages. The caller keeps the descriptor.
  static Result<SectionFile> open(int fd, const std::filesystem::path& path, std::string_view kind,
                                  std::uint32_t version, std::string_view advice = kMakeAnew);
  SectionFile(SectionFile&& other) noexcept;
  SectionFile& operator=(SectionFile&& other) noexcept;
  SectionFile(const SectionFile&) = delete;
  SectionFile& operator=(const SectionFile&) = delete;
  ~SectionFile();

  /// The section as an array. Fails with corrupt if it is missing or no whole number of T. Its bytes are not
  /// verified: see check() and verify().
  template <class T>
  [[nodiscard]] Result<std::span<const T>> section(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T>);
    LEITONG_ASSIGN(const std::span<const std::byte> bytes, find(name, sizeof(T)));
    return std::span<const T>(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
  }

  /// Verifies the checksums of the chunks that hold `bytes`, a part of this file, each once in the life of
  /// this object: for answers that must never come from damaged bytes. Later calls test one bit for each
  /// chunk.
  Result<void> check(std::span<const std::byte> bytes) const;
  /// Verifies the checksums of all chunks. O(size), at some 10 GB/s from memory.
  Result<void> verify() const;

  /// Header and sections: everything that has a checksum of its own.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, table_}; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  SectionFile() = default;
  Result<std::span<const std::byte>> find(std::string_view name, std::size_t unit) const;
  Result<void> check_chunk(std::size_t chunk) const;
  [[nodiscard]] tl::unexpected<Error> damaged(std::uint64_t offset, std::string_view what) const;

  std::filesystem::path path_;
  std::string_view advice_ = kMakeAnew;
  const std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t table_ = 0;  // end of the sections
  std::uint32_t sections_ = 0;
  mutable std::unique_ptr<std::atomic<std::uint64_t>[]> checked_;  // one bit for each chunk
};

}  // namespace leitong
