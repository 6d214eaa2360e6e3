#include "online/answer.hpp"

#include "similarity/loss_limits.hpp"

namespace leitong::online {

Match match_of(const Row& row, const VerifiedPair& figures, const std::optional<Stamp>& stamp,
               const std::optional<Loss>& loss) {
  Match match{row.id,          measure_name(figures.measure), figures.score,
              figures.jaccard, figures.containment,           row.source,
              row.time};
  const bool is_same = figures.measure == Measure::identical;
  if (is_same || loss) {
    match.loss = is_same ? 0 : loss->share();
    match.covered = is_same || allows(LossLimits(), *loss);
  }
  if (figures.measure != Measure::estimate) return match;
  match.measure = "hamming";
  if (stamp && stamp->fingerprint && row.stamp && row.stamp->fingerprint)
    match.distance = hamming::distance(*stamp->fingerprint, *row.stamp->fingerprint);
  return match;
}

Verdict verdict_of(const CheckedText& text) noexcept {
  return text.verdict == Verdict::fresh && !text.parts.empty() ? Verdict::parts : text.verdict;
}

Answer answer_of(const CheckedText& text) {
  Answer answer{.verdict = verdict_of(text),
                .bounds = text.bounds,
                .refused_as_template = text.refused_as_template,
                .refused = text.note,
                .too_short = text.verdict == Verdict::fresh && text.too_short,
                .reason = text.reason,
                .parts = text.parts};
  if (text.verdict == Verdict::exact) answer.match = match_of(text.match_row, copies_of_one(0, 0, true), {});
  if (text.verdict == Verdict::near)
    answer.match = match_of(text.match_row, text.figures, text.stamp, text.loss);
  for (const CheckedText::Other& other : text.others)
    answer.others.push_back(match_of(other.row, other.figures, text.stamp, other.loss));
  return answer;
}

}  // namespace leitong::online
