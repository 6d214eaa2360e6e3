#include "leaks/item_shape.hpp"

#include <algorithm>
#include <vector>

#include "base/halves.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kLabels = 8;
constexpr std::size_t kLeastCharacters = 8;
constexpr std::uint32_t kLeastShingles = 4;
constexpr std::uint32_t kShortItem = 12, kLongItem = 60;  // shingles
constexpr double kShareShort = .9, kShareLong = .7;

/// The places of the labels a, b, c.. in their order; none without a and b. The a is the last one before b,
/// since it may be a word, too.
std::vector<std::size_t> label_places(const PodVector<Unit>& units) {
  std::vector<std::size_t> places;
  std::size_t a = units.size();
  for (std::size_t i = 0; i < units.size() && places.size() < kLabels; ++i) {
    if (places.empty()) {
      if (units[i] == label_unit(0)) a = i;
      if (units[i] == label_unit(1) && a < i) places = {a, i};
    } else if (units[i] == label_unit(static_cast<std::uint32_t>(places.size()))) {
      places.push_back(i);
    }
  }
  return places;
}

}  // namespace

void to_item_shape(std::string_view utf8, ItemShape& shape) {
  MaskedUnits line;
  PodVector<Unit> whole;  // masked
  shape.units.clear();
  // A line feed only separates, so the units of a text are those of its lines.
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t end = std::min(utf8.find('\n', at), utf8.size());
    to_masked_units(utf8.substr(at, end - at), line);
    for (const Unit unit : line.units) shape.units.push_back(unit);
    for (const Unit unit : line.masked) whole.push_back(unit);
    whole.push_back(kBreakUnit);
    at = end + 1;
  }
  for (const std::size_t place : label_places(whole)) whole[place] = kBreakUnit;
  shape.parts.clear();
  for (const Unit unit : whole)
    if (unit != kBreakUnit || (!shape.parts.empty() && shape.parts.back() != kBreakUnit))
      shape.parts.push_back(unit);
  shape.window = static_cast<std::uint32_t>(whole.size() + whole.size() / 4 + 4);
  std::vector<std::uint64_t> shingles;
  for (std::size_t i = 0; i + 1 < shape.parts.size(); ++i)
    if (shape.parts[i] != kBreakUnit && shape.parts[i + 1] != kBreakUnit)
      shingles.push_back(join_halves(shape.parts[i], shape.parts[i + 1]));
  std::sort(shingles.begin(), shingles.end());
  shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
  shape.shingles = static_cast<std::uint32_t>(shingles.size());
  shape.worded = static_cast<std::uint32_t>(std::ranges::count_if(shingles, [](std::uint64_t shingle) {
    return high_half(shingle) != kNumberUnit && low_half(shingle) != kNumberUnit;
  }));
}

bool is_long_enough(const ItemShape& shape) {
  std::size_t characters = 0;
  for (const Unit unit : shape.units) characters += (unit & 0x80000000U) != 0 ? 2 : 1;
  return shape.shingles >= kLeastShingles && characters >= kLeastCharacters;
}

double share_for(std::uint32_t shingles) noexcept {
  const double along = (static_cast<double>(shingles) - kShortItem) / (kLongItem - kShortItem);
  return kShareShort + (kShareLong - kShareShort) * std::clamp(along, 0.0, 1.0);
}

}  // namespace leitong
