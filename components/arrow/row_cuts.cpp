#include "row_cuts.hpp"

#include <algorithm>

namespace leitong {

bool without_ranges(std::string_view text, std::size_t base, std::span<const ByteRange> ranges,
                    std::string& left) {
  left.clear();
  std::size_t at = 0;
  for (const ByteRange& range : ranges) {
    const std::size_t begin = std::max(range.begin, base), end = std::min(range.end, base + text.size());
    if (begin >= end) continue;
    left += text.substr(at, begin - base - at);
    at = end - base;
  }
  if (at == 0) return false;
  left += text.substr(at);
  return true;
}

}  // namespace leitong
