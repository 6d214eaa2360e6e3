// What of one text another one lacks: a value that travels with a pair.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace leitong {

/// A reworded unit counts as this part of a lost one: most of what it said is still said.
inline constexpr double kRewordedPart = .3;

/// What of one text another one lacks (similarity/loss.hpp), in units.
struct Loss {
  std::uint32_t own = 1;           ///< units of the text that are no template; a tenth of all at least, and 1
  std::uint32_t lost = 0;          ///< of these, units that stand nowhere in the other text
  std::uint32_t reworded = 0;      ///< of these, units in the place of which the other text has others
  std::uint32_t in_stretches = 0;  ///< of the lost ones, in long stretches
  std::uint32_t longest = 0;       ///< units of the longest lost stretch
  std::uint32_t longest_at = 0;    ///< its first unit
  std::uint32_t numbers = 0;       ///< numbers in the place of which the other text has other ones
  bool renamed = false;      ///< the two differ in a name from the title on (similarity/name_change.hpp)
  bool other_signs = false;  ///< the two are copies that differ in signs that are text (text/signs.hpp)

  /// What is lost as a part of the text's own units, at most 1.
  [[nodiscard]] double share() const noexcept {
    return std::min(1.0, (lost + kRewordedPart * reworded) / own);
  }
  /// Reworded units as such a part.
  [[nodiscard]] double reworded_share() const noexcept {
    return std::min(1.0, static_cast<double>(reworded) / static_cast<double>(own));
  }
  /// What is lost in long stretches.
  [[nodiscard]] double stretch_share() const noexcept {
    return static_cast<double>(in_stretches) / static_cast<double>(own);
  }
  /// What tables tell of a loss, in the order of their columns.
  static constexpr std::array<std::uint32_t Loss::*, 6> counts() {
    return {&Loss::own, &Loss::lost, &Loss::reworded, &Loss::in_stretches, &Loss::longest, &Loss::numbers};
  }
  bool operator==(const Loss&) const = default;
};

/// The losses of a pair, as far as they were asked for.
struct PairLosses {
  std::optional<Loss> a = {};  ///< what b lacks of a
  std::optional<Loss> b = {};  ///< what a lacks of b
};

}  // namespace leitong
