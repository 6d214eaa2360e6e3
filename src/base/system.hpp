// Every call that only Linux has, each with what other systems have in its place. Other sources call POSIX
// and the standard library alone, so that a port to another system is a matter of this one file.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>

namespace leitong::system {

/// The file of the program that runs; empty if the system does not say.
[[nodiscard]] std::filesystem::path program_file();

/// Opens a new file in `folder` that has no name, for reading and writing by this user alone. Returns a
/// descriptor, or -1 where the file system has no such files.
[[nodiscard]] int open_unnamed(const std::filesystem::path& folder) noexcept;
/// Names a file of open_unnamed(). Fails with file_exists if the name is taken.
[[nodiscard]] std::error_code name_unnamed(int descriptor, const std::filesystem::path& path);
/// Renames a file in one step, but never onto another one. Fails with file_exists, or with invalid_argument
/// where the file system has no such call.
[[nodiscard]] std::error_code rename_to_new(const std::filesystem::path& from,
                                            const std::filesystem::path& to) noexcept;

/// The content of a file, and what is needed to read it again, is on the disk afterwards.
[[nodiscard]] std::error_code sync_content(int descriptor) noexcept;
/// Everything below `folder` is on the disk afterwards.
[[nodiscard]] std::error_code sync_tree(const std::filesystem::path& folder);

/// Says that a file will be read from its beginning to its end.
void expect_sequential_reads(int descriptor) noexcept;
/// The time of a file's last change, in nanoseconds since 1970.
[[nodiscard]] std::int64_t changed_at(const struct stat& status) noexcept;
/// Asks for the most that a pipe may hold without privileges.
void widen_pipe(int descriptor) noexcept;

/// A datagram socket of this machine, which programs that are started do not inherit; -1 with errno.
[[nodiscard]] int open_local_datagrams() noexcept;

/// What came of shared_lock().
enum class Lock {
  held,
  held_here,  ///< somebody in this process has a lock that excludes it
  refused,    ///< somebody in another process has one
  failed,     ///< errno says why
};
/// Locks a whole file for reading, for the open descriptor and not for the process.
[[nodiscard]] Lock shared_lock(int descriptor) noexcept;

/// Fills `out` with random bytes that nobody can foresee; at most 256 bytes.
void fill_random(void* out, std::size_t size) noexcept;

/// From this many bytes on an array goes back to the system as soon as it is freed; of smaller ones at most
/// `most_kept` bytes stay with each thread, and new pages are asked for `at_once`. 0: as the allocator
/// decides.
void bound_freed_memory(std::size_t returned_from, std::size_t most_kept, std::size_t at_once = 0) noexcept;
/// Gives freed memory back to the system now.
void return_freed_memory() noexcept;
/// Asks for large pages below these addresses, which begin at a page.
void prefer_huge_pages(void* begin, std::size_t bytes) noexcept;

/// Bytes that a process could take now without swapping: what the system says is available, or what is left
/// of the limit of the process's control group, if that is less. UINT64_MAX where neither can be told.
[[nodiscard]] std::uint64_t available_memory();
/// Bytes of this process that are in memory, and its open descriptors; nothing where the system does not say.
[[nodiscard]] std::optional<std::uint64_t> resident_bytes();
[[nodiscard]] std::optional<std::size_t> open_descriptors();

}  // namespace leitong::system
