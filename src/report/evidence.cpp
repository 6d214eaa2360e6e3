#include "report/evidence.hpp"

#include "report/excerpt.hpp"
#include "similarity/passages.hpp"

namespace leitong {
namespace {

std::vector<EvidencePart> parts_of(std::string_view text, std::string_view compared,
                                   std::vector<MarkedRange> marks, std::size_t most_bytes) {
  std::vector<EvidencePart> parts;
  for (const ExcerptPart& part : excerpt(compared, std::move(marks), most_bytes))
    parts.push_back({std::string(part.text), part.passage, part.skipped});
  if (const std::size_t rest = text.size() - compared.size(); rest > 0) {
    if (!parts.empty() && parts.back().skipped > 0) {
      parts.back().skipped += rest;
      parts.back().passage = 0;
    } else {
      parts.push_back({{}, 0, rest});
    }
  }
  return parts;
}

}  // namespace

Evidence evidence_of(std::string_view a, std::string_view b, std::size_t most_bytes,
                     std::size_t compared_bytes) {
  const std::string_view begin_a = utf8_prefix(a, compared_bytes), begin_b = utf8_prefix(b, compared_bytes);
  std::vector<MarkedRange> marks_a, marks_b;
  std::uint32_t number = 0;
  for (const Passage& passage : shared_passages(begin_a, begin_b).passages) {
    ++number;
    marks_a.push_back({passage.a.begin, passage.a.end, number});
    marks_b.push_back({passage.b.begin, passage.b.end, number});
  }
  return {parts_of(a, begin_a, std::move(marks_a), most_bytes),
          parts_of(b, begin_b, std::move(marks_b), most_bytes)};
}

}  // namespace leitong
