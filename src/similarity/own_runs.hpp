// Are two texts the same work, edited here and there, or two works in one frame? Told by the runs that the
// other text lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "similarity/spread.hpp"

namespace leitong {

/// Shingles in a row that the other text lacks, from which they are an *own run*: scattered edits make
/// shorter ones, since one edit changes five shingles.
inline constexpr std::uint32_t kOwnRun = 24;

/// What of one text, in positions of its shingles, the other one lacks. An end is cut off up to the last own
/// run that begins within a few positions of what was cut off before, so that a chance match in the text
/// around an article doesn't count as the article.
struct OwnRuns {
  std::uint32_t positions = 0;    ///< of the text
  std::uint32_t own = 0;          ///< in own runs
  std::uint32_t lead = 0;         ///< cut off at the beginning
  std::uint32_t tail = 0;         ///< cut off at the end
  std::uint32_t own_between = 0;  ///< in own runs of what is left

  [[nodiscard]] std::uint32_t rest() const noexcept { return positions - lead - tail; }
};

/// `ordered`: the shingle hashes of a text in its order; `other`: the shingle set of the other one. O(n).
[[nodiscard]] OwnRuns own_runs(std::span<const std::uint32_t> ordered, const HashLookup& other);

/// The same work: in neither text do own runs make up 15 % of the positions. Other content in the same frame
/// makes long ones on both sides. Does not ask whether the two are similar at all.
[[nodiscard]] bool is_same_work(const OwnRuns& a, const OwnRuns& b) noexcept;

/// Can a text with such runs be the same work as the other one, or a reprint, whatever the other one's are?
[[nodiscard]] bool may_be_same_work(const OwnRuns& runs) noexcept;

/// A text of `positions` of which `shared` distinct shingles are shared: is there no room for so many own
/// runs? Then own_runs() need not be asked.
[[nodiscard]] bool has_few_own(std::size_t positions, std::size_t shared) noexcept;

/// A work that both texts carry in surroundings of their own: what is left without the ends is half of either
/// text and the same work, and stands inside of both (at least 24 positions and 5 % before and behind it, 40
/// % at most together), or is long (1,200 positions). A frame stands at an edge of the text, a reprinted
/// article inside it.
[[nodiscard]] bool is_reprint(const OwnRuns& a, const OwnRuns& b) noexcept;

/// The same where it is known that the two stand on different sites: wherever the work stands in the two.
[[nodiscard]] bool is_reprint_of_sites(const OwnRuns& a, const OwnRuns& b) noexcept;

/// Are two texts the same work, or else what `reprint(runs of a, runs of b)` calls so? `a`, `b`: the shingle
/// hashes in their order, of which `shared` distinct ones are shared; set_a(), set_b(): the HashLookup of
/// each, asked for as late as can be.
template <class SetOfA, class SetOfB, class Reprint>
[[nodiscard]] bool are_same_work(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                 std::size_t shared, SetOfA set_a, SetOfB set_b, Reprint reprint) {
  // The longer one has more of its own, and may show alone that they are not.
  if (a.size() < b.size()) return are_same_work(b, a, shared, set_b, set_a, reprint);
  if (has_few_own(a.size(), shared) && has_few_own(b.size(), shared)) return true;
  const OwnRuns own_a = own_runs(a, set_b());
  if (!may_be_same_work(own_a)) return false;
  const OwnRuns own_b = own_runs(b, set_a());
  return is_same_work(own_a, own_b) || reprint(own_a, own_b);
}

}  // namespace leitong
