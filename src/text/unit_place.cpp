#include "text/unit_place.hpp"

#include <algorithm>
#include <vector>

#include "text/units.hpp"

namespace leitong {

ByteRange place_of_units(std::string_view utf8, std::size_t begin, std::size_t end) {
  PodVector<Unit> units;
  // A line feed only separates, so the units of a text are those of its lines.
  std::size_t before = 0, at = 0;  // units and bytes of the lines that end before the first unit
  while (at < utf8.size()) {
    constexpr std::size_t kLines = std::size_t{1} << 12;  // bytes, up to the end of a line
    const std::size_t feed = utf8.find('\n', at + kLines);
    const std::size_t next = feed == std::string_view::npos ? utf8.size() : feed + 1;
    to_units(utf8.substr(at, next - at), units);
    if (before + units.size() > begin) break;
    before += units.size();
    at = next;
  }
  std::vector<ByteRange> places;
  to_units_with_places(utf8.substr(at), units, places);
  if (begin - before >= places.size()) return {utf8.size(), utf8.size()};
  const std::size_t last = std::min(end - before, places.size()) - 1;
  return {at + places[begin - before].begin, at + places[last].end};
}

}  // namespace leitong
