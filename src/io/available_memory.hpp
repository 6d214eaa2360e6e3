// How much memory could the system give?
#pragma once

#include <cstdint>

namespace leitong {

/// Bytes that a process could take now without swapping: what the system says is available, or what is left
/// of the limit of the process's control group, if that is less. UINT64_MAX where neither can be told.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace leitong
