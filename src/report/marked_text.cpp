#include "report/marked_text.hpp"

#include <algorithm>

namespace leitong {

std::vector<MarkedStretch> marked_stretches(std::size_t bytes, std::span<const Passage> passages, Side side) {
  std::vector<MarkedStretch> shared;
  shared.reserve(passages.size());
  for (std::size_t i = 0; i < passages.size(); ++i)
    shared.push_back({side == Side::a ? passages[i].a : passages[i].b, i + 1});
  std::sort(shared.begin(), shared.end(),
            [](const MarkedStretch& x, const MarkedStretch& y) { return x.bytes.begin < y.bytes.begin; });

  std::vector<MarkedStretch> stretches;
  std::size_t at = 0;
  const auto add = [&](std::size_t end, std::size_t passage) {
    end = std::min(end, bytes);
    if (end <= at) return;
    stretches.push_back({{at, end}, passage});
    at = end;
  };
  for (const MarkedStretch& stretch : shared) {
    add(stretch.bytes.begin, 0);
    add(stretch.bytes.end, stretch.passage);
  }
  add(bytes, 0);
  return stretches;
}

}  // namespace leitong
