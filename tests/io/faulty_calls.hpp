// System calls that fail once, as they do because of a disk, a signal or a network file system.
#pragma once

#include <cstddef>

namespace leitong::testing {

/// The errno with which the next call in this thread fails; 0: the call is not changed. A close closes in any
/// case, as on Linux.
struct NextFault {
  int write = 0, close = 0, fsync = 0, renameat2 = 0;
};
inline thread_local NextFault next_fault;

/// The number of open descriptors of this process.
std::size_t open_descriptors();

}  // namespace leitong::testing
