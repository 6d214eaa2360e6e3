#include "report/evidence.hpp"

#include <algorithm>
#include <tuple>

#include "report/excerpt.hpp"
#include "similarity/passages.hpp"

namespace leitong {
namespace {

// The number of lost stretches of a text that are considered for a place on the page.
constexpr std::size_t kMostSeen = 256;

std::vector<EvidencePart> parts_of(std::string_view text, std::vector<MarkedRange> marks,
                                   const ExcerptRoom& room) {
  std::vector<EvidencePart> parts;
  for (const ExcerptPart& part : excerpt(text, std::move(marks), room))
    parts.push_back({std::string(part.text), part.passage, part.skipped});
  return parts;
}

/// The longest lost stretches, before reworded ones.
std::vector<LostRange> longest_of(std::span<const LostRange> lost) {
  std::vector<LostRange> longest(lost.begin(), lost.end());
  const auto end = longest.begin() + static_cast<std::ptrdiff_t>(std::min(longest.size(), kMostSeen));
  std::partial_sort(longest.begin(), end, longest.end(), [](const LostRange& x, const LostRange& y) {
    return std::tuple(x.reworded, y.end - y.begin, x.begin) <
           std::tuple(y.reworded, x.end - x.begin, y.begin);
  });
  longest.erase(end, longest.end());
  return longest;
}

/// The place in b for what stands there in a: the end of the passage before it.
ByteRange place_in_other(std::size_t at, std::span<const Passage> passages) {
  const auto after = std::upper_bound(passages.begin(), passages.end(), at,
                                      [](std::size_t place, const Passage& p) { return place < p.a.begin; });
  const std::size_t place = after == passages.begin() ? 0 : std::prev(after)->b.end;
  return {place > 0 ? place - 1 : 0, std::max<std::size_t>(place, 1)};
}

}  // namespace

Evidence evidence_of(std::string_view a, std::string_view b, std::size_t most_bytes,
                     std::size_t compared_bytes, std::span<const LostRange> lost, const Folding& folding) {
  const std::string_view begin_a = utf8_prefix(a, compared_bytes), begin_b = utf8_prefix(b, compared_bytes);
  const std::vector<Passage> passages = shared_passages(begin_a, begin_b, folding).passages;
  std::vector<MarkedRange> marks_a, marks_b;
  std::uint32_t number = 0;
  for (const Passage& passage : passages) {
    ++number;
    marks_a.push_back({passage.a.begin, passage.a.end, number});
    marks_b.push_back({passage.b.begin, passage.b.end, number});
  }
  std::vector<ByteRange> seen_a, seen_b;
  for (const LostRange& range : longest_of(lost)) {
    seen_a.push_back({range.begin, range.end});
    seen_b.push_back(place_in_other(range.begin, passages));
  }
  return {parts_of(a, std::move(marks_a), {most_bytes, seen_a, begin_a.size()}),
          parts_of(b, std::move(marks_b), {most_bytes, seen_b, begin_b.size()})};
}

void mark_lost(std::span<const LostRange> lost, std::vector<EvidencePart>& parts) {
  std::size_t begin = 0;
  auto next = lost.begin();
  for (EvidencePart& part : parts) {
    const std::size_t end = begin + part.text.size() + part.skipped;
    while (next != lost.end() && next->end <= begin) ++next;
    if (part.skipped == 0)
      for (auto at = next; at != lost.end() && at->begin < end; ++at)
        part.lost.push_back(
            {std::max(at->begin, begin) - begin, std::min(at->end, end) - begin, at->reworded});
    begin = end;
  }
}

}  // namespace leitong
