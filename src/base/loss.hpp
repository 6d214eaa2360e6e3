// What one text lacks of another one: a value that is stored with a pair.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace leitong {

/// A reworded unit counts as this part of a lost one, because most of its meaning remains.
inline constexpr double kRewordedPart = .3;

/// What one text lacks of another one (similarity/loss.hpp), in units.
struct Loss {
  std::uint32_t own = 1;   ///< units of the text outside templates; at least a tenth of all, and at least 1
  std::uint32_t lost = 0;  ///< of these, units that stand nowhere in the other text
  std::uint32_t reworded = 0;      ///< of these, units that the other text replaces by others
  std::uint32_t in_stretches = 0;  ///< lost units in long stretches
  std::uint32_t longest = 0;       ///< units of the longest lost stretch
  std::uint32_t longest_at = 0;    ///< its first unit
  std::uint32_t numbers = 0;       ///< numbers that the other text replaces by other ones
  bool renamed = false;      ///< the two differ in a name from the title on (similarity/name_change.hpp)
  bool other_signs = false;  ///< the two are copies that differ in signs that are text (text/signs.hpp)

  /// The lost units as a share of the text's own units, at most 1.
  [[nodiscard]] double share() const noexcept {
    return std::min(1.0, (lost + kRewordedPart * reworded) / own);
  }
  /// The reworded units as such a share.
  [[nodiscard]] double reworded_share() const noexcept {
    return std::min(1.0, static_cast<double>(reworded) / static_cast<double>(own));
  }
  /// The units lost in long stretches as such a share.
  [[nodiscard]] double stretch_share() const noexcept {
    return static_cast<double>(in_stretches) / static_cast<double>(own);
  }
  /// The fields for tables, in the order of their columns.
  static constexpr std::array<std::uint32_t Loss::*, 6> counts() {
    return {&Loss::own, &Loss::lost, &Loss::reworded, &Loss::in_stretches, &Loss::longest, &Loss::numbers};
  }
  bool operator==(const Loss&) const = default;
};

/// The losses of a pair, if they were computed.
struct PairLosses {
  std::optional<Loss> a = {};  ///< what b lacks of a
  std::optional<Loss> b = {};  ///< what a lacks of b
};

}  // namespace leitong
