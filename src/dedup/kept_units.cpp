#include "dedup/kept_units.hpp"

#include "base/try.hpp"
#include "text/packed_units.hpp"

namespace leitong {

void KeptUnits::keep(DocId document, std::span<const std::uint16_t> packed) {
  if (!has_room()) return;
  const std::uint64_t words = words_.size() + packed.size();
  const std::uint64_t bytes = sizeof(std::uint16_t) * words + sizeof(std::uint32_t) * (document + 1ULL);
  if (bytes > room() || words >= kNowhere) {
    has_room_ = false;
    return;
  }
  held_.set(bytes);
  begin_.resize(document, kNowhere);  // what was left out
  begin_.push_back(static_cast<std::uint32_t>(words_.size()));
  words_.append(packed);
}

void KeptUnits::fit() {
  if (held_.bytes() <= room()) return;
  has_room_ = false;
  words_ = PodVector<std::uint16_t>();
  begin_ = PodVector<std::uint32_t>();
  held_.set(0);
}

bool KeptUnits::find(DocId document, PodVector<Unit>& units) const {
  if (document >= begin_.size() || begin_[document] == kNowhere) return false;
  unpack_units(words_.data() + begin_[document], table_.units[document], units);
  return true;
}

Result<void> read_units(DocId document, const DocumentSource& source, const KeptUnits* kept,
                        ReadScratch& scratch, PodVector<Unit>& units) {
  if (kept != nullptr && kept->find(document, units)) return {};
  LEITONG_ASSIGN(const DocumentText text, source.read(document, scratch));
  to_units(text.text, source.folding(), units);
  return {};
}

}  // namespace leitong
