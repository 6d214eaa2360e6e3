// Names the relation of two similar texts.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/loss.hpp"

namespace leitong {

/// copy: the texts differ only in single letters. same_form: they differ only in names, the title included,
/// or only in numbers. version: one of them has additional text. excerpt: one of them has additional text,
/// which is more than half of it. reworded: the two say much in different words. revision: any other pair,
/// with scattered edits.
enum class Relation : std::uint8_t { copy, revision, version, excerpt, reworded, same_form };

[[nodiscard]] constexpr std::string_view relation_name(Relation relation) noexcept {
  constexpr std::string_view kNames[] = {"copy", "revision", "version", "excerpt", "reworded", "same_form"};
  return kNames[static_cast<std::size_t>(relation)];
}

/// The relation of two similar texts of so many units, by what the other text lacks of the first one. What
/// the first text lacks of the other one is estimated from the lengths, so one alignment is enough. If both
/// are known, pass the loss of the shorter text.
[[nodiscard]] Relation relation_of(const Loss& loss, std::uint32_t units, std::uint32_t other_units) noexcept;

/// The relation if both losses are known.
[[nodiscard]] Relation relation_of(const PairLosses& losses, std::uint32_t units_a,
                                   std::uint32_t units_b) noexcept;

}  // namespace leitong
