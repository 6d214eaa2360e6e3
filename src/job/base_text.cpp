#include "job/base_text.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "feature/shingles.hpp"
#include "leitong/read.hpp"
#include "text/units.hpp"

namespace leitong {

Result<void> read_base_texts(const Context& context, const InputFiles& input,
                             const std::vector<std::string>& base,
                             const std::function<void(std::string_view text)>& each) {
  if (base.empty()) return {};
  InputFiles files = input;
  files.paths = base;
  files.reference_paths.clear();
  files.kind.clear();  // a sheet is a file of its own, whatever the corpus is
  files.strict = true;
  LEITONG_TRY(read_documents(context, files, [&](const InputDocument& document) -> Result<void> {
    each(document.text);
    return {};
  }));
  return {};
}

Result<std::vector<std::uint32_t>> read_base(const Context& context, const InputFiles& input,
                                             const std::vector<std::string>& base, const Folding& folding) {
  std::vector<std::uint32_t> hashes;
  if (base.empty()) return hashes;
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;
  LEITONG_TRY(read_base_texts(context, input, base, [&](std::string_view text) {
    to_units(text, folding, units);
    shingle_hashes(units, shingles);
    hashes.insert(hashes.end(), shingles.begin(), shingles.end());
  }));
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  if (hashes.empty())
    return fail(ErrorCode::invalid_argument, "the base holds no text that could be left out", "base");
  return hashes;
}

}  // namespace leitong
