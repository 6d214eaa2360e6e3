#include "job/template_runs.hpp"

#include <algorithm>
#include <utility>

#include "base/pod_vector.hpp"
#include "feature/shingles.hpp"
#include "similarity/own_text.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

const ShingleMark* find(std::span<const ShingleMark> marks, std::uint32_t shingle) {
  const auto at = std::ranges::lower_bound(marks, shingle, {}, &ShingleMark::shingle);
  return at != marks.end() && at->shingle == shingle ? &*at : nullptr;
}

std::vector<ShingleMark> templates_of(std::span<const std::uint32_t> ordered,
                                      std::span<const ShingleMark> marks, std::uint64_t documents) {
  PodVector<std::uint32_t> templates;
  for (const ShingleMark& mark : marks)
    if (mark.is_template) templates.push_back(mark.shingle);
  keep_runs(ordered, least_template_run(documents), templates);
  std::vector<ShingleMark> kept;
  for (const std::uint32_t shingle : templates) kept.push_back(*find(marks, shingle));
  return kept;
}

}  // namespace

std::vector<TemplateRun> template_runs(std::string_view text, std::span<const ShingleMark> marks,
                                       std::uint64_t documents, const Folding& folding) {
  PodVector<Unit> units;
  std::vector<ByteRange> places;
  PodVector<std::uint32_t> shingles;
  to_units_with_places(text, folding, units, places);
  shingle_hashes(units, shingles);
  const std::vector<ShingleMark> templates = templates_of(shingles, marks, documents);
  std::vector<TemplateRun> runs;
  std::size_t begin = 0;
  TemplateRun run;
  const auto end_run = [&](std::size_t end) {
    if (end - begin >= TemplateRule::kTextRun) {
      const std::size_t last = std::min(end + kShingleUnits - 1, places.size()) - 1;
      run.bytes = {places[begin].begin, places[last].end};
      run.first_unit = static_cast<std::uint32_t>(begin);
      runs.push_back(std::move(run));
    }
    run = {};
  };
  for (std::size_t i = 0; i < shingles.size(); ++i) {
    const ShingleMark* const mark = find(templates, shingles[i]);
    const bool goes_on = mark != nullptr && !run.shingles.empty() && 2 * mark->families > run.families &&
                         mark->families < 2 * run.families;
    if (!goes_on) {
      end_run(i);
      begin = i;
    }
    if (mark == nullptr) {
      begin = i + 1;
      continue;
    }
    if (run.shingles.empty()) run.families = mark->families, run.sites = mark->sites;
    run.shingles.push_back(shingles[i]);
  }
  end_run(shingles.size());
  return runs;
}

}  // namespace leitong
