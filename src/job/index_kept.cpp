#include "job/index_kept.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

struct KeptText {
  std::string id, text;
};

constexpr std::size_t kAtOnce = 512;
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 20;  // once they are passed, one text may be larger

/// Their texts, on the run's threads.
Result<std::vector<KeptText>> read_texts(const Corpus& corpus, const std::vector<DocId>& documents,
                                         const RunContext& run) {
  std::vector<KeptText> texts(documents.size());
  LEITONG_TRY(parallel_for_each(
      run.stop, documents.size(), [&] { return corpus.new_scratch(); },
      [&](std::size_t i, const std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
        LEITONG_ASSIGN(const DocumentText read, corpus.read(documents[i], *scratch));
        texts[i].id = read.id.empty() ? corpus.place_name(documents[i]) : std::string(read.id);
        texts[i].text = read.text;
        return {};
      }));
  return texts;
}

}  // namespace

Result<IndexedDocuments> index_kept(const Corpus& corpus, const Outcome& outcome, online::OnlineIndex& index,
                                    const RunContext& run) {
  IndexedDocuments done;
  std::vector<DocId> documents;
  std::size_t bytes = 0;
  const auto add = [&]() -> Result<void> {
    LEITONG_ASSIGN(const std::vector<KeptText> kept, read_texts(corpus, documents, run));
    std::vector<online::Text> texts;
    for (const KeptText& text : kept) texts.push_back({text.id, text.text});
    LEITONG_ASSIGN(const std::vector<online::Answer> answers, index.add(texts, online::Look::apart, {}, {}));
    for (const online::Answer& answer : answers)
      ++(answer.verdict == online::Verdict::refused || answer.known ? done.refused : done.added);
    documents.clear();
    bytes = 0;
    return {};
  };
  const auto end = static_cast<DocId>(corpus.size());
  for (DocId d = corpus.reference_count(); d < end; ++d) {
    if (!outcome.found.settlement.stays(d)) continue;
    documents.push_back(d);
    bytes += std::size_t{4} * outcome.found.table.units[d];
    if (documents.size() < kAtOnce && bytes < kBytesAtOnce) continue;
    LEITONG_TRY(add());
    run.report("indexing", d, end, "documents");
  }
  if (!documents.empty()) LEITONG_TRY(add());
  return done;
}

}  // namespace leitong
