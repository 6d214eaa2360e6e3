// Checks whether two texts differ in a name that also stands in their titles. Then they are two works in one
// form, such as the manual pages of two commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/units.hpp"

namespace leitong {

/// The number of units at the beginning of a text within which the name of its subject first occurs.
inline constexpr std::uint32_t kTitleZone = 48;
/// The most units of a title that are examined.
inline constexpr std::uint32_t kTitleUnits = 40;
/// A name changes if the same replacement occurs at least so many times.
inline constexpr std::uint32_t kNameChanges = 2;

/// The number of units of the first sentence or line of a text that has any, at most kTitleUnits. REQUIRES:
/// valid UTF-8. O(its length).
[[nodiscard]] std::uint32_t title_units(std::string_view text, const Folding& folding = {});

/// Counts the replacements of an alignment.
class NameChanges {
 public:
  void clear() {
    changes_.clear();
    numbers_ = 0;
  }
  /// How many replacements were numbers on both sides.
  [[nodiscard]] std::uint32_t numbers() const noexcept { return numbers_; }
  /// Adds stretches that replace each other in two texts: units `a` to `a_end` of the first, `b` to `b_end`
  /// of the second. They count if both have 1 to 8 units; if all of these are numbers, they count as numbers.
  /// A stretch of one unit is extended by a neighbour, either the one before or the one after it.
  void add(std::span<const Unit> first, std::span<const Unit> second, std::uint32_t a, std::uint32_t a_end,
           std::uint32_t b, std::uint32_t b_end);
  /// How often the most frequent replacement was found whose first occurrence is in the title zone of both
  /// texts, and whose sides each occur in their own text at least twice as often as in the other one. Returns
  /// 0 if none was found kNameChanges times. O(n) for each that recurs.
  [[nodiscard]] std::uint32_t most(std::span<const Unit> first, std::span<const Unit> second);

 private:
  struct Change {
    std::uint64_t key;
    std::uint32_t a, a_end, b, b_end;
  };
  std::vector<Change> changes_;
  std::uint32_t numbers_ = 0;
};

}  // namespace leitong
