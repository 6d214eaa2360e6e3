#include "similarity/own_text.hpp"

#include <algorithm>
#include <utility>

#include "similarity/intersect.hpp"
#include "similarity/spread.hpp"

namespace leitong {

OwnText own_text(std::span<const std::uint32_t> ordered, std::size_t shingles,
                 std::span<const std::uint32_t> templates) {
  OwnText own{shingles, shingles - templates.size(), 0};
  if (templates.empty()) return own;
  const double enough = enough_in_runs(shingles);
  const HashLookup lookup(templates);
  std::size_t run = 0;
  for (const std::uint32_t shingle : ordered) {
    if (lookup.contains(shingle)) {
      run = 0;
      continue;
    }
    ++run;
    if (run == TemplateRule::kTextRun) own.in_runs += run;
    if (run > TemplateRule::kTextRun) ++own.in_runs;
    if (static_cast<double>(own.in_runs) >= enough) break;
  }
  return own;
}

void keep_runs(std::span<const std::uint32_t> ordered, const LeastRun& least_run,
               PodVector<std::uint32_t>& templates) {
  if (least_run.is_single() || templates.empty()) return;
  const HashLookup lookup(templates);
  PodVector<std::uint32_t> kept;
  std::size_t run = 0;
  const auto end_run = [&](std::size_t end) {
    if (least_run.is_met(end - run, end, ordered.size())) kept.append(ordered.subspan(end - run, run));
    run = 0;
  };
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    if (lookup.contains(ordered[i]))
      ++run;
    else
      end_run(i);
  }
  end_run(ordered.size());
  std::sort(kept.begin(), kept.end());
  kept.resize_for_overwrite(static_cast<std::size_t>(std::unique(kept.begin(), kept.end()) - kept.begin()));
  templates = std::move(kept);
}

std::size_t shared_templates(const TemplatesOfText& a, const TemplatesOfText& b) {
  const std::size_t of_both = intersection_size(a.templates, b.templates);
  if (a.templates.size() == a.marked.size() && b.templates.size() == b.marked.size()) return of_both;
  return intersection_size(a.templates, b.marked) + intersection_size(a.marked, b.templates) - of_both;
}

}  // namespace leitong
