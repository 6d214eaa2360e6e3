// What two similar texts are to each other, in a word.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/loss.hpp"

namespace leitong {

/// copy: the same but for single letters. same_form: the same but for names, from the title on, or for
/// numbers. version: one of them has more. excerpt: it has more than half of all more. reworded: the two say
/// much of it in other words. revision: all others, with edits here and there.
enum class Relation : std::uint8_t { copy, revision, version, excerpt, reworded, same_form };

[[nodiscard]] constexpr std::string_view relation_name(Relation relation) noexcept {
  constexpr std::string_view kNames[] = {"copy", "revision", "version", "excerpt", "reworded", "same_form"};
  return kNames[static_cast<std::size_t>(relation)];
}

/// Of two similar texts of so many units, by what the other one lacks of the text. What the text lacks of the
/// other one is what their lengths leave for it, so one alignment tells both: ask that of the shorter text,
/// where both are known.
[[nodiscard]] Relation relation_of(const Loss& loss, std::uint32_t units, std::uint32_t other_units) noexcept;

/// The same where both losses are known.
[[nodiscard]] Relation relation_of(const PairLosses& losses, std::uint32_t units_a,
                                   std::uint32_t units_b) noexcept;

}  // namespace leitong
