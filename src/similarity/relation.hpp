// Names the relation of two similar texts.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/loss.hpp"

namespace leitong {

/// copy: the same except for single letters. same_form: the same except for names, from the title on, or for
/// numbers. version: one of them has more. excerpt: one of them has more, which is over half of its text.
/// reworded: the two say much of it in other words. revision: all others, with scattered edits.
enum class Relation : std::uint8_t { copy, revision, version, excerpt, reworded, same_form };

[[nodiscard]] constexpr std::string_view relation_name(Relation relation) noexcept {
  constexpr std::string_view kNames[] = {"copy", "revision", "version", "excerpt", "reworded", "same_form"};
  return kNames[static_cast<std::size_t>(relation)];
}

/// The relation of two similar texts of so many units, by what the other text lacks of the first one. What
/// the first text lacks of the other is estimated from their lengths, so one alignment suffices. If both are
/// known, pass the loss of the shorter text.
[[nodiscard]] Relation relation_of(const Loss& loss, std::uint32_t units, std::uint32_t other_units) noexcept;

/// The relation if both losses are known.
[[nodiscard]] Relation relation_of(const PairLosses& losses, std::uint32_t units_a,
                                   std::uint32_t units_b) noexcept;

}  // namespace leitong
