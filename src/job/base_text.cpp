#include "job/base_text.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "feature/shingles.hpp"
#include "leitong/read.hpp"
#include "text/units.hpp"

namespace leitong {

Result<std::vector<std::uint32_t>> read_base(const Context& context, const DedupJob& job,
                                             const Folding& folding) {
  std::vector<std::uint32_t> base;
  if (job.base.empty()) return base;
  InputFiles files = job.input;
  files.paths = job.base;
  files.reference_paths.clear();
  files.kind.clear();  // a sheet is a file of its own, whatever the corpus is
  files.strict = true;
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;
  LEITONG_TRY(read_documents(context, files, [&](const InputDocument& document) -> Result<void> {
    to_units(document.text, folding, units);
    shingle_hashes(units, shingles);
    base.insert(base.end(), shingles.begin(), shingles.end());
    return {};
  }));
  std::sort(base.begin(), base.end());
  base.erase(std::unique(base.begin(), base.end()), base.end());
  if (base.empty())
    return fail(ErrorCode::invalid_argument, "the base holds no text that could be left out", "base");
  return base;
}

}  // namespace leitong
