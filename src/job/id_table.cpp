#include "job/id_table.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong {

Result<IdTable> IdTable::read(const Corpus& corpus, const std::vector<bool>& wanted, StopToken stop) {
  constexpr std::size_t kBlock = 1 << 15;  // ids that are separate strings at a time
  IdTable table;
  std::vector<DocId> documents;
  std::vector<std::string> ids;
  for (std::size_t first = 0; first < wanted.size(); first += kBlock) {
    const std::size_t last = std::min(first + kBlock, wanted.size());
    documents.clear();
    for (std::size_t d = first; d < last; ++d)
      if (wanted[d]) documents.push_back(static_cast<DocId>(d));
    ids.assign(documents.size(), {});
    LEITONG_TRY(parallel_for_each(
        stop, documents.size(), [&] { return corpus.new_scratch(); },
        [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
          LEITONG_ASSIGN(ids[i], corpus.id(documents[i], *scratch));
          return {};
        }));
    for (const std::string& id : ids) {
      table.begin_.push_back(table.bytes_.size());
      table.bytes_ += id;
    }
  }
  table.begin_.push_back(table.bytes_.size());
  table.wanted_.resize((wanted.size() + 63) / 64, 0);
  std::uint32_t before = 0;
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    if (d % 64 == 0) table.before_.push_back(before);
    if (!wanted[d]) continue;
    table.wanted_[d / 64] |= std::uint64_t{1} << d % 64;
    ++before;
  }
  return table;
}

}  // namespace leitong
