#include "job/template_cuts.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/try.hpp"
#include "dedup/find_pairs.hpp"
#include "feature/shingles.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {

Result<PairResult> find_templates(DocumentSource& source, const ArtifactFolder* stages, RunContext& run) {
  FindOptions options{.audit = false};
  options.templates = TemplateText::ignored;
  options.stages = stages;
  return find_pairs(source, options, longest_first, run);
}

TemplateCuts::TemplateCuts(const RunContext& run, const DocumentSource& source, const TrimSettings& settings,
                           const TemplateMarks& marks, Places places, Describe describe)
    : CutDocuments(run, source, settings, places, std::move(describe)), marks_(marks) {}

Result<std::size_t> TemplateCuts::begin_block() {
  documents_.clear();
  for (; next_ < marks_.documents() && documents_.size() < kDocumentsAtOnce; ++next_)
    if (marks_.has_template(next_)) documents_.push_back(next_);
  marks_of_.assign(documents_.size(), {});
  runs_of_.assign(documents_.size(), {});
  LEITONG_TRY(marks_.for_documents(documents_, [&](std::size_t i, std::span<const ShingleMark> marks) {
    marks_of_[i].assign(marks.begin(), marks.end());
  }));
  return documents_.size();
}

void TemplateCuts::prepare(std::size_t i, const TrimmedDocument& document, CuttableText& cuttable) {
  runs_of_[i] = template_runs(document.text, marks_of_[i], marks_.documents());
  cuttable.set_borders(document.text);
}

bool TemplateCuts::decide(std::size_t i, CuttableText& cuttable, std::vector<Cut>& cuts) {
  cuts.clear();
  cut_units_.clear();
  fresh_.clear();
  for (const TemplateRun& run : runs_of_[i])
    if (run.families >= settings_.least_documents) cut_run(i, run, cuttable, cuts);
  std::size_t left = cuttable.units();
  for (const Cut& cut : cuts) left -= cut.units;
  if (!cuts.empty() && left < settings_.least_left) return true;
  // A shingle of which a cut took a unit stands here no more.
  auto cut = cut_units_.begin();
  for (const Fresh& shingle : fresh_) {
    while (cut != cut_units_.end() && cut->end <= shingle.unit) ++cut;
    if (cut == cut_units_.end() || cut->begin >= shingle.unit + kShingleUnits)
      places_.try_emplace(shingle.shingle, shingle.place);
  }
  return false;
}

void TemplateCuts::cut_run(std::size_t i, const TemplateRun& run, CuttableText& cuttable,
                           std::vector<Cut>& cuts) {
  const auto number = static_cast<std::uint32_t>(runs_.size());
  if (settings_.kept_part == KeptPart::none) {
    const auto [known, is_new] = places_.try_emplace(run.shingles.front(), Place{number, 0});
    if (is_new) runs_.push_back({documents_[i], run.first_unit});
    return cut_stretch(run, 0, run.shingles.size(), cuttable, cuts);
  }
  std::size_t begin = 0;
  const auto end_stretch = [&](std::size_t end) {
    if (end - begin >= TemplateRule::kTextRun) cut_stretch(run, begin, end, cuttable, cuts);
    begin = end + 1;
  };
  bool any_fresh = false;
  for (std::uint32_t at = 0; at < run.shingles.size(); ++at) {
    if (places_.contains(run.shingles[at])) continue;
    end_stretch(at);
    fresh_.push_back({run.shingles[at], run.first_unit + at, {number, at}});
    any_fresh = true;
  }
  end_stretch(run.shingles.size());
  if (any_fresh) runs_.push_back({documents_[i], run.first_unit});
}

void TemplateCuts::cut_stretch(const TemplateRun& run, std::size_t begin, std::size_t end,
                               CuttableText& cuttable, std::vector<Cut>& cuts) {
  const std::size_t from = run.first_unit + begin;
  const std::size_t to = std::min(run.first_unit + end - 1 + kShingleUnits, cuttable.units());
  // What an earlier cut of this document took is gone already.
  const std::size_t least = cut_units_.empty() ? from : std::max(from, cut_units_.back().end);
  std::size_t first = CuttableText::npos, last = CuttableText::npos;
  for (int kind = static_cast<int>(settings_.border); kind <= static_cast<int>(Border::character); ++kind) {
    first = cuttable.first_border(least, to, static_cast<Border>(kind));
    if (first == CuttableText::npos) continue;
    last = cuttable.last_border(first + 1, to, static_cast<Border>(kind));
    if (last != CuttableText::npos) break;
  }
  if (first == CuttableText::npos || last == CuttableText::npos || last <= first) return;
  if (last - first < settings_.least_units) return;
  Cut cut{cuttable.between(first, last), last - first, run.families, std::nullopt, 0};
  if (cut.bytes.end <= cut.bytes.begin) return;
  const auto known = places_.find(run.shingles[begin]);
  if (known != places_.end()) cut.group = known->second.run;
  if (settings_.kept_part == KeptPart::first) {
    const std::size_t at = std::clamp<std::size_t>(first - run.first_unit, begin, end - 1);
    const Place& there = places_.at(run.shingles[at]);
    std::size_t count = 1;
    for (; at + count < end && at + count < last - run.first_unit; ++count) {
      const Place& next = places_.at(run.shingles[at + count]);
      if (next.run != there.run || next.at != there.at + count) break;
    }
    const Run& kept = runs_[there.run];
    cut.kept = KeptPlaceOfPart{kept.document, kept.first_unit + there.at,
                               static_cast<std::uint32_t>(std::min(count - 1 + kShingleUnits, last - first))};
  }
  cut_units_.push_back({first, last});
  cuts.push_back(cut);
}

}  // namespace leitong
