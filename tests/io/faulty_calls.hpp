// System calls that fail once, as a disk, a signal or a network file system makes them fail.
#pragma once

#include <cstddef>

namespace leitong::testing {

/// What the next call in this thread fails with (an errno); 0: it is the system's own. A close closes all the
/// same, as on Linux.
struct NextFault {
  int write = 0, close = 0, fsync = 0, renameat2 = 0;
};
inline thread_local NextFault next_fault;

/// How many descriptors this process has open.
std::size_t open_descriptors();

}  // namespace leitong::testing
