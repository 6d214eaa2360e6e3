#include "text/unit_place.hpp"

#include <algorithm>
#include <vector>

#include "text/units.hpp"

namespace leitong {

ByteRange place_of_units(std::string_view utf8, std::size_t begin, std::size_t end) {
  PodVector<Unit> units;
  // A line feed only separates, so the units of a text are those of its lines, one after the other.
  constexpr std::size_t kLines = std::size_t{1} << 11;  // bytes, up to the end of a line
  std::size_t before = 0, from = 0;                     // units and bytes before the first unit
  std::size_t seen = 0, at = 0;                         // those of the lines read so far
  while (at < utf8.size() && seen < end) {
    const std::size_t feed = utf8.find('\n', at + kLines);
    const std::size_t next = feed == std::string_view::npos ? utf8.size() : feed + 1;
    to_units(utf8.substr(at, next - at), units);
    seen += units.size();
    at = next;
    if (seen <= begin) before = seen, from = at;
  }
  std::vector<ByteRange> places;
  to_units_with_places(utf8.substr(from, at - from), units, places);
  if (begin - before >= places.size()) return {utf8.size(), utf8.size()};
  const std::size_t last = std::min(end - before, places.size()) - 1;
  return {from + places[begin - before].begin, from + places[last].end};
}

}  // namespace leitong
