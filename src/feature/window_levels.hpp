// Finds in one pass the shingles that winnowing chooses for a window and for all windows 2, 4, 8 .. times as
// wide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Makes the choice of shingles secret. Without the seed nobody knows which shingles of a text are chosen, so
/// nobody can edit only these.
using SelectionSeed = std::array<std::uint32_t, 3>;

/// A shingle that at least one window chooses.
struct ChosenShingle {
  std::uint32_t place;  ///< place of its first unit
  /// The widest window that chooses it is `window` << level.
  std::uint32_t level;
};

/// The working space of window_levels(), one for each thread.
struct WindowLevelScratch {
  struct Open {
    std::uint32_t hash, place, begin;
  };
  PodVector<std::uint32_t> selection, other, minima, places;
  PodVector<Open> open;
};

/// The selection hash of each k-unit shingle, in text order. Replaces `hashes`. REQUIRES units.size() >= k.
void seeded_selection(std::span<const Unit> units, std::size_t k, const SelectionSeed& seed,
                      PodVector<std::uint32_t>& other, PodVector<std::uint32_t>& hashes);

/// Does winnowing (winnow.hpp, with a seeded selection hash) for the windows w, 2w, 4w, .. at once. A window
/// chooses the smallest hash in it. So windows choose a shingle if they have at most as many shingles as lie
/// between the next smaller hash on its left and the next smaller hash on its right. Replaces `chosen`, in an
/// order without meaning; of adjacent equal hashes one represents all. Texts shorter than k units have none;
/// a text shorter than a window has its smallest shingle, at level 0. O(n): every shingle is opened and
/// closed once (the stack of all nearest smaller values).
void window_levels(std::span<const Unit> units, std::size_t k, std::size_t window, const SelectionSeed& seed,
                   WindowLevelScratch& scratch, PodVector<ChosenShingle>& chosen);

}  // namespace leitong
