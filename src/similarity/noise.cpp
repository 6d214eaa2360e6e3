#include "similarity/noise.hpp"

#include <algorithm>
#include <cmath>

#include "base/pod_vector.hpp"
#include "feature/shingles.hpp"
#include "similarity/bar.hpp"
#include "similarity/edit.hpp"
#include "text/letters.hpp"

namespace leitong {
namespace {

using N = NoiseRule;

bool has_letters(std::span<const Unit> units, std::span<const std::uint32_t> letters) {
  return static_cast<double>(letters.size()) >= N::kLettersOfUnit * static_cast<double>(units.size());
}

}  // namespace

bool allows_noise(const Rule& rule) noexcept {
  return !rule.measure && rule.passage_units == 0 && rule.rare_text;
}

bool may_have_noise(std::size_t units_a, std::size_t units_b, std::size_t shared, std::size_t na,
                    std::size_t nb) noexcept {
  const auto [shorter, longer] = std::minmax(units_a, units_b);
  return std::min(na, nb) >= N::kShingles && longer <= N::kMostUnits &&
         static_cast<double>(shorter) >= N::kLength * static_cast<double>(longer) &&
         jaccard_of(shared, na, nb) >= N::kJaccard;
}

bool may_have_letters(std::span<const Unit> units) noexcept {
  // The unit of two letters has more than 16 bits (text/units.hpp), and all others stand for one letter.
  const auto pairs = std::ranges::count_if(units, [](Unit unit) { return unit > UINT16_MAX; });
  const auto letters = static_cast<double>(units.size()) + static_cast<double>(pairs);
  return letters >= N::kLettersOfUnit * static_cast<double>(units.size());
}

double letters_alike(std::span<const Unit> a, std::span<const Unit> b) {
  PodVector<std::uint32_t> letters_a, letters_b;
  letters_of(a, letters_a);
  letters_of(b, letters_b);
  if (!has_letters(a, letters_a) || !has_letters(b, letters_b)) return 0;
  const auto length = static_cast<double>(std::max(letters_a.size(), letters_b.size()));
  // Most pairs that reach this point have no noise, and their beginnings show it.
  const auto head = [](std::span<const std::uint32_t> letters) {
    return letters.first(std::min(letters.size(), N::kHead));
  };
  if (edit_similarity(head(letters_a), head(letters_b), N::kHeadLetters) < N::kHeadLetters) return 0;
  const auto distance =
      edit_distance(letters_a, letters_b, static_cast<std::size_t>((1 - N::kLetters) * length));
  if (!distance) return 0;
  const double part = static_cast<double>(*distance) / length;
  // If the letters are so much more similar than the units, at least so many units differ.
  const auto units = static_cast<std::size_t>(
      std::ceil(part / N::kDistance * static_cast<double>(std::max(a.size(), b.size()))));
  if (units > 0 && edit_distance(a, b, units - 1)) return 0;
  return 1 - part;
}

double noisy_likeness(std::span<const Unit> a, std::span<const std::uint32_t> set_a, std::span<const Unit> b,
                      std::span<const std::uint32_t> set_b, std::size_t shared) {
  if (!may_have_noise(a.size(), b.size(), shared, set_a.size(), set_b.size())) return 0;
  PodVector<std::uint32_t> ordered;
  shingle_hashes(a, ordered);
  if (!is_shared(ordered, HashLookup(set_b), N::kEven)) return 0;
  shingle_hashes(b, ordered);
  if (!is_shared(ordered, HashLookup(set_a), N::kEven)) return 0;
  return letters_alike(a, b);
}

void set_noisy(VerifiedPair& pair, double likeness) noexcept {
  pair.measure = Measure::edit;
  pair.score = static_cast<float>(likeness);
  pair.standing = PairStanding::aside;
}

}  // namespace leitong
