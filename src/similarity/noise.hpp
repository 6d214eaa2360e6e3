// Checks whether one of two texts is the other one with wrong letters all over it, as character recognition
// produces them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "similarity/rule.hpp"
#include "similarity/spread.hpp"
#include "text/units.hpp"

namespace leitong {

/// Wrong letters all over a text break most of its shingles, and so the rule refuses it. But the order of the
/// text, its length, some single shingles and most of the letters of each word remain. Rewriting, in
/// contrast, replaces words. So the letters of a text with noise are far more similar to those of the other
/// text than its units are, which is hardly true of a rewritten text. The values were chosen on recognised
/// newspapers and on labelled sets without noise (docs/methods.md). Letters are known only for the Latin
/// script: in a script whose characters are units the two measures are equal.
struct NoiseRule {
  static constexpr std::uint32_t kShingles = 64;  ///< least distinct shingles of the smaller text
  static constexpr double kJaccard = .10;         ///< at least
  /// The least ratio of the units of the shorter text to those of the longer one.
  static constexpr double kLength = .90;
  /// Most units of the longer text, since the time is quadratic.
  static constexpr std::uint32_t kMostUnits = 1 << 15;
  /// So many stretches of each text must hold a shingle of the other text.
  static constexpr Spread kEven{.stretches = .65, .one_of = kStretch};
  /// The least mean number of letters of a unit. It is 2 for Latin words with an even number of letters.
  static constexpr double kLettersOfUnit = 1.60;
  static constexpr double kLetters = .72;      ///< least edit similarity of the letters
  static constexpr std::size_t kHead = 1'024;  ///< letters at the beginning of both, which are compared first
  /// The least similarity of these; with less, the whole texts are not compared.
  static constexpr double kHeadLetters = .60;
  /// The greatest ratio of the distance of the letters to the distance of the units.
  static constexpr double kDistance = .75;
};

/// True if texts with noise can be similar by the rule: it is no single measure and not the strict rule.
[[nodiscard]] bool allows_noise(const Rule& rule) noexcept;

/// True if the sizes allow that a pair, which the rule refuses, is one text with noise. `shared` of `na` and
/// `nb` distinct shingles are common.
[[nodiscard]] bool may_have_noise(std::size_t units_a, std::size_t units_b, std::size_t shared,
                                  std::size_t na, std::size_t nb) noexcept;

/// False if the text surely has too few letters for letters_alike() to accept it, as in Chinese. O(units).
[[nodiscard]] bool may_have_letters(std::span<const Unit> units) noexcept;

/// The edit similarity of the letters of two texts, or 0 if they are not one text with noise. REQUIRES a pair
/// whose sizes fulfil may_have_noise(), and whose texts share as much as kEven requires. O(d n / 64) for n
/// letters of which d differ.
[[nodiscard]] double letters_alike(std::span<const Unit> a, std::span<const Unit> b);

/// Checks all conditions at once, for a pair whose features are not needed elsewhere. `set_a` and `set_b` are
/// the shingle sets.
[[nodiscard]] double noisy_likeness(std::span<const Unit> a, std::span<const std::uint32_t> set_a,
                                    std::span<const Unit> b, std::span<const std::uint32_t> set_b,
                                    std::size_t shared);

/// Marks the pair as decided by the letters of the two texts, if the second decision does not refuse it.
/// `likeness` is the result of letters_alike().
void set_noisy(VerifiedPair& pair, double likeness) noexcept;

}  // namespace leitong
