#include "dedup/template/shingled_texts.hpp"

#include "base/try.hpp"
#include "feature/shingle_set.hpp"
#include "feature/shingles.hpp"

namespace leitong {

Result<ShingledText> ShingledTexts::text(DocId document, Reader& reader) const {
  LEITONG_TRY(ordered(document, reader));
  reader.set.clear();
  reader.set.append(reader.ordered);
  make_shingle_set(reader.set, reader.scratch);
  return ShingledText{reader.ordered, reader.set};
}

Result<std::span<const std::uint32_t>> ShingledTexts::ordered(DocId document, Reader& reader) const {
  LEITONG_TRY(read_units(document, source_, units_, *reader.read, reader.units));
  shingle_hashes(reader.units, reader.ordered);
  return std::span<const std::uint32_t>(reader.ordered);
}

}  // namespace leitong
