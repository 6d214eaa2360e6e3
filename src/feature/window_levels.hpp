// The shingles that winnowing chooses by a window and by all its doublings, in one pass.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Makes the choice of shingles secret: who doesn't know the seed can't tell which shingles of a text are
/// chosen, and so can't edit just these.
using SelectionSeed = std::array<std::uint32_t, 3>;

/// A shingle that some window chooses.
struct ChosenShingle {
  std::uint32_t place;  ///< of its first unit
  /// The widest window that chooses it is `window` << level.
  std::uint32_t level;
};

/// Working space of window_levels(), one per thread.
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

/// Winnowing (winnow.hpp, with a seeded selection hash) by the windows w, 2w, 4w, .. at once. A window
/// chooses the smallest hash in it, so a shingle is chosen by a window of so many shingles as lie between the
/// next smaller hash on its left and the one on its right, and by all narrower ones. Replaces `chosen`, in no
/// order that means anything; of neighbours with equal hashes one stands for all. Texts shorter than k units
/// have none; one shorter than a window has its smallest shingle, at level 0. O(n): every shingle is opened
/// and closed once (the stack of all nearest smaller values).
void window_levels(std::span<const Unit> units, std::size_t k, std::size_t window, const SelectionSeed& seed,
                   WindowLevelScratch& scratch, PodVector<ChosenShingle>& chosen);

}  // namespace leitong
