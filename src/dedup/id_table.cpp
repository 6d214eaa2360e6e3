#include "dedup/id_table.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace leitong {

Result<IdTable> IdTable::read(const Corpus& corpus, const std::vector<bool>& wanted) {
  constexpr std::size_t kBlock = 1 << 15;  // ids that are strings of their own at a time
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
        documents.size(), [&] { return corpus.new_scratch(); },
        [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
          LEITONG_ASSIGN(ids[i], corpus.id(documents[i], *scratch));
          return {};
        }));
    std::size_t next = 0;
    for (std::size_t d = first; d < last; ++d) {
      table.begin_.push_back(table.bytes_.size());
      if (wanted[d]) table.bytes_ += ids[next++];
    }
  }
  table.begin_.push_back(table.bytes_.size());
  return table;
}

}  // namespace leitong
