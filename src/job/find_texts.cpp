#include "job/find_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/try.hpp"

namespace leitong {

Result<std::vector<std::string>> find_texts(const InputOptions& input, std::span<const std::string> ids,
                                            const Context& context) {
  const RunContext run(context);
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(input, run));
  const std::unique_ptr<ReadScratch> scratch = corpus->new_scratch();
  std::vector<DocId> found(ids.size(), kNoDocument);
  std::vector<std::string> of_batch;
  while (std::ranges::find(found, kNoDocument) != found.end()) {
    LEITONG_TRY(run.stop.check());
    LEITONG_ASSIGN(const std::unique_ptr<RecordBatch> batch, corpus->next_batch());
    if (batch == nullptr) break;
    of_batch.clear();
    corpus->parse(*batch, *scratch,
                  [&](const DocumentText& document) { of_batch.emplace_back(document.id); });
    auto number = static_cast<DocId>(corpus->size());
    LEITONG_TRY(corpus->commit(*batch));
    for (const std::string& id : of_batch) {
      const std::string name = id.empty() ? corpus->place_name(number) : id;
      for (std::size_t i = 0; i < ids.size(); ++i)
        if (found[i] == kNoDocument && ids[i] == name) found[i] = number;
      ++number;
    }
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (found[i] == kNoDocument)
      return fail(ErrorCode::not_found,
                  fmt::format("no document of {} has the id \"{}\"{}", fmt::join(input.paths, ", "), ids[i],
                              corpus->quarantined() == 0 ? ""
                                                         : "; records that couldn't be read, the first: " +
                                                               corpus->first_quarantined()));
    LEITONG_ASSIGN(const DocumentText document, corpus->read(found[i], *scratch));
    texts.emplace_back(document.text);
  }
  return texts;
}

}  // namespace leitong
