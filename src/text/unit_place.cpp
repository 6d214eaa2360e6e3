#include "text/unit_place.hpp"

#include <algorithm>
#include <vector>

#include "text/compared_text.hpp"
#include "text/units.hpp"

namespace leitong {

ByteRange place_of_units(std::string_view text, std::size_t begin, std::size_t end, const Folding& folding) {
  const ComparedText compared(text, folding.numbers);
  const std::string_view utf8 = compared.text();
  PodVector<Unit> units;
  // White space only separates, so the units of a text are the units of its parts between white space.
  constexpr std::size_t kPart = std::size_t{1} << 8;  // bytes, and more up to white space
  std::size_t before = 0, from = 0;                   // units and bytes before the first unit
  std::size_t seen = 0, at = 0;                       // units and bytes of the parts that were examined
  while (at < utf8.size() && seen < end) {
    const std::size_t space = utf8.find_first_of(" \n", at + kPart);
    const std::size_t next = space == std::string_view::npos ? utf8.size() : space + 1;
    fold_units(utf8.substr(at, next - at), folding.marks, units);
    seen += units.size();
    at = next;
    if (seen <= begin) before = seen, from = at;
  }
  std::vector<ByteRange> places;
  fold_units_with_places(utf8.substr(from, at - from), folding.marks, units, places);
  if (begin - before >= places.size()) return {text.size(), text.size()};
  const std::size_t last = std::min(end - before, places.size()) - 1;
  return compared.original({from + places[begin - before].begin, from + places[last].end});
}

}  // namespace leitong
