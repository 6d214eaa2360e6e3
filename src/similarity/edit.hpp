// Edit distance over 32-bit symbols (Levenshtein 1965; bit-parallel after Myers 1999 and Hyyro 2003, banded
// after Ukkonen 1985).
//
// leitong's edit measure uses units (text/units.hpp), not code points: so case, width, script variants and
// punctuation are folded as for every other measure, and two texts do not differ because of their quotation
// marks alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// Unit-cost edit distance (insertion, deletion, substitution), or nothing if it exceeds `cutoff`. At most
/// O(|a| |b| / 64) words, O(d max / 64) where the distance d or the cutoff is small. Memory: O(|a| + |b|). At
/// most 2^32 - 2 symbols each.
[[nodiscard]] std::optional<std::size_t> edit_distance(std::span<const std::uint32_t> a,
                                                       std::span<const std::uint32_t> b,
                                                       std::size_t cutoff = SIZE_MAX);

/// Returns 1 - distance / max(|a|, |b|), and 1 for two empty texts. A similarity below `at_least` is returned
/// as 0, which takes less time.
[[nodiscard]] double edit_similarity(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                     double at_least = 0);

/// The fewest edits that turn one text into another, followed from the end. Two bits are kept for each cell
/// of Levenshtein's table. Keeps working space, so each thread needs its own.
class EditPath {
 public:
  /// The last step of the fewest edits: both texts end with the same symbol, or the last symbol is replaced,
  /// removed from the first text or added to it.
  enum class Step { equal, replace, remove, add };

  /// Finds the fewest edits. Returns their number, or nothing if it exceeds `cutoff`. O(|a| |b| / 64). The
  /// texts must not move while steps are asked for. REQUIRES: neither is empty.
  std::optional<std::size_t> find(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                  std::size_t cutoff);
  /// The last step from the first `i` symbols of the first text to the first `j` of the other one. If several
  /// steps are equally good, it is the first one in the order of `Step`. REQUIRES: i, j > 0; the last find()
  /// returned a number.
  [[nodiscard]] Step last(std::size_t i, std::size_t j) const noexcept;

 private:
  struct Slot {
    std::uint32_t symbol, number;  // number 0: the slot is free
  };
  void number_rows();
  [[nodiscard]] Slot& slot_of(std::uint32_t symbol) noexcept {
    std::size_t i = symbol * 0x9E3779B1U >> shift_;
    while (slots_[i].number != 0 && slots_[i].symbol != symbol) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }

  std::span<const std::uint32_t> a_, b_;
  std::size_t words_ = 0;  // words of a column
  PodVector<Slot> slots_;  // numbers of the symbols of `a`, from 1
  unsigned shift_ = 0;
  PodVector<std::uint64_t> matches_;              // for each number the rows that hold the symbol; none for 0
  PodVector<std::uint64_t> positive_, negative_;  // vertical differences of the column
  PodVector<std::uint64_t> across_, above_;  // for each cell: as much as the cell across; one more than above
};

}  // namespace leitong
