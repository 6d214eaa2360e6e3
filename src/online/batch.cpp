#include "online/batch.hpp"

#include "base/try.hpp"
#include "online/answer.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {
namespace {

// The answer for a text that the index has under the same id. Its row has the figures of its first match but
// does not name this match, and another text may represent the family now.
Result<Answer> known_answer(Batch& batch, const CheckedText& text, TextNumber number) {
  CheckScratch& scratch = batch.scratch;
  Row& row = scratch.row;
  LEITONG_ASSIGN(const bool there, batch.rows.read(number, row));
  if (there) LEITONG_TRY(scratch.codec.unpack(row.packed, row.text_bytes, scratch.text));
  const bool not_kept = row.stamp && row.packed.empty();
  const bool same = there && (not_kept ? same_content(*row.stamp, *text.stamp) : scratch.text == text.text);
  if (!same)
    return Answer{.verdict = Verdict::refused,
                  .reason = "the index has another text under this id; remove that one first"};
  Answer answer{.verdict = row.verdict, .known = true};
  if (row.verdict == Verdict::fresh || row.verdict == Verdict::parts) return answer;
  const VerifiedPair figures{
      .jaccard = row.jaccard, .containment = row.containment, .score = row.score, .measure = row.measure};
  LEITONG_ASSIGN(const TextNumber match,
                 batch.rows.representative(row.verdict == Verdict::exact ? row.content : row.family));
  if (match == number) return answer;  // the match was removed, and this text represents its family
  std::span<const Unit> units;
  const bool compares = row.verdict == Verdict::near && !row.stamp;
  LEITONG_ASSIGN(const bool stands,
                 compares ? read_text(batch.view, batch.rows, match, text.keys.folding, scratch, units)
                          : batch.rows.read(match, row));
  if (!stands) return answer;
  answer.match =
      compares ? match_now(batch.view, figures, text, units, scratch) : match_of(row, figures, text.stamp);
  if (answer.match->distance) answer.match->score = batch.scheme.spec().score_at(*answer.match->distance);
  return answer;
}

// Did shingles on which the check depends become templates?
bool templates_changed(const CheckedText& text, const View& view, const Delta& delta) {
  if (text.least_run != view.least_run()) return true;
  if (text.templates_version == view.templates_version()) return false;
  const auto became = [&](std::span<const std::uint32_t> shingles) {
    return view.state.learned_any(shingles, text.templates_version) ||
           delta.became_templates.any_template(shingles);
  };
  return became(text.keys.shingles) || became(text.asked_shingles);
}

Row row_of(CheckedText& text, TextNumber number) {
  Row row{.family = number,
          .content = number,
          .verdict = verdict_of(text),
          .measure = text.verdict == Verdict::near ? text.figures.measure : Measure::identical,
          .text_bytes = text.packed.empty() ? 0 : static_cast<std::uint32_t>(text.text.size()),
          .id = std::string(text.id),
          .source = std::string(text.source),
          .time = text.time,
          .expires = text.expires,
          .stamp = text.stamp,
          .unchecked = text.look == Look::copies,
          .other_work = text.verdict == Verdict::near && is_other_work(text.figures),
          .packed = std::move(text.packed)};
  if (text.verdict == Verdict::near) {
    row.score = text.figures.score;
    row.jaccard = text.figures.jaccard;
    row.containment = text.figures.containment;
  }
  if (text.verdict != Verdict::fresh) row.family = text.match_row.family;
  if (text.verdict == Verdict::exact) row.content = text.match_row.content;
  return row;
}

}  // namespace

Match match_now(const View& view, const VerifiedPair& first, const CheckedText& text,
                std::span<const Unit> units, CheckScratch& scratch) {
  scratch.query.set(text.keys.units);
  scratch.other.set(units);
  const VerifiedPair figures = figures_now(first, view, scratch.query, scratch.other);
  const Loss loss =
      scratch.losses.find(view, text.keys.folding, {scratch.query, text.text}, {scratch.other, scratch.text});
  return match_of(scratch.row, figures, {}, loss);
}

void learn_templates(std::span<const std::uint32_t> shared, const View& view, Delta& delta) {
  const State& state = view.state;
  for (const std::uint32_t shingle : shared) state.templates.prefetch(shingle);
  for (const std::uint32_t shingle : shared) {
    const Works before = view.works(shingle);
    if (before >= TemplateRule::kFamilies) continue;
    if (before == 0) {
      if (state.templates.size() + state.hidden_templates.size() + delta.new_templates >=
          TemplateTable::kMost)
        continue;
      ++delta.new_templates;
    }
    const auto now = static_cast<Works>(before == 0 ? 2 : before + 1);
    delta.templates.set(shingle, now);
    if (now == TemplateRule::kFamilies) delta.became_templates.set(shingle, now);
  }
}

Result<Answer> add_to_batch(Batch& batch, CheckedText& text, bool as_it_was) {
  const View& view = batch.view;
  Delta& delta = batch.delta;
  if (text.verdict == Verdict::refused) return answer_of(text);
  if (text.known) return known_answer(batch, text, *text.known);
  if (const auto earlier = delta.ids.find(text.id); earlier != delta.ids.end()) {
    const NewText& other = delta.texts[earlier->second];
    if (other.text != text.text || other.row.stamp != text.stamp)
      return Answer{.verdict = Verdict::refused, .reason = "another text of the batch has this id"};
    return Answer{.verdict = other.row.verdict, .known = true};
  }
  const bool same_answer =
      as_it_was && !templates_changed(text, view, delta) &&
      std::ranges::all_of(text.probes.keys, [&](Key key) { return delta.postings.find(key).empty(); });
  if (!same_answer) {
    CheckedText* const one = &text;
    text.refused_stay = as_it_was;
    LEITONG_TRY(batch.scheme.check(view, batch.rows, batch.scratch, {&one, 1}, nullptr));
    batch.checked_twice += batch.scheme.checks_ahead();
  }
  if (text.look == Look::apart && text.verdict == Verdict::near) text.verdict = Verdict::fresh;
  Answer answer = answer_of(text);

  const TextNumber number = delta.first + static_cast<TextNumber>(delta.texts.size());
  if (number == UINT32_MAX) return fail(ErrorCode::limit, "an index holds fewer than 4,294,967,295 texts");
  Row row = row_of(text, number);
  LogEntry entry{number, batch.scheme.record(text), {}};
  batch.scheme.keep_row(row, number, entry.record);
  if (text.verdict != Verdict::exact)
    LEITONG_TRY(
        batch.scheme.post(text, text.verdict == Verdict::fresh || row.other_work, view, delta, entry));
  learn_templates(text.shared, view, delta);
  for (const Key key : entry.keys) delta.postings.add(key, number);
  delta.counts.add(text.verdict);
  delta.texts.push_back({std::move(row), text.text, text.keys.units, entry.record});
  delta.ids.emplace(text.id, delta.texts.size() - 1);
  delta.log.push_back(std::move(entry));
  return answer;
}

}  // namespace leitong::online
