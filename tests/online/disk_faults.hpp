// A disk that fails or loses power, below all files of one folder. The functions of the C library by which
// this program and RocksDB change and read files are found here first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace leitong::testing {

enum class DiskFault : std::uint8_t {
  none,        ///< calls are counted alone
  once,        ///< one call fails
  for_good,    ///< so do all that follow, reads too
  full,        ///< this call and all others that write fail, reads go on
  power_loss,  ///< the process ends, and what was not synchronised is lost in part
  kill,        ///< the process is killed, a call that writes bytes after the first half of them
};

enum class DiskCall : std::uint8_t { make, write, sync, rename, remove, other };

/// What a process that lost power ends with.
inline constexpr int kPowerLost = 99;

/// From now on the files below `folder` lie on such a disk, to this process alone; `call`, from 1 on, is the
/// first to fail. With a power loss the last files that were made since their folder was synchronised are
/// gone, and of the bytes since the last synchronisation a part is there, by `seed`; with a `torn` one pages
/// in this part may be zeros.
/// Where `only` is given, calls of this kind alone count and fail; `file`: and of files whose path has this
/// part.
struct DiskFaults {
  std::filesystem::path folder;
  DiskFault fault = DiskFault::none;
  std::uint64_t call = 0;
  std::uint32_t seed = 0;
  bool torn = false;
  std::optional<DiskCall> only = {};
  std::string file = {};
};
void put_on_faulty_disk(const DiskFaults& faults);

/// From the next call on.
void set_disk_fault(DiskFault fault);
/// The folder is on a disk like any other again.
void take_off_faulty_disk();

/// Calls that changed or read files of the folder, of those that count.
std::uint64_t disk_calls();

}  // namespace leitong::testing
