#include "dedup/template/shingled_texts.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "feature/shingle_set.hpp"
#include "feature/shingles.hpp"

namespace leitong {

void ShingledTexts::expect(const std::vector<bool>& documents) {
  for (DocId d = 0; d < documents.size(); ++d)
    if (documents[d]) expected_.push_back(d);
  kept_.resize(expected_.size());
}

Result<ShingledText> ShingledTexts::text(DocId document, Reader& reader) {
  const auto place = std::lower_bound(expected_.begin(), expected_.end(), document);
  Kept* const kept = place != expected_.end() && *place == document
                         ? &kept_[static_cast<std::size_t>(place - expected_.begin())]
                         : nullptr;
  if (kept != nullptr && !kept->ordered.empty()) return ShingledText{kept->ordered, kept->set, true};
  LEITONG_TRY(ordered(document, reader));
  reader.set.clear();
  reader.set.append(reader.ordered);
  make_shingle_set(reader.set, reader.scratch);
  if (kept != nullptr) {
    const std::uint64_t bytes = sizeof(std::uint32_t) * (reader.ordered.size() + reader.set.size());
    if (held_.load(std::memory_order_relaxed) + bytes <= run_.memory.for_buffers() / 2) {
      held_.fetch_add(bytes, std::memory_order_relaxed);
      run_.memory.hold(bytes);
      kept->ordered.append(reader.ordered);
      kept->set.append(reader.set);
    }
  }
  return ShingledText{reader.ordered, reader.set, false};
}

Result<std::span<const std::uint32_t>> ShingledTexts::ordered(DocId document, Reader& reader) const {
  LEITONG_ASSIGN(const DocumentText text, source_.read(document, *reader.read));
  to_units(text.text, reader.units);
  shingle_hashes(reader.units, reader.ordered);
  return std::span<const std::uint32_t>(reader.ordered);
}

}  // namespace leitong
