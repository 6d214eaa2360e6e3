// Decides whether two texts are the same work with scattered edits or two works in one frame, by the runs of
// each that the other text lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "similarity/spread.hpp"

namespace leitong {

/// At least so many consecutive shingles that the other text lacks are an *own run*. Scattered edits make
/// shorter ones, since one edit changes five shingles.
inline constexpr std::uint32_t kOwnRun = 24;

/// What the other text lacks of one text, in positions of its shingles. An end is cut off up to the last own
/// run that begins within a few positions of what was cut off before, so that a chance match in the text
/// around an article does not count as the article.
struct OwnRuns {
  std::uint32_t positions = 0;    ///< all positions of the text
  std::uint32_t own = 0;          ///< positions in own runs
  std::uint32_t lead = 0;         ///< positions that are cut off at the beginning
  std::uint32_t tail = 0;         ///< positions that are cut off at the end
  std::uint32_t own_between = 0;  ///< in own runs between the two ends

  [[nodiscard]] std::uint32_t rest() const noexcept { return positions - lead - tail; }
};

/// `ordered` are the shingle hashes of a text in its order; `other` is the shingle set of the other text.
/// O(n).
[[nodiscard]] OwnRuns own_runs(std::span<const std::uint32_t> ordered, const HashLookup& other);

/// True for the same work: in neither text do own runs make up 15 % of the positions. Different content in
/// the same frame makes long ones on both sides. Does not check whether the two are similar at all.
[[nodiscard]] bool is_same_work(const OwnRuns& a, const OwnRuns& b) noexcept;

/// True if a text with such runs can be the same work as the other one or a reprint, whatever the runs of the
/// other one are.
[[nodiscard]] bool may_be_same_work(const OwnRuns& runs) noexcept;

/// True if a text of `positions` that shares `shared` distinct shingles surely has too few own runs to be
/// another work. Then own_runs() need not be called.
[[nodiscard]] bool has_few_own(std::size_t positions, std::size_t shared) noexcept;

/// True for a work that both texts hold in different surroundings: the rest without the ends is at least half
/// of each text and the same work. The rest also lies inside of both texts (at least 24 positions and 5 %
/// before and after it, at most 40 % together), or is long (1,200 positions). A frame lies at an edge of the
/// text, a reprinted article inside it.
[[nodiscard]] bool is_reprint(const OwnRuns& a, const OwnRuns& b) noexcept;

/// The same if the two are known to come from different sites: then the position of the work in the two does
/// not matter.
[[nodiscard]] bool is_reprint_of_sites(const OwnRuns& a, const OwnRuns& b) noexcept;

/// True if two texts are the same work, or if `reprint(runs of a, runs of b)` is true. `a` and `b` are the
/// shingle hashes in text order, of which `shared` distinct ones are shared. set_a() and set_b() return the
/// HashLookup of each and are called as late as possible.
template <class SetOfA, class SetOfB, class Reprint>
[[nodiscard]] bool are_same_work(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                 std::size_t shared, SetOfA set_a, SetOfB set_b, Reprint reprint) {
  // The longer text has more own text, so it alone may show that they are not the same work.
  if (a.size() < b.size()) return are_same_work(b, a, shared, set_b, set_a, reprint);
  if (has_few_own(a.size(), shared) && has_few_own(b.size(), shared)) return true;
  const OwnRuns own_a = own_runs(a, set_b());
  if (!may_be_same_work(own_a)) return false;
  const OwnRuns own_b = own_runs(b, set_a());
  return is_same_work(own_a, own_b) || reprint(own_a, own_b);
}

}  // namespace leitong
