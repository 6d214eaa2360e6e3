// A simulated disk that fails or loses power, for all files of one folder. This program and RocksDB change
// and read files through functions of the C library, of which these definitions are found first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace leitong::testing {

enum class DiskFault : std::uint8_t {
  none,        ///< calls are only counted
  once,        ///< one call fails
  for_good,    ///< this call and all later ones fail, including reads
  full,        ///< this call and all later writes fail, reads succeed
  power_loss,  ///< the process ends, and a part of what was not synchronised is lost
  kill,        ///< the process is killed; a call that writes bytes is killed after the first half of them
};

enum class DiskCall : std::uint8_t { make, write, sync, rename, remove, other };

/// The exit code of a process that lost power.
inline constexpr int kPowerLost = 99;

/// From now on the files below `folder` are on such a disk, for this process alone; `call`, counted from 1,
/// is the first to fail. With a power loss, the last files that were made since their folder was synchronised
/// are gone. Of the bytes since the last synchronisation a part is kept, chosen by `seed`; if it is `torn`,
/// pages in this part may be zeros. If `only` is given, only calls of this kind count and fail; with `file`,
/// only those on files whose path has this part.
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

/// Takes effect with the next call.
void set_disk_fault(DiskFault fault);
/// The folder is on a usual disk again.
void take_off_faulty_disk();

/// The number of calls on the files of the folder, of those that count.
std::uint64_t disk_calls();

}  // namespace leitong::testing
