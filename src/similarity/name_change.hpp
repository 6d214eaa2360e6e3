// Do two texts differ in a name from the title on? Then they are two works in one form: the page of this
// command and the page of that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/units.hpp"

namespace leitong {

/// Units of the beginning of a text, in which a name that the text is about stands for the first time.
inline constexpr std::uint32_t kTitleZone = 48;
/// The longest title that is looked at, in units.
inline constexpr std::uint32_t kTitleUnits = 40;
/// A name changes if one replacement is found so often.
inline constexpr std::uint32_t kNameChanges = 2;

/// Units of the first sentence or line of a text that has any, kTitleUnits at most. REQUIRES: valid UTF-8.
/// O(its length).
[[nodiscard]] std::uint32_t title_units(std::string_view text, const Folding& folding = {});

/// Counts the replacements of an alignment.
class NameChanges {
 public:
  void clear() {
    changes_.clear();
    numbers_ = 0;
  }
  /// How many were all numbers on both sides.
  [[nodiscard]] std::uint32_t numbers() const noexcept { return numbers_; }
  /// Stretches that stand for each other in two texts: units `a` to `a_end` of the one, `b` to `b_end` of the
  /// other one. Counts if both have 1 to 8 units; where these are all numbers, as such. A stretch of one unit
  /// takes a neighbour with it, either the one before or the one behind.
  void add(std::span<const Unit> first, std::span<const Unit> second, std::uint32_t a, std::uint32_t a_end,
           std::uint32_t b, std::uint32_t b_end);
  /// How often the most frequent replacement was found that stands in the title zone of both for the first
  /// time, and of which each text holds its own side at least twice as often as the other text does. 0 if
  /// none was found kNameChanges times. O(n) for each that recurs.
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
