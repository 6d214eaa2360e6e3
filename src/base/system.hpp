// All calls that only Linux has, each with an alternative for other systems. Other sources use only POSIX and
// the standard library, so that a port concerns only this file.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>

namespace leitong::system {

/// The file of the running program; empty if the system does not tell.
[[nodiscard]] std::filesystem::path program_file();

/// Opens a new nameless file in `folder`, for reading and writing by this user only. Returns a descriptor, or
/// -1 if the file system has no such files.
[[nodiscard]] int open_unnamed(const std::filesystem::path& folder) noexcept;
/// Names a file of open_unnamed(). Fails with file_exists if the name is taken.
[[nodiscard]] std::error_code name_unnamed(int descriptor, const std::filesystem::path& path);
/// Renames a file atomically, but never onto another one. Fails with file_exists, or with invalid_argument if
/// the file system has no such call.
[[nodiscard]] std::error_code rename_to_new(const std::filesystem::path& from,
                                            const std::filesystem::path& to) noexcept;

/// Makes the content of a file, and what is needed to read it again, durable.
[[nodiscard]] std::error_code sync_content(int descriptor) noexcept;
/// Makes everything below `folder` durable.
[[nodiscard]] std::error_code sync_tree(const std::filesystem::path& folder);

/// Announces that a file will be read from its beginning to its end.
void expect_sequential_reads(int descriptor) noexcept;
/// The time of a file's last change, in nanoseconds since 1970.
[[nodiscard]] std::int64_t changed_at(const struct stat& status) noexcept;
/// Sets the capacity of a pipe to the most that is allowed without privileges.
void widen_pipe(int descriptor) noexcept;

/// A local datagram socket that child programs do not inherit; -1 with errno.
[[nodiscard]] int open_local_datagrams() noexcept;

/// The result of shared_lock().
enum class Lock {
  held,
  held_here,  ///< this process has a lock that excludes it
  refused,    ///< another process has one
  failed,     ///< errno says why
};
/// Locks a whole file for reading, for the open descriptor instead of the process.
[[nodiscard]] Lock shared_lock(int descriptor) noexcept;

/// Fills `out` with unpredictable random bytes; at most 256 bytes.
void fill_random(void* out, std::size_t size) noexcept;

/// An array of at least `returned_from` bytes is returned to the system as soon as it is freed; of smaller
/// ones each thread keeps at most `most_kept` bytes; new pages are requested `at_once`. 0: the allocator
/// decides.
void bound_freed_memory(std::size_t returned_from, std::size_t most_kept, std::size_t at_once = 0) noexcept;
void return_freed_memory() noexcept;
/// Requests large pages for these addresses, which begin at a page.
void prefer_huge_pages(void* begin, std::size_t bytes) noexcept;

/// Bytes that a process can take now without swapping: what the system says is available, or the rest of the
/// limit of the process's control group, if that is less. UINT64_MAX if neither can be told.
[[nodiscard]] std::uint64_t available_memory();
/// The resident bytes of this process, and the number of its open descriptors; nothing if the system does not
/// tell.
[[nodiscard]] std::optional<std::uint64_t> resident_bytes();
[[nodiscard]] std::optional<std::size_t> open_descriptors();

}  // namespace leitong::system
