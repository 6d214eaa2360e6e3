// Searching an index without changing it.
#pragma once

#include <filesystem>
#include <optional>

#include "index/hamming/search/snapshot.hpp"
#include "leitong/scheme.hpp"

namespace leitong::hamming {

/// Bits of the fingerprints in an index: a level file, or a HammingIndex's folder.
Result<unsigned> index_bits(const std::filesystem::path& path);

/// Who made them; nothing where the index doesn't know. Fails as Level::open() does.
Result<std::optional<SchemeId>> index_scheme(const std::filesystem::path& path);

/// Opens either for searches. A folder's index is what was flushed last; it may be open elsewhere, and merges
/// there don't disturb a snapshot. Fails as Level::open() does.
template <Fingerprint F>
Result<Snapshot<F>> open_index(const std::filesystem::path& path, Residence residence);

}  // namespace leitong::hamming
