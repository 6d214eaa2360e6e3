#include "online/answer.hpp"

namespace leitong::online {

Match match_of(const Row& row, const VerifiedPair& figures, const std::optional<Stamp>& stamp) {
  Match match{row.id,          measure_name(figures.measure), figures.score,
              figures.jaccard, figures.containment,           row.source,
              row.time};
  if (!stamp || figures.measure == Measure::identical) return match;
  match.measure = "hamming";
  if (stamp->fingerprint && row.stamp && row.stamp->fingerprint)
    match.distance = hamming::distance(*stamp->fingerprint, *row.stamp->fingerprint);
  return match;
}

Answer answer_of(const CheckedText& text) {
  Answer answer{.verdict = text.verdict,
                .bounds = text.bounds,
                .refused_as_template = text.refused_as_template,
                .refused = text.note,
                .reason = text.reason};
  if (text.verdict == Verdict::exact)
    answer.match = match_of(text.match_row,
                            {.jaccard = 1, .containment = 1, .score = 1, .measure = Measure::identical}, {});
  if (text.verdict == Verdict::near) answer.match = match_of(text.match_row, text.figures, text.stamp);
  for (const CheckedText::Other& other : text.others)
    answer.others.push_back(match_of(other.row, other.figures, text.stamp));
  return answer;
}

}  // namespace leitong::online
