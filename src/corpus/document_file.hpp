// Files that are one document each.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "corpus/batch.hpp"
#include "io/read_file.hpp"

namespace leitong {

/// Reads a whole file into `out`, uncompressed, and tells its stamp. Stops at `max_bytes`, so that a file
/// that unpacks to a thousand times its size costs no more than the largest record that is allowed. Returns
/// what is wrong, or an empty string. `counter` may be null.
[[nodiscard]] std::string load_document_file(const std::string& path, std::uint64_t max_bytes, StopToken stop,
                                             std::atomic<std::uint64_t>* counter, PaddedBytes& out,
                                             FileStamp& stamp);

}  // namespace leitong
