// How much memory the system can give.
#pragma once

#include <cstdint>

namespace leitong {

/// The bytes that a process could allocate now without swapping: the available memory of the system, or the
/// rest of the limit of the process's control group if that is less. UINT64_MAX if neither is known.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace leitong
