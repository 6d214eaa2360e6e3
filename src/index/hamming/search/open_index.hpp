// Searches an index without changing it.
#pragma once

#include <filesystem>
#include <optional>

#include "index/hamming/search/snapshot.hpp"
#include "leitong/scheme.hpp"

namespace leitong::hamming {

/// The bits of the fingerprints in an index: a level file, or the folder of a HammingIndex.
Result<unsigned> index_bits(const std::filesystem::path& path);

/// The scheme of the fingerprints; nothing if the index does not know it. Fails as Level::open() does.
Result<std::optional<SchemeId>> index_scheme(const std::filesystem::path& path);

/// Opens either of them for searches. A folder's index is the state of its last flush; it may be open
/// elsewhere, and merges there do not disturb a snapshot. Fails as Level::open() does.
template <Fingerprint F>
Result<Snapshot<F>> open_index(const std::filesystem::path& path, Residence residence);

}  // namespace leitong::hamming
