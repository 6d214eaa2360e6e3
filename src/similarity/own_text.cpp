#include "similarity/own_text.hpp"

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

}  // namespace leitong
