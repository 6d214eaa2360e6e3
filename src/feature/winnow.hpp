// Turns units into winnowed keys: the rare long shingles that lead from a document to its copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// The working space of winnow(), one for each thread.
struct WinnowScratch {
  PodVector<std::uint32_t> selection, minima, other;
};

/// Does winnowing (Schleimer, Wilkerson, Aiken 2003): every window of `window` consecutive k-unit shingles
/// chooses the one with the smallest selection hash (the rightmost among equals), and neighbouring windows
/// with the same smallest hash choose once. Each choice appends one 64-bit key of its k units to `keys`, in
/// text order; a key may occur twice. Texts shorter than k units have none; a text shorter than a window has
/// the key of its smallest shingle. Windows are powers of two, and the selection hash does not depend on
/// them, so the keys of a wide window are among those of a narrow one. Two texts that share a run of k +
/// window - 1 units share a key. The memory is that of a block, not of the document.
void winnow(std::span<const Unit> units, std::size_t k, std::size_t window, WinnowScratch& scratch,
            PodVector<std::uint64_t>& keys);
void winnow(std::span<const Unit> units, std::size_t k, std::size_t window, WinnowScratch& scratch,
            PodVector<std::uint64_t>& keys, Simd level);

}  // namespace leitong
