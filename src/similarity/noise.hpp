// Is one of two texts the other one with wrong letters all over it, as character recognition leaves them?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "similarity/rule.hpp"
#include "similarity/spread.hpp"
#include "text/units.hpp"

namespace leitong {

/// Wrong letters all over a text break most of its shingles, and so the rule refuses it. But what they leave
/// tells them from rewriting: the order of the text, its length, a shingle here and there, and most of the
/// letters of each word. Rewriting replaces words. So the letters of a text with noise are far nearer to
/// those of the other one than its units are, and those of a rewritten text hardly are. Chosen on recognised
/// newspapers and on labelled sets without noise (docs/methods.md). Letters are known of Latin script alone:
/// in a script whose characters are units the two measures are one.
struct NoiseRule {
  static constexpr std::uint32_t kShingles = 64;  ///< distinct ones of the smaller text, at least
  static constexpr double kJaccard = .10;         ///< at least
  static constexpr double kLength = .90;          ///< units of the shorter text to those of the longer one
  static constexpr std::uint32_t kMostUnits = 1
                                              << 15;  ///< of the longer text: the distance grows with squares
  /// Of the stretches of either text so many hold a shingle of the other one.
  static constexpr Spread kEven{.stretches = .65, .one_of = kStretch};
  static constexpr double kLettersOfUnit =
      1.60;  ///< in the mean, at least: 2 where all is Latin letters in words of even length
  static constexpr double kLetters = .72;      ///< edit similarity of the letters, at least
  static constexpr std::size_t kHead = 1'024;  ///< letters that both begin with, which are compared first:
  static constexpr double kHeadLetters = .60;  ///< at least, or the whole texts are not compared
  static constexpr double kDistance = .75;     ///< distance of the letters to that of the units, at most
};

/// Does the rule leave room for texts with noise? It does where it is no single measure, and not the strict
/// one.
[[nodiscard]] bool allows_noise(const Rule& rule) noexcept;

/// Can a pair that the rule refuses be one text with noise, by its sizes alone? `shared` of `na` and `nb`
/// distinct shingles are common.
[[nodiscard]] bool may_have_noise(std::size_t units_a, std::size_t units_b, std::size_t shared,
                                  std::size_t na, std::size_t nb) noexcept;

/// The edit similarity of the letters of two texts, or 0 if they are not one text with noise. REQUIRES a pair
/// of which the sizes may_have_noise() and both texts are shared by kEven. O(d n / 64) for n letters of which
/// d differ.
[[nodiscard]] double letters_alike(std::span<const Unit> a, std::span<const Unit> b);

/// All conditions at once, for a pair whose features nobody else needs. `set_a`, `set_b`: the shingle sets.
[[nodiscard]] double noisy_likeness(std::span<const Unit> a, std::span<const std::uint32_t> set_a,
                                    std::span<const Unit> b, std::span<const std::uint32_t> set_b,
                                    std::size_t shared);

/// Says that the letters of the two make the pair, if the second decision does not refuse it. `likeness`: of
/// letters_alike().
void set_noisy(VerifiedPair& pair, double likeness) noexcept;

}  // namespace leitong
