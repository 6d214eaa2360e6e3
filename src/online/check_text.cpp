#include "online/check_text.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "online/rare_text.hpp"
#include "similarity/template_rule.hpp"
#include "text/signs.hpp"

namespace leitong::online {
namespace {

// The most texts of one content, or of one set of shingles, that are read. Usually there is one; collisions
// of keys and texts that were added unchecked make more.
constexpr std::uint32_t kWholeIds = 16;
// A text keeps at most so many shingles that could become templates. A text with more is always checked
// again.
constexpr std::size_t kMostAsked = std::size_t{1} << 16;

Result<bool> find_copy(const View& view, const Rows& rows, std::span<const TextNumber> holders,
                       CheckScratch& scratch, CheckedText& text) {
  for (const TextNumber holder : holders) {
    std::span<const Unit> units;
    LEITONG_ASSIGN(const bool there, read_text(view, rows, holder, text.keys.folding, scratch, units));
    // Texts that are empty after folding are copies only if their bytes are equal.
    if (!there || !std::ranges::equal(units, std::span<const Unit>(text.keys.units)) ||
        (units.empty() ? scratch.text != text.text : !same_text(scratch.text, text.text)))
      continue;
    text.verdict = Verdict::exact;
    text.match = holder;
    std::swap(text.match_row, scratch.row);
    return true;
  }
  return false;
}

/// Keeps the similar text that the scratch holds, since the next one that is read takes its space.
void keep_similar(TextNumber number, CheckScratch& scratch, const CheckedText& text) {
  if (text.matches_wanted <= 1) scratch.similar_count = 0;  // earlier ones are not in the answer
  if (scratch.similar.size() == scratch.similar_count) scratch.similar.emplace_back();
  SimilarText& kept = scratch.similar[scratch.similar_count++];
  kept.number = number;
  std::swap(kept.shingled, scratch.other);
  std::swap(kept.units, scratch.units);
  std::swap(kept.text, scratch.text);
}

/// Finds what the texts of the answer lack of this text. It runs at the end, since a match may be replaced.
void find_losses(const View& view, CheckScratch& scratch, CheckedText& text) {
  const auto loss_for = [&](TextNumber match) {
    const auto similar = std::span(scratch.similar).first(scratch.similar_count);
    SimilarText& kept = *std::ranges::find(similar, match, &SimilarText::number);
    return scratch.losses.find(view, text.keys.folding, {scratch.query, text.text},
                               {kept.shingled, kept.text});
  };
  if (text.verdict == Verdict::near) text.loss = loss_for(text.match);
  for (CheckedText::Other& other : text.others) other.loss = loss_for(other.text);
}

// Texts that repeat themselves have few keys, which many others have too; equal sets of shingles find them.
Result<void> find_equal_set(const View& view, const Rows& rows, std::span<const TextNumber> holders,
                            CheckScratch& scratch, CheckedText& text) {
  for (const TextNumber holder : holders) {
    std::span<const Unit> units;
    LEITONG_ASSIGN(const bool there, read_text(view, rows, holder, text.keys.folding, scratch, units));
    if (!there) continue;
    scratch.other.set(units);
    const PairDecision decision = decide_pair(Rule(), view, scratch.query, scratch.other);
    if (!decision.accepted) continue;
    text.verdict = Verdict::near;
    text.match = holder;
    text.figures = *decision.accepted;
    keep_similar(holder, scratch, text);
    std::swap(text.match_row, scratch.row);
    return {};
  }
  return {};
}

// Finds the known templates in the text.
void find_templates(const View& view, std::span<const std::uint32_t> shingles, Probes& probes) {
  const LeastRun least_run = view.least_run();
  std::size_t begin = 0, end = 0, found = 0;  // the last run of templates; `found`: number of places in runs
  const auto end_run = [&] {
    if (end == begin || !least_run.is_met(begin, end, shingles.size())) return;
    if (found == 0) probes.template_places.resize(shingles.size(), 0);
    std::fill_n(probes.template_places.begin() + begin, end - begin, std::uint8_t{1});
    found += end - begin;
  };
  view.for_each_template(shingles, [&](std::size_t i) {
    if (i != end) {
      end_run();
      begin = i;
    }
    end = i + 1;
  });
  end_run();
  if (found > 0) probes.own_part = 1 - static_cast<double>(found) / static_cast<double>(shingles.size());
}

Explanation::Candidate described(const LikelyText& candidate) {
  return {{}, candidate.record.units, candidate.rank, candidate.sketch.estimate, candidate.fate};
}

/// Notes an accepted candidate, whose row is in the scratch. The match of a near text is the earliest one.
void accept(const LikelyText& candidate, const VerifiedPair& figures, CheckScratch& scratch,
            CheckedText& text) {
  const bool is_match =
      text.verdict == Verdict::fresh || (text.verdict == Verdict::near && candidate.text < text.match);
  keep_similar(candidate.text, scratch, text);
  CheckedText::Other other{candidate.text, {}, figures, {}};
  std::swap(other.row, scratch.row);
  if (is_match) {
    const bool had_match = text.verdict == Verdict::near;
    text.verdict = Verdict::near;
    std::swap(other.text, text.match);
    std::swap(other.figures, text.figures);
    std::swap(other.row, text.match_row);
    if (!had_match) return;
  }
  if (text.matches_wanted > 1) text.others.push_back(std::move(other));
}

/// Notes what a decision says beside yes or no.
void note_templates(const PairDecision& decision, CheckScratch& scratch, CheckedText& text, bool& same_work) {
  if (decision.asked_templates) {
    text.asked_shingles.append(scratch.other.distinct());
    if (text.asked_shingles.size() > kMostAsked) {
      text.asked_shingles = {};
      text.refused.clear();
      text.templates_version = UINT64_MAX;  // as if some of them had become templates
    }
  }
  same_work |= decision.accepted && decision.accepted->standing == PairStanding::same_work;
  if (decision.shows_template) append_shared(scratch.query, scratch.other, text.shared);
  if (!decision.refused_as_template) return;
  ++text.refused_as_template;
  const WithoutTemplate& seen = *decision.refused_as_template;
  if (!text.note)
    text.note = TemplateNote{scratch.row.id, seen.template_share, seen.jaccard, seen.containment};
}

/// Notes a candidate that is refused independently of other texts, so that the next check need not read it.
void note_refused(const PairDecision& decision, TextNumber candidate, CheckScratch& scratch,
                  CheckedText& text) {
  if (decision.meets_rule || decision.accepted || decision.shows_template ||
      decision.jaccard >= TemplateRule::kRareJaccard ||
      (decision.asked_templates && text.asked_shingles.empty()))
    return;
  const std::size_t end = text.asked_shingles.size();
  const std::size_t asked = decision.asked_templates ? scratch.other.distinct().size() : 0;
  text.refused.push_back({candidate, static_cast<std::uint32_t>(decision.shared), end - asked, end});
  text.distinct_shingles = scratch.query.distinct().size();
}

/// Is the candidate known to be refused with the present templates?
bool stays_refused(const Rule& rule, const View& view, TextNumber candidate, const CheckedText& text) {
  const auto known = std::ranges::find(text.refused, candidate, &CheckedText::Refused::text);
  if (known == text.refused.end()) return false;
  if (known->begin == known->end) return true;
  const auto own = [](std::size_t distinct, std::size_t templates) {
    return distinct - std::min(distinct, templates);
  };
  const auto theirs =
      std::span<const std::uint32_t>(text.asked_shingles).subspan(known->begin, known->end - known->begin);
  const auto template_places = static_cast<std::size_t>(std::ranges::count(text.probes.template_places, 1));
  std::size_t templates = 0;
  view.for_each_template(theirs, [&](std::size_t) { ++templates; });
  return share_too_little(rule, known->shared, own(text.distinct_shingles, template_places),
                          own(theirs.size(), templates));
}

Result<void> compare(const View& view, const Rows& rows, CheckScratch& scratch, CheckedText& text,
                     Explanation* explanation) {
  const Rule rule;
  bool same_work = text.verdict != Verdict::fresh;
  for (const LikelyText& candidate : scratch.chosen.chosen) {
    Explanation::Candidate note = described(candidate);
    note.fate = "later";
    const bool found = text.verdict != Verdict::fresh;
    const bool earlier = text.verdict == Verdict::near && candidate.text < text.match;
    if (!found || earlier || (text.matches_wanted > 1 && candidate.text != text.match)) {
      if (stays_refused(rule, view, candidate.text, text)) continue;
      std::span<const Unit> units;
      LEITONG_ASSIGN(const bool there,
                     read_text(view, rows, candidate.text, text.keys.folding, scratch, units));
      if (!there) continue;
      scratch.other.set(units);
      PairDecision decision = decide_pair(rule, view, scratch.query, scratch.other);
      note_templates(decision, scratch, text, same_work);
      if (view.new_text(candidate.text) == nullptr) note_refused(decision, candidate.text, scratch, text);
      note.id = scratch.row.id;
      if (!decision.accepted && !decision.meets_rule) {
        LEITONG_ASSIGN(decision.accepted,
                       share_rare_text(view, rows, decision, candidate.text, scratch, text));
      }
      note.fate = decision.accepted              ? "accepted"
                  : decision.refused_as_template ? "refused as template"
                                                 : "refused";
      note.jaccard = decision.jaccard;
      note.containment = decision.containment;
      if (decision.accepted) accept(candidate, *decision.accepted, scratch, text);
    }
    if (explanation != nullptr) explanation->candidates.push_back(std::move(note));
  }
  // A copy of a known work tells nothing new about templates.
  if (same_work) text.shared.clear();
  std::ranges::sort(text.shared);
  text.shared.erase(std::unique(text.shared.begin(), text.shared.end()), text.shared.end());
  std::ranges::stable_sort(text.others, [](const auto& a, const auto& b) {
    return std::max(a.figures.jaccard, a.figures.containment) >
           std::max(b.figures.jaccard, b.figures.containment);
  });
  if (text.others.size() >= text.matches_wanted) text.others.resize(text.matches_wanted - 1);
  find_losses(view, scratch, text);
  return {};
}

}  // namespace

void CheckedText::clear() {
  CheckedText fresh;
  const auto keep_space = [](auto& space, auto& used) {
    used.clear();
    space = std::move(used);
  };
  keep_space(fresh.keys, keys);
  keep_space(fresh.shared, shared);
  keep_space(fresh.asked_shingles, asked_shingles);
  keep_space(fresh.refused, refused);
  keep_space(fresh.probes, probes);
  keep_space(fresh.holders, holders);
  keep_space(fresh.part_keys, part_keys);
  std::swap(fresh.part_lists, part_lists);  // each search replaces them
  *this = std::move(fresh);
}

Result<bool> read_text(const View& view, const Rows& rows, TextNumber text, const Folding& folding,
                       CheckScratch& scratch, std::span<const Unit>& units) {
  if (const NewText* fresh = view.new_text(text)) {
    scratch.row = fresh->row;
    scratch.text = fresh->text;
    units = fresh->units;
    return true;
  }
  LEITONG_ASSIGN(const bool there, rows.read(text, scratch.row));
  if (!there) return false;
  LEITONG_TRY(scratch.codec.unpack(scratch.row.packed, scratch.row.text_bytes, scratch.text));
  to_units(scratch.text, folding, scratch.units);
  units = scratch.units;
  return true;
}

void choose_lists(const View& view, CheckedText& text) {
  Probes& probes = text.probes;
  probes.clear();
  if (view.knows_templates()) find_templates(view, text.keys.shingles, probes);
  choose_probes(
      text.keys, [&](Key key) { return view.is_full(key); }, probes);
  probes.keys.push_back(text.keys.content);
  if (text.keys.set) probes.keys.push_back(*text.keys.set);
  probes.most.resize(probes.keys.size(), kWholeIds);
}

Result<void> check_text(const View& view, const Rows& rows, CheckScratch& scratch, CheckedText& text,
                        Explanation* explanation) {
  text.verdict = Verdict::fresh;
  text.loss.reset();
  text.bounds = {};
  text.refused_as_template = 0;
  text.others.clear();
  text.note.reset();
  text.shared.clear();
  if (!std::exchange(text.refused_stay, false)) {
    text.asked_shingles.clear();
    text.refused.clear();
  }
  text.templates_version = view.templates_version();
  text.least_run = view.least_run();
  choose_lists(view, text);
  const Probes& probes = text.probes;
  const std::size_t content = probes.full.size(), set = content + 1;
  LEITONG_TRY(view.find_lists(probes.keys, probes.most, scratch.lists));
  text.holders.clear();
  for (std::size_t k = 0; k < probes.keys.size(); ++k)
    text.holders.push_back(static_cast<std::uint32_t>(scratch.lists[k].size()));
  LEITONG_ASSIGN(const bool copy, find_copy(view, rows, scratch.lists[content], scratch, text));
  if (text.look == Look::copies || (copy && text.matches_wanted <= 1)) return {};

  view.prefetch_records(std::span<const TextNumber>(scratch.lists.texts));
  scratch.query.set(text.keys.units);
  scratch.similar_count = 0;
  if (text.keys.set && !copy) LEITONG_TRY(find_equal_set(view, rows, scratch.lists[set], scratch, text));
  LEITONG_TRY(choose_likely(
      text.keys, probes, scratch.lists, [&](TextNumber number) { return view.record(number); }, Rule(),
      explanation != nullptr, scratch.likely, scratch.chosen));
  LEITONG_TRY(compare(view, rows, scratch, text, explanation));
  text.bounds.ids = scratch.chosen.ids_left_out;
  text.bounds.keys = probes.keys_left_out;
  if (text.verdict == Verdict::fresh) text.bounds.candidates = scratch.chosen.not_compared;
  if (explanation == nullptr) return {};
  for (const LikelyText& candidate : scratch.chosen.left_out) {
    LEITONG_ASSIGN(const bool there, rows.read(candidate.text, scratch.row));
    Explanation::Candidate note = described(candidate);
    if (there) note.id = scratch.row.id;
    explanation->candidates.push_back(std::move(note));
  }
  for (std::size_t k = 0; k < content; ++k)
    explanation->keys.push_back({probes.tier[k], text.keys.levels[probes.tier[k]][probes.rank[k]],
                                 text.holders[k], probes.full[k] != 0});
  return {};
}

}  // namespace leitong::online
